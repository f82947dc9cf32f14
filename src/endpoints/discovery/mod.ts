// Discovery: what is served, told at /api, /apis and below; in one document for clients that ask for it aggregated.
import { createHash } from "node:crypto";
import { methodNotAllowedError, pathNotFoundError } from "../../machinery/errors.ts";
import type { GroupVersionKind, JsonObject } from "../../machinery/types.ts";
import type { RequestHandlerContext } from "../env.ts";
import {
  checkAcceptedByRoute,
  JSON_TYPE,
  MEDIA_TYPES,
  negotiate,
  negotiateOutput,
  PLAIN,
  type Restrictions,
  YAML_TYPE,
} from "../negotiation.ts";
import type { ResourceProvider } from "../../registry/resource.ts";
import { respond, respondError, respondWith } from "../respond.ts";
import { transcode } from "../serialize.ts";
import {
  apiVersionsDocument,
  groupDiscoveryListDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
} from "./documents.ts";
import { type DiscoveredGroup, discoverGroups } from "./groups.ts";

export interface DiscoveryOptions {
  /** The built-in resources first, in their order. */
  providers: () => Iterable<ResourceProvider>;
  /** HOST:PORT that clients reach the server at. */
  serverAddress: () => string;
}

export type DiscoveryHandler = (c: RequestHandlerContext) => Response | undefined | Promise<Response>;

/** Answers the paths of discovery; undefined for other paths and for groups that are not there. */
export function createDiscovery(options: DiscoveryOptions): DiscoveryHandler {
  const etags = createEtags();
  return (c) => {
    const parts = c.get("url").pathname.replace(/\/$/, "").split("/");
    if (parts[1] !== "api" && parts[1] !== "apis" || parts.length > (parts[1] === "api" ? 3 : 4)) return undefined;
    try {
      return answer(c, parts, options, etags);
    } catch (error) {
      return respondError(c, error);
    }
  };
}

type Etags = (key: string, text: string) => string;

function answer(
  c: RequestHandlerContext,
  parts: readonly string[],
  options: DiscoveryOptions,
  etags: Etags,
): Response | undefined | Promise<Response> {
  const isCore = parts[1] === "api";
  const groups = discoverGroups(options.providers()).filter((group) => (group.name === "") === isCore);
  if (parts.length === 2) {
    if (isCore) checkRoute(c);
    return answerAggregated(c, parts[1], groups, etags) ??
      write(c, isCore ? apiVersionsDocument(groups[0], options.serverAddress()) : groupListDocument(groups));
  }
  const group = groups.find((g) => g.name === (isCore ? "" : parts[2]));
  if (group === undefined) return undefined;
  if (!isCore && parts.length === 3) return write(c, groupDocument(group));
  return answerVersion(c, group, parts[parts.length - 1]);
}

function answerVersion(
  c: RequestHandlerContext,
  group: DiscoveredGroup,
  name: string,
): Response | undefined | Promise<Response> {
  const version = group.versions.find((v) => v.version === name);
  if (group.custom) return version && write(c, resourceListDocument(group, version));
  if (version === undefined) throw pathNotFoundError();
  checkRoute(c);
  return write(c, resourceListDocument(group, version));
}

/** What the router checks of built-in paths. */
function checkRoute(c: RequestHandlerContext): void {
  if (c.req.method !== "GET") throw methodNotAllowedError();
  checkAcceptedByRoute(c.req.raw.headers, MEDIA_TYPES);
}

function write(c: RequestHandlerContext, document: JsonObject): Response | Promise<Response> {
  return respond(c, 200, JSON.stringify(document), negotiateOutput(c.req.raw.headers, c.get("url").search, PLAIN));
}

/** There is no protobuf of it here: who asks for that takes JSON as well. */
const AGGREGATED: Restrictions = {
  plain: [],
  allowsConversion: (_mediaType: string, { group, version, kind }: GroupVersionKind) =>
    group === "apidiscovery.k8s.io" && version === "v2" && kind === "APIGroupDiscoveryList",
};

/** Undefined when the client does not ask for the aggregated form. */
function answerAggregated(
  c: RequestHandlerContext,
  key: string,
  groups: readonly DiscoveredGroup[],
  etags: Etags,
): Response | Promise<Response> | undefined {
  const { headers } = c.req.raw;
  const output = negotiate(headers.get("accept") ?? "", AGGREGATED, [JSON_TYPE, YAML_TYPE]);
  if (output?.convert === undefined) return undefined;
  const json = JSON.stringify(groupDiscoveryListDocument(groups));
  const etag = `"${etags(key, json)}"`;
  const caching = { etag, vary: "Accept", "cache-control": "public" };
  if (headers.get("if-none-match") === etag) return c.body(null, 304, caching);
  const { group, version, kind } = output.convert;
  const contentType = `${output.mediaType};g=${group};v=${version};as=${kind}`;
  const body = output.mediaType === JSON_TYPE ? json + "\n" : transcode(json, output.mediaType);
  return respondWith(c, 200, body, { ...caching, "content-type": contentType });
}

/** Hashes a document again only when it has changed. */
function createEtags(): Etags {
  const known = new Map<string, { text: string; etag: string }>();
  return (key, text) => {
    const last = known.get(key);
    if (last?.text === text) return last.etag;
    const etag = createHash("sha512").update(text).digest("hex").toUpperCase();
    known.set(key, { text, etag });
    return etag;
  };
}
