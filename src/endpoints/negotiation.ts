// Content negotiation: which media type and which form (the object itself, a Table, only its metadata) a client wants,
// and which media type it sent.
import { notAcceptableError, type StatusError, statusError, unsupportedMediaTypeError } from "../machinery/errors.ts";
import type { GroupVersionKind } from "../machinery/types.ts";
import { firstValue, parseQuery } from "./query.ts";

export const JSON_TYPE = "application/json";
export const YAML_TYPE = "application/yaml";
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

/** What every API resource can be written as and read from, in the order of preference. */
export const MEDIA_TYPES: readonly string[] = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
export const STREAM_MEDIA_TYPES: readonly string[] = [`${JSON_TYPE};stream=watch`, `${PROTOBUF_TYPE};stream=watch`];

/** How an answer is written. */
export interface OutputMediaType {
  /** One of {@link MEDIA_TYPES}. */
  mediaType: string;
  pretty: boolean;
  /** The form asked for by `as`, `g` and `v`; undefined is the object itself. */
  convert?: GroupVersionKind;
}

interface AcceptClause {
  type: string;
  subtype: string;
  quality: number;
  parameters: ReadonlyMap<string, string>;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** The clauses of an Accept header, most wanted first; clauses that are no media type are left out. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(",")) {
    const [range, ...rest] = part.split(";");
    const names = range.split("/").map((s) => s.trim());
    if (names.length === 1 && names[0] !== "*" || names.length > 2) continue;
    const clause = { type: names[0], subtype: names[1] ?? "*", quality: 1, parameters: NO_PARAMETERS };
    if (rest.length > 0) {
      const parameters = new Map<string, string>();
      for (const text of rest) {
        const pair = text.split("=");
        if (pair.length !== 2 || pair[1] === "") continue;
        const name = pair[0].trim();
        if (name === "q") clause.quality = Number(pair[1]) || 0;
        else parameters.set(name, pair[1].trim());
      }
      clause.parameters = parameters;
    }
    let at = clauses.length;
    while (at > 0 && goesBefore(clause, clauses[at - 1])) at--;
    clauses.splice(at, 0, clause);
  }
  return clauses;
}

function goesBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || a.type !== "*" && b.type === "*" || a.subtype !== "*" && b.subtype === "*";
}

/** What an endpoint can do beyond plain objects. */
export interface Restrictions {
  /** Media types that the plain object can be written as. */
  plain: readonly string[];
  /** Whether this form can be made in this media type. */
  allowsConversion(mediaType: string, target: GroupVersionKind): boolean;
}

/** Errors and documents: no forms but their own. */
export const PLAIN: Restrictions = { plain: MEDIA_TYPES, allowsConversion: () => false };

/** Built-in resources. */
export const RESOURCES: Restrictions = { plain: MEDIA_TYPES, allowsConversion: allowsMetaForms };

/** Built-in resources of which no table can be made. */
export const TABLELESS_RESOURCES: Restrictions = {
  plain: MEDIA_TYPES,
  allowsConversion: (mediaType, target) => target.kind !== "Table" && allowsMetaForms(mediaType, target),
};

/** Custom resources: protobuf only for their metadata. */
export const CUSTOM_RESOURCES: Restrictions = { plain: [JSON_TYPE, YAML_TYPE], allowsConversion: allowsMetaForms };

function allowsMetaForms(mediaType: string, target: GroupVersionKind): boolean {
  if (target.group !== "meta.k8s.io" || target.version !== "v1" && target.version !== "v1beta1") return false;
  switch (target.kind) {
    case "Table":
      return mediaType !== PROTOBUF_TYPE;
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return true;
    default:
      return false;
  }
}

/** Undefined when nothing that is offered is accepted. */
export function negotiate(
  accept: string,
  restrictions: Restrictions,
  offered: readonly string[] = MEDIA_TYPES,
): OutputMediaType | undefined {
  if (accept === "" || accept === JSON_TYPE) return { mediaType: offered[0], pretty: false };
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offered) {
      if (!clauseMatches(clause, mediaType)) continue;
      const output = applyParameters(clause.parameters, mediaType, restrictions);
      if (output !== undefined) return output;
    }
  }
  return undefined;
}

function clauseMatches(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === "*") return clause.subtype === "*";
  const slash = mediaType.indexOf("/");
  return clause.type === mediaType.slice(0, slash) &&
    (clause.subtype === "*" || clause.subtype === mediaType.slice(slash + 1));
}

function applyParameters(
  parameters: ReadonlyMap<string, string>,
  mediaType: string,
  restrictions: Restrictions,
): OutputMediaType | undefined {
  const stream = parameters.get("stream");
  if (stream && (stream !== "watch" || mediaType === YAML_TYPE)) return undefined;
  const version = parameters.get("sv");
  if (version && version !== "v1") return undefined;
  const output: OutputMediaType = { mediaType, pretty: parameters.get("pretty") === "1" };
  if (parameters.has("as") || parameters.has("g") || parameters.has("v")) {
    output.convert = {
      kind: parameters.get("as") ?? "",
      group: parameters.get("g") ?? "",
      version: parameters.get("v") ?? "",
    };
    return restrictions.allowsConversion(mediaType, output.convert) ? output : undefined;
  }
  return restrictions.plain.includes(mediaType) ? output : undefined;
}

/** The media type of an answer. Throws 406. */
export function negotiateOutput(headers: Headers, search: string, restrictions: Restrictions): OutputMediaType {
  const output = negotiate(headers.get("accept") ?? "", restrictions);
  if (output === undefined) throw notAcceptable(MEDIA_TYPES);
  output.pretty ||= wantsPretty(headers, search);
  return output;
}

export function notAcceptable(offered: readonly string[]): StatusError {
  return notAcceptableError(`only the following media types are accepted: ${offered.join(", ")}`);
}

/** The router's own check, before the handler's: knows no `application/*` and no letter case. Throws 406. */
export function checkAcceptedByRoute(headers: Headers, produced: readonly string[]): void {
  const accept = headers.get("accept") ?? "";
  if (accept === "" || accept === produced[0]) return;
  for (const part of accept.split(",")) {
    const mediaType = part.split(";", 1)[0].trim();
    if (mediaType === "*/*" || produced.includes(mediaType)) return;
  }
  throw statusError(
    406,
    "NotAcceptable",
    `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`,
    {},
  );
}

const TRUE_WORDS = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** People with a terminal or a browser get indented JSON, and who asks with `pretty`. */
export function wantsPretty(headers: Headers, search: string): boolean {
  if (search.includes("pretty")) {
    const value = firstValue(parseQuery(search), "pretty");
    if (value !== "") return TRUE_WORDS.has(value);
  }
  return PEOPLE.test(headers.get("user-agent") ?? "");
}

const MEDIA_TYPE = /^[\w!#$&^.+*'`|~%-]+\/[\w!#$&^.+*'`|~%-]+$/;

/** The media type of a body; JSON when the client does not say. Throws 415. */
export function negotiateInput(headers: Headers): string {
  const header = headers.get("content-type") ?? "";
  if (header === "" || header === JSON_TYPE) return JSON_TYPE;
  const mediaType = header.split(";", 1)[0].trim().toLowerCase();
  if (MEDIA_TYPE.test(mediaType) && MEDIA_TYPES.includes(mediaType)) return mediaType;
  throw unsupportedMediaTypeError(
    `the body of the request was in an unknown format - accepted media types include: ${MEDIA_TYPES.join(", ")}`,
  );
}
