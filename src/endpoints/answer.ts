// One object or a list of them as an answer, in the form that was asked for: itself, a Table, only its metadata.
import { notAcceptableError } from "../machinery/errors.ts";
import { apiVersionOf, type KubeObject, type ListMeta } from "../machinery/types.ts";
import type { Result } from "../registry/rest.ts";
import type { Item, ListResult } from "../storage/interface.ts";
import { partialMetadataText } from "./metadata_text.ts";
import {
  CUSTOM_RESOURCES,
  negotiateOutput,
  type OutputMediaType,
  PROTOBUF_TYPE,
  RESOURCES,
  type Restrictions,
  TABLELESS_RESOURCES,
} from "./negotiation.ts";
import type { ServedKind } from "../registry/resource.ts";
import { protobufList } from "./protobuf.ts";
import { respond, respondWith } from "./respond.ts";
import type { Scope } from "./scope.ts";
import {
  isStatus,
  isStoredVersion,
  type ReadyJson,
  readyJson,
  resultJson,
  servedJson,
  shownJson,
  shownObject,
} from "./served.ts";
import { decodeIncludeObject, tableJson } from "./table.ts";

/** What the client takes of this resource. Throws 406. */
export function negotiateScope(scope: Scope): OutputMediaType {
  return negotiateOutput(scope.headers, scope.search, restrictionsOf(scope));
}

function restrictionsOf({ kind, resource, subresource, storage }: Scope): Restrictions {
  if (kind.custom) return CUSTOM_RESOURCES;
  const hasTables = subresource === undefined
    ? storage.list !== undefined
    : SUBRESOURCES_WITH_TABLES.has(subresource.name) && resource.group !== "apiregistration.k8s.io";
  return hasTables ? RESOURCES : TABLELESS_RESOURCES;
}

const SUBRESOURCES_WITH_TABLES = new Set(["status", "scale"]);

/** @param code of a success; a Status without a code gets it */
export function answerResult(
  scope: Scope,
  code: number,
  result: Result,
  output: OutputMediaType,
): Response | Promise<Response> {
  const { c, kind } = scope;
  if ("item" in result && output.convert === undefined && isStoredVersion(kind)) {
    return respond(c, code, result.item.text, output);
  }
  return answerConverted(scope, code, result, output);
}

async function answerConverted(
  scope: Scope,
  code: number,
  result: Result,
  output: OutputMediaType,
): Promise<Response> {
  const { c, kind } = scope;
  if ("object" in result && isStatus(result.object)) {
    const status = result.object;
    status.code ??= code === 201 ? code : undefined;
    return await respond(c, code, JSON.stringify(status), output);
  }
  const { convert } = output;
  switch (convert?.kind) {
    case undefined:
      return await respond(c, code, (await resultJson(result, kind)).text, output);
    case "Table": {
      const include = decodeIncludeObject(scope.query);
      const object = await shownObject(result, kind);
      const meta: ListMeta = { resourceVersion: object.metadata.resourceVersion };
      const json = await tableJson(kind, [object], meta, { target: convert!, include, withColumns: true });
      return await respond(c, code, json, output);
    }
    case "PartialObjectMetadata": {
      const shown = "item" in result
        ? await shownJson(result.item, kind)
        : readyJson(kind, await shownObject(result, kind));
      const metadata = partialMetadataText(kind, shown);
      return await respond(c, code, partialMetadataJson(apiVersionOf(convert!), metadata), output);
    }
    default:
      throw notAcceptableError(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(kind)})`,
      );
  }
}

/** `{"kind":"PartialObjectMetadata",…}` around ready metadata. */
export function partialMetadataJson(apiVersion: string, metadata: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(apiVersion)},"metadata":${metadata}}`;
}

export function answerList(
  scope: Scope,
  list: ListResult,
  output: OutputMediaType,
): Response | Promise<Response> {
  const { kind } = scope;
  if (output.convert === undefined && isStoredVersion(kind)) {
    return respondList(scope, list, list.items, output);
  }
  return answerConvertedList(scope, list, output);
}

function respondList(
  { c, kind }: Scope,
  list: ListResult,
  items: readonly ReadyJson[],
  output: OutputMediaType,
): Response | Promise<Response> {
  if (output.mediaType !== PROTOBUF_TYPE) return respond(c, 200, listJson(kind, list, items), output);
  return respondWith(c, 200, protobufList(listJson(kind, list, []), items, kind.type), {
    "content-type": PROTOBUF_TYPE,
  });
}

async function answerConvertedList(scope: Scope, list: ListResult, output: OutputMediaType): Promise<Response> {
  const { c, kind } = scope;
  const { convert } = output;
  switch (convert?.kind) {
    case undefined:
      return await respondList(scope, list, await allOf(list.items, (item) => servedJson(item, kind)), output);
    case "Table": {
      const include = decodeIncludeObject(scope.query);
      const objects: KubeObject[] = [];
      for (const item of list.items) objects.push(await shownObject({ item }, kind));
      const json = await tableJson(kind, objects, listMeta(list), { target: convert!, include, withColumns: true });
      return await respond(c, 200, json, output);
    }
    case "PartialObjectMetadataList": {
      const apiVersion = apiVersionOf(convert!);
      const items = (await allOf(list.items, (item) => shownJson(item, kind)))
        .map((i) => partialMetadataJson(apiVersion, partialMetadataText(kind, i)));
      const json = `{"kind":"PartialObjectMetadataList","apiVersion":${JSON.stringify(apiVersion)},"metadata":${
        JSON.stringify(listMeta(list))
      },"items":${items.length === 0 ? "null" : `[${items.join(",")}]`}}`;
      return await respond(c, 200, json, output);
    }
    default:
      throw notAcceptableError(
        `you requested PartialObjectMetadata, but the requested object is a list (*${goType(kind)}List)`,
      );
  }
}

async function allOf(
  items: readonly Item[],
  jsonOf: (item: Item) => ReadyJson | Promise<ReadyJson>,
): Promise<ReadyJson[]> {
  const all: ReadyJson[] = [];
  for (const item of items) {
    const json = jsonOf(item);
    all.push(json instanceof Promise ? await json : json);
  }
  return all;
}

function listMeta(list: ListResult): ListMeta {
  return {
    // What was made for this answer is of no revision.
    resourceVersion: list.revision === 0 ? undefined : String(list.revision),
    continue: list.continue,
    remainingItemCount: list.remaining,
  };
}

/** The list as JSON, out of the ready JSON of its items. Items of built-in kinds do not repeat kind and apiVersion. */
function listJson(kind: ServedKind, list: ListResult, items: readonly ReadyJson[]): string {
  const meta = listMeta(list);
  if (kind.custom) meta.continue ??= "";
  let json = `{"kind":${JSON.stringify(kind.listKind ?? kind.gvk.kind + "List")},"apiVersion":${
    JSON.stringify(apiVersionOf(kind.gvk))
  },"metadata":${JSON.stringify(meta)},"items":[`;
  for (let i = 0; i < items.length; i++) {
    if (i > 0) json += ",";
    json += kind.custom ? items[i].text : "{" + items[i].text.slice(items[i].bodyStart);
  }
  return json + "]}";
}

/** What the real server's Go types are called in its messages. */
function goType(kind: ServedKind): string {
  if (kind.custom) return "unstructured.Unstructured";
  return `${internalPackage(kind.gvk.group)}.${kind.gvk.kind}`;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "core",
  "internal.apiserver.k8s.io": "apiserverinternal",
};

/** The package that holds a group's internal types. */
export function internalPackage(group: string): string {
  return PACKAGES[group] ?? group.split(".", 1)[0];
}
