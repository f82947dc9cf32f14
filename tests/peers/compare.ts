// Answers of two servers, with what differs by nature (identifiers, revisions, times, addresses) made the same.
import type { Answer } from "./client.ts";
import { GIVEN_TIME } from "./generate.ts";

const TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const CLUSTER_IP = /^10\.0\.0\.\d+$/;
const NODE_PORT = { min: 30_000, max: 32_767 };

/** `undefined` members are gone. */
export function normal(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "resourceVersion") return "<rv>";
    if (CLUSTER_IP.test(value)) return "<cluster IP>";
    if (TIME.test(value)) return value.startsWith(GIVEN_TIME.slice(0, 10)) ? value : "<time>";
    return value.replace(UUID, "<uuid>");
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
  const [x, y] = [JSON.stringify(a), JSON.stringify(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Where two values differ: `/spec/a: ours 1, theirs 2`. */
export function differences(ours: unknown, theirs: unknown, at = ""): string[] {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  const both = [ours, theirs].every((v) => typeof v === "object" && v !== null);
  if (!both) return [`${at || "/"}: ours ${shown(ours)}, theirs ${shown(theirs)}`];
  const a = ours as Record<string, unknown>, b = theirs as Record<string, unknown>;
  const found = [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    differences(a[name], b[name], `${at}/${name}`)
  );
  return found.length > 0 ? found : [`${at || "/"}: order of members`];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? text.slice(0, 300) + "…" : text;
}

/** What of an answer is compared: everything of a success, of a refusal its status, reason and causes. */
export function compareAnswers(ours: Answer, theirs: Answer): string[] {
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
  return differences(view(ours), view(theirs));
}
