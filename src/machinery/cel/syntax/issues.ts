// Issues as text: the line they are in with a caret under the place.
import type { Issue } from "./ast.ts";

const MAX_SNIPPET_BYTES = 16384;
const MAX_ISSUES = 100;

/** One line of an expression and where it starts. */
interface Place {
  /** From 1 on; -1 when the issue has no place. */
  line: number;
  /** In code points, from 0 on. */
  column: number;
  text: string;
}

function placeOf(source: string, at: number): Place {
  if (at < 0) return { line: -1, column: -1, text: "" };
  // There is no place in nothing.
  if (source === "") return { line: 1, column: -1, text: "" };
  const before = source.slice(0, at);
  const line = before.split("\n").length;
  const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length;
  return { line, column, text: source.split("\n")[line - 1] ?? "" };
}

/** `ERROR: <input>:1:6: …` and the line with its caret, for each issue in the order of their places. */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => ({ issue, place: placeOf(source, issue.at) }));
  shown.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const lines = shown.map(({ issue, place }) => formatIssue(issue.message, place));
  if (issues.length > MAX_ISSUES) lines.push(`${issues.length - MAX_ISSUES} more errors were truncated`);
  return lines.join("\n");
}

function formatIssue(message: string, place: Place): string {
  const head = `ERROR: <input>:${place.line}:${place.column + 1}: ${message}`;
  if (place.column < 0 || new TextEncoder().encode(place.text).length > MAX_SNIPPET_BYTES) return head;
  const text = place.text.replaceAll("\t", " ");
  const points = Array.from(text);
  // A character of more than one byte takes a wide dot, so that the caret stays below its place.
  const dots = points.slice(0, place.column).map((c) => c > "\x7f" ? "\uff0e" : ".");
  const caret = (points[place.column] ?? "") > "\x7f" ? "\uff3e" : "^";
  return `${head}\n | ${text}\n | ${dots.join("")}${caret}`;
}
