// How clients name revisions: resourceVersion strings.
import { StatusError } from "../machinery/errors.ts";

const MAX_UINT64 = 2n ** 64n - 1n;

/** The revision that a client means; 0 for "" and "0". Throws InvalidResourceVersion. */
export function parseResourceVersion(text: string): number {
  if (text === "" || text === "0") return 0;
  if (!/^[0-9]+$/.test(text)) throw new InvalidResourceVersion(text, "invalid syntax");
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) && BigInt(text) > MAX_UINT64) {
    throw new InvalidResourceVersion(text, "value out of range");
  }
  return revision;
}

/** Not a revision. The real server answers a bare 500 with this message, and lists word it as a bad request. */
export class InvalidResourceVersion extends StatusError {
  /** What is wrong with it, without saying where. */
  readonly problem: string;

  constructor(text: string, why: string) {
    const quoted = JSON.stringify(text);
    const problem = `strconv.ParseUint: parsing ${quoted}: ${why}`;
    super({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `resourceVersion: Invalid value: ${quoted}: ${problem}`,
      code: 500,
    });
    this.problem = problem;
  }
}
