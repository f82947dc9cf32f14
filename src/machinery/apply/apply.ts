// Server-side apply (KEP-555): a configuration says what its manager wants, and nothing of what others own changes
// unless it is forced.
import { emptyObject } from "../codec/decode.ts";
import type { JsonObject, KubeObject } from "../types.ts";
import { changesOf, inEveryVersion, inOneVersion, ownable, speakOnlyOf, untracked } from "./changes.ts";
import {
  encodeManagers,
  isSameManager,
  type Manager,
  type Managers,
  managersFor,
  withManager,
} from "./managed_fields.ts";
import { merge } from "./merge.ts";
import { ApplyConflict, conflictsWith, dispossess, withoutUnowned } from "./ownership.ts";
import { prune } from "./prune.ts";
import { sameJson } from "./typed.ts";
import { reconciled, track, type WriteInfo } from "./update.ts";
import { namedSet } from "./whole_set.ts";

export interface ApplyInfo extends WriteInfo {
  force: boolean;
}

const BEFORE_FIRST_APPLY = "before-first-apply";

/**
 * The stored object with a configuration applied, managedFields included, as plain JSON of the request's version that is
 * still to be decoded. When nothing changes, the stored object's fields and times stay.
 * Throws {@link ApplyConflict}, and FieldPathError when the stored object's fields cannot be told apart.
 */
export async function applyConfiguration(info: ApplyInfo, applied: KubeObject): Promise<KubeObject> {
  const { type, live } = info;
  // What comes out shares parts of what is there, so it starts from an empty object of its own.
  const stored = live === undefined ? emptyObject(type) : untracked(live);
  const known = await trackedBefore(info);
  const config = untracked(applied);
  const self = selfOf(info, config);
  const last = known.find((m) => isSameManager(m, self));
  const managers = [...known.filter((m) => m !== last), self];
  const merged = merge(type, stored, config) as unknown as KubeObject;
  const object = await prune(info, { merged, managers, last });
  const left = await settle(info, { managers, self, stored, object });
  const same = sameJson(stored, object as unknown as JsonObject);
  const own = { ...self, set: withoutUnowned(self.set), time: same ? last?.time : info.now };
  const result = { ...object, metadata: { ...object.metadata } };
  encodeManagers(result, withManager(left, own));
  return result;
}

/** The entries so far: what is there of an object that nobody tracked belongs to whoever was before the first apply. */
async function trackedBefore(info: ApplyInfo): Promise<Managers> {
  const { live } = info;
  const managers = managersFor(live?.metadata, {}, info.subresource);
  if (live === undefined || managers.length > 0) return reconciled(info, managers);
  const before = { ...info, live: undefined, manager: BEFORE_FIRST_APPLY };
  return await track(before, managers, untracked(live) as unknown as KubeObject);
}

/** The entry of who applies, with everything that the configuration names. */
function selfOf(info: ApplyInfo, config: JsonObject): Manager {
  const { manager, apiVersion, subresource, type } = info;
  const set = ownable(namedSet(type, config), info.resetFields);
  return { manager, operation: "Apply", apiVersion, subresource, set };
}

interface Outcome {
  managers: Managers;
  self: Manager;
  stored: JsonObject;
  object: KubeObject;
}

/** The entries of all others, without what they lose. Throws {@link ApplyConflict}. */
async function settle(info: ApplyInfo, { managers, self, stored, object }: Outcome): Promise<Managers> {
  const { type, apiVersion, live, convert, force } = info;
  const after = object as unknown as JsonObject;
  let changes = inOneVersion(apiVersion, changesOf(type, { before: stored, after, resetFields: info.resetFields }));
  if (!speakOnlyOf(managers, apiVersion)) {
    changes = await inEveryVersion(changes, {
      managers,
      before: live,
      after: object,
      convert,
      resetFields: info.resetFields,
    });
  }
  const conflicts = conflictsWith(managers, changes, self);
  if (conflicts.length > 0 && !force) throw new ApplyConflict(conflicts);
  return dispossess(managers, changes, self);
}
