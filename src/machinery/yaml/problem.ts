// Why a text is no YAML, in the words of Go's parser: it scans and parses in another way than the library, so that the
// place is only as exact as can be told from here.
import type * as library from "yaml";
import type { NodeKinds } from "./mod.ts";

interface Surroundings {
  text: string;
  /** 1 for the first line. */
  lineOf(at: number): number;
  contents: library.Node;
  kinds: NodeKinds;
}

const NO_TOKEN = "found character that cannot start any token";

/** Undefined when Go's parser would not mind. */
export function problemOf(
  error: library.YAMLParseError | library.YAMLWarning,
  around: Surroundings,
): string | undefined {
  const [at] = error.pos, { text } = around;
  switch (error.code) {
    case "TAB_AS_INDENT":
    case "BAD_SCALAR_START":
      return scanning(NO_TOKEN, around.lineOf(at));
    case "BAD_DQ_ESCAPE":
      return scanning("found unknown escape character", around.lineOf(at));
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY": {
      const colon = text.slice(at).search(/:(?:\s|$)/);
      return scanning("mapping values are not allowed in this context", around.lineOf(at + Math.max(colon, 0)));
    }
    case "KEY_OVER_1024_CHARS":
      return scanning("could not find expected ':'", around.lineOf(at));
    case "MISSING_CHAR":
      if (/quote/.test(error.message)) return scanning("found unexpected end of stream", around.lineOf(at));
      return parsing(openBracketProblem(error.message), around.lineOf(at));
    case "BAD_INDENT":
      return parsing(openBracketProblem(error.message), around.lineOf(at));
    case "BAD_ALIAS":
      return undefined;
    case "UNEXPECTED_TOKEN":
      return unexpected(error, around);
    default:
      return parsing("did not find expected node content", around.lineOf(at));
  }
}

/** A scanner's problem names the line of its place, except for the first. */
function scanning(problem: string, line: number): string {
  return line > 1 ? `line ${line}: ${problem}` : problem;
}

/** A parser's names the line before. */
function parsing(problem: string, line: number): string {
  return line > 1 ? `line ${line - 1}: ${problem}` : problem;
}

function openBracketProblem(message: string): string {
  const isMap = /map|\}/.test(message);
  if (/^Flow/.test(message)) return isMap ? "did not find expected ',' or '}'" : "did not find expected ',' or ']'";
  return isMap ? "did not find expected key" : "did not find expected '-' indicator";
}

function unexpected(error: library.YAMLParseError | library.YAMLWarning, around: Surroundings): string | undefined {
  const { contents, kinds, lineOf } = around, [at] = error.pos;
  const isFlow = (contents as { flow?: boolean }).flow === true;
  // What stands behind a document that has ended is not looked at.
  if (isFlow && at >= (contents.range?.[1] ?? 0)) return undefined;
  if (kinds.isSeq(contents) && !isFlow) return parsing("did not find expected '-' indicator", lineOf(at));
  return parsing("did not find expected key", lineOf(at));
}
