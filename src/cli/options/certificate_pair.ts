// Certificates and their keys in files that flags name.
import { checkPair } from "../../server/serving/certificate_files.ts";
import type { OptionContext } from "../flags/group.ts";
import { problem } from "./problems.ts";

export interface PairFlags {
  cert: string;
  key: string;
  /** Which flag named which. */
  flags: readonly [string, string];
}

/** Everything that is wrong with two files that are to be a certificate and its key. */
export function validatePair({ cert, key, flags }: PairFlags, { files }: OptionContext): string[] {
  const read = (flag: string, file: string) => {
    try {
      return files.read(file);
    } catch (e) {
      problems.push(problem(flag, file, (e as Error).message));
      return "";
    }
  };
  const problems: string[] = [];
  const pair = { certFile: cert, keyFile: key, cert: read(flags[0], cert), key: read(flags[1], key) };
  if (problems.length > 0) return problems;
  try {
    checkPair(pair);
    return [];
  } catch (e) {
    return [problem(flags[0], cert, (e as Error).message)];
  }
}
