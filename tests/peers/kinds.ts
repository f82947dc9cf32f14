// The kinds that can be created, each with a small object and with one that has all the fields a server takes.
import type { ResourceRow } from "../../src/facts/generated/resources.ts";
import { builtinSchema } from "../../src/machinery/schema/builtin.ts";
import type { StructType } from "../../src/machinery/schema/model.ts";
import { apiVersionOf, formatGroupResource } from "../../src/machinery/types.ts";
import type { Answer } from "./client.ts";
import { candidates, type Path, type Place, withValue } from "./generate.ts";
import { SEEDS } from "./seeds.ts";

export type Obj = Record<string, unknown> & { metadata: Record<string, unknown> };

export interface Kind {
  /** `deployments.apps` */
  name: string;
  type: StructType;
  /** The path of its objects, those of the default namespace where it has namespaces. */
  collection: string;
  hasStatus: boolean;
  seed: Obj;
}

const NAMESPACE = "default";

/** Undefined for resources whose objects are not kept. The seed has the name, unless its kind's names follow rules. */
export function kindOf(row: ResourceRow, objectName: string): Kind | undefined {
  const name = formatGroupResource(row), seed = SEEDS[name];
  const type = builtinSchema().typeOfKind({ group: row.group, version: row.version, kind: row.kind });
  if (row.prefix === "" || type === undefined || seed === undefined) return undefined;
  const root = row.group === "" ? `/api/${row.version}` : `/apis/${row.group}/${row.version}`;
  const meta = { name: objectName, ...seed.metadata as object, ...row.namespaced && { namespace: NAMESPACE } };
  return {
    name,
    type,
    collection: `${root}${row.namespaced ? `/namespaces/${NAMESPACE}` : ""}/${row.resource}`,
    hasStatus: row.subresources.some((s) => s.name === "status"),
    seed: { apiVersion: apiVersionOf(row), kind: row.kind, ...seed, metadata: meta },
  };
}

/** Writes as a dry run. */
export type Send = (object: Obj) => Promise<Answer>;

export function at(object: unknown, path: Path): unknown {
  return path.reduce((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], object);
}

/** Sets field after field, each as far as the real server takes it together with those before. */
export async function grown(seed: Obj, places: readonly Place[], send: Send): Promise<Obj> {
  let current = seed;
  for (const { path, type } of places) {
    if (at(current, path) !== undefined) continue;
    for (const value of candidates(type, String(path[path.length - 1]))) {
      const next = withValue(current, path, value), answer = await send(next);
      if (answer.status < 300) {
        current = next;
        break;
      }
      const supported = supportedIn(answer);
      if (typeof value !== "string" || supported === undefined) continue;
      const better = withValue(current, path, supported);
      if ((await send(better)).status >= 300) continue;
      current = better;
      break;
    }
  }
  return current;
}

/** The first value that a refusal says would do. */
function supportedIn(answer: Answer): string | undefined {
  const causes: { message: string }[] = answer.body?.details?.causes ?? [];
  return causes.map(({ message }) => /supported values: "([^"]*)"/.exec(message)?.[1]).find((v) => v !== undefined);
}
