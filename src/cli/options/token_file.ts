// The file of --token-auth-file: CSV with a token, a user name, a UID and, in one column, groups.
import type { TokenRow } from "../../server/config.ts";
import { splitCsv } from "../flags/kinds.ts";

export interface TokenFile {
  rows: TokenRow[];
  /** Records that say nothing or say it twice, counted from 1. */
  remarks: { record: number; remark: string }[];
}

/** Throws an Error that says what is wrong with the file. */
export function parseTokenFile(text: string): TokenFile {
  const file: TokenFile = { rows: [], remarks: [] };
  const seen = new Set<string>();
  let record = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line === "") continue;
    const columns = splitCsv(line);
    if (columns.length < 3) {
      throw new Error(`must have at least 3 columns (token, user name, user uid), found ${columns.length}`);
    }
    record++;
    const [token, user, uid, groups] = columns;
    if (token === "") {
      file.remarks.push({ record, remark: "Empty token in the token file" });
      continue;
    }
    if (seen.has(token)) file.remarks.push({ record, remark: "Duplicate token in the token file" });
    seen.add(token);
    file.rows.push({ token, user, uid, groups: groups === undefined ? [] : groups.split(",") });
  }
  return file;
}
