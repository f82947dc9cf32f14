// Options of the subresources that answer a request themselves (core/v1 PodExecOptions, PodLogOptions, …), read from the
// query.
import { badRequestError } from "../machinery/errors.ts";
import { canonicalTime, TimeError } from "../machinery/time.ts";
import type { Json, JsonObject } from "../machinery/types.ts";
import { integerValue } from "./options.ts";
import { booleanValue, firstValue, type Query } from "./query.ts";

type Read = (query: Query, name: string) => Json | undefined;

const text: Read = (query, name) => firstValue(query, name) || undefined;
const flag: Read = (query, name) => booleanValue(query, name) || undefined;
const texts: Read = (query, name) => query.get(name)?.slice();
const integer: Read = (query, name) => integerValue(query, name);
const integers: Read = (query, name) =>
  query.get(name)?.map((value) => integerValue(new Map([[name, [value]]]), name)!);

const ZERO_TIME = "0001-01-01T00:00:00Z";

const time: Read = (query, name) => {
  const value = query.get(name)?.[0];
  if (value === undefined) return undefined;
  if (value === "" || value === "null") return ZERO_TIME;
  try {
    return canonicalTime(value) ?? ZERO_TIME;
  } catch (error) {
    throw error instanceof TimeError ? badRequestError(error.message) : error;
  }
};

const PROXY = { path: text };

/** Kind → its members in the order of the Go type, which is the order in which they are read. */
const KINDS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  NodeProxyOptions: PROXY,
  PodAttachOptions: { stdin: flag, stdout: flag, stderr: flag, tty: flag, container: text },
  PodExecOptions: { stdin: flag, stdout: flag, stderr: flag, tty: flag, container: text, command: texts },
  PodLogOptions: {
    container: text,
    follow: flag,
    previous: flag,
    sinceSeconds: integer,
    sinceTime: time,
    timestamps: flag,
    tailLines: integer,
    limitBytes: integer,
    insecureSkipTLSVerifyBackend: flag,
    stream: text,
  },
  PodPortForwardOptions: { ports: integers },
  PodProxyOptions: PROXY,
  ServiceProxyOptions: PROXY,
};

/** The options as an object with its kind, for admission as well. Throws 400. */
export function decodeConnectOptions(query: Query, kind: string): JsonObject {
  const options: JsonObject = { kind, apiVersion: "v1" };
  for (const [name, read] of Object.entries(KINDS[kind] ?? {})) {
    const value = read(query, name);
    if (value !== undefined) options[name] = value;
  }
  return options;
}
