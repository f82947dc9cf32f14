// Answers of two servers, with what differs by nature (identifiers, revisions, times, addresses) made the same.
import type { Answer } from "./client.ts";
import { GIVEN_TIME } from "./generate.ts";

const TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Of an object within a message. */
const REVISION = /(\\*"resourceVersion\\*":\\*)"\d+/g;
const PORT = /(\\*"nodePort\\*":|duplicate nodePort: \{\w+ )\d+/g;
/** Which of several errors are told, and in which order, is random. */
const RANDOM_ERRORS = /^(failed to create typed patch object \([^)]*\)): [^]*/;
const SECONDS = /20(?!24)\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ|20(?!24)\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g;
const CLUSTER_IP = /\b10\.0\.0\.\d+\b/g;
const SHOWN_AS: readonly [RegExp, string][] = [
  [UUID, "<uuid>"],
  [CLUSTER_IP, "<cluster IP>"],
  [REVISION, '$1"<rv>'],
  [SECONDS, "<time>"],
  [PORT, "$1<port>"],
  [RANDOM_ERRORS, "$1"],
];
/** Dry runs of the real server show ports above the range, too. */
const NODE_PORT = { min: 30_000, max: 33_000 };

/** `undefined` members are gone. */
function normal(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "resourceVersion") return "<rv>";
    if (TIME.test(value)) return value.startsWith(GIVEN_TIME.slice(0, 10)) ? value : "<time>";
    return SHOWN_AS.reduce((text, [pattern, shown]) => text.replace(pattern, shown), value);
  }
  if (typeof value === "number") {
    return key.toLowerCase().endsWith("nodeport") && value >= NODE_PORT.min && value <= NODE_PORT.max
      ? "<port>"
      : value;
  }
  if (Array.isArray(value)) {
    const shown = value.map((item) => normal(item, key));
    return key === "causes" || key === "managedFields" ? shown.sort(byText) : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "description");
  return Object.fromEntries(members.map(([name, member]) => [name, normal(member, name)]));
}

function byText(a: unknown, b: unknown): number {
  const [x, y] = [JSON.stringify(ordered(a)), JSON.stringify(ordered(b))];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Where two values differ: `/spec/a: ours 1, theirs 2`. */
export function differences(ours: unknown, theirs: unknown, at = ""): string[] {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  const both = [ours, theirs].every((v) => typeof v === "object" && v !== null);
  if (!both) {
    const from = firstDifference(ours, theirs);
    return [`${at || "/"}: ours ${shown(ours, from)}, theirs ${shown(theirs, from)}`];
  }
  const a = ours as Record<string, unknown>, b = theirs as Record<string, unknown>;
  const found = [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    differences(a[name], b[name], `${at}/${name}`)
  );
  return found.length > 0 ? found : [`${at || "/"}: order of members`];
}

const SHOWN = 300;

/** Where long texts begin to differ, with a little of what stands before. */
function firstDifference(ours: unknown, theirs: unknown): number {
  if (typeof ours !== "string" || typeof theirs !== "string") return 0;
  let at = 0;
  while (ours[at] === theirs[at]) at++;
  return at > SHOWN / 2 ? at - 60 : 0;
}

function shown(value: unknown, from: number): string {
  const text = JSON.stringify(typeof value === "string" ? value.slice(from) : value) ?? "nothing";
  return (from > 0 ? "…" : "") + (text.length > SHOWN ? text.slice(0, SHOWN) + "…" : text);
}

export interface CompareOptions {
  /** The order of members does not matter. */
  unordered?: boolean;
}

/** What of an answer is compared: everything of a success, of a refusal its status, reason and causes. */
export function compareAnswers(ours: Answer, theirs: Answer, { unordered = false }: CompareOptions = {}): string[] {
  const view = ({ status, body, warnings }: Answer) => {
    if (status < 300) return normal({ status, body, warnings });
    const details = body?.details;
    return normal({
      status,
      reason: body?.reason,
      causes: details?.causes,
      text: details?.causes ? "" : body?.message,
    });
  };
  return unordered ? differences(ordered(view(ours)), ordered(view(theirs))) : differences(view(ours), view(theirs));
}

function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered((value as Record<string, unknown>)[name])]));
}
