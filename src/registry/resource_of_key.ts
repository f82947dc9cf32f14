// Which resource a key of the database belongs to.
import { RESOURCES } from "../facts/generated/resources.ts";
import type { GroupResource } from "../machinery/types.ts";

let byPrefix: ReadonlyMap<string, GroupResource> | undefined;

/** The longest prefix of a built-in resource, otherwise a custom resource: `/registry/GROUP/RESOURCE/…`. */
export function resourceOfKey(key: string): GroupResource {
  byPrefix ??= new Map(
    RESOURCES.filter(({ prefix }) => prefix !== "").map(({ prefix, group, resource }) => [prefix, { group, resource }]),
  );
  const [, root, first, second = ""] = key.split("/");
  return byPrefix.get(`/${root}/${first}/${second}`) ?? byPrefix.get(`/${root}/${first}`) ??
    { group: first, resource: second };
}
