// The scale subresource: how many replicas there are and should be, in one form for every kind (autoscaling/v1 Scale).
import { parentManagedFields, scaleManagedFields, type ScaleMapping } from "../machinery/apply/mod.ts";
import {
  apiVersionOf,
  type GroupVersionKind,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
} from "../machinery/types.ts";
import { badRequestError, conflictError, invalidError } from "../machinery/errors.ts";
import { invalid, path } from "../machinery/field_error.ts";
import { labelSelectorText } from "../apis/label_selector_text.ts";
import type { RequestContext } from "./context.ts";
import { objectOf, type ResourceStorage, type Result, type Transform, type UpdateOptions } from "./rest.ts";
import type { Store } from "./store.ts";

const SCALE: GroupVersionKind = { group: "autoscaling", version: "v1", kind: "Scale" };

export class ScaleStore implements ResourceStorage {
  readonly kind = SCALE;

  readonly #mapping: ScaleMapping;

  constructor(readonly store: Store) {
    const apiVersion = apiVersionOf(store.kind);
    this.#mapping = { replicas: { [apiVersion]: ["spec", "replicas"] }, apiVersion };
  }

  async get(context: RequestContext, name: string, options: { resourceVersion?: string }): Promise<Result> {
    return { object: scaleOf(objectOf(await this.store.get(context, name, options))) };
  }

  async update(
    context: RequestContext,
    name: string,
    transform: Transform,
    options: UpdateOptions,
  ): Promise<{ result: Result; created: boolean }> {
    const mapping = this.#mapping;
    const { result } = await this.store.update(context, name, async (current) => {
      const before = scaleOf(current!);
      setManagedFields(before.metadata, scaleManagedFields(current!.metadata, mapping));
      const scale = await transform(structuredClone(before));
      validateScale(name, scale);
      checkVersions(this.store, name, scale, current!);
      current!.spec.replicas = scale.spec?.replicas ?? 0;
      setManagedFields(current!.metadata, parentManagedFields(current!.metadata, scale.metadata, mapping));
      if (scale.metadata.resourceVersion) current!.metadata.resourceVersion = scale.metadata.resourceVersion;
      return current!;
    }, {
      ...options,
      forceAllowCreate: false,
      validateUpdate: options.validateUpdate &&
        ((object, old) => options.validateUpdate!(scaleOf(object), scaleOf(old))),
    });
    return { result: { object: scaleOf(objectOf(result)) }, created: false };
  }
}

function setManagedFields(metadata: ObjectMeta, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/** A scale has the identity of the object that it scales. */
function scaleOf({ metadata, spec, status }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const state: JsonObject = { replicas: status?.replicas ?? 0 };
  const selector = selectorText(spec?.selector);
  if (selector !== "") state.selector = selector;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: spec?.replicas ? { replicas: spec.replicas } : {},
    status: state,
  };
}

/** A replication controller's selector is a plain map, the others have label selectors. */
function selectorText(selector: JsonObject | undefined | null): string {
  if (!selector) return "";
  const labelSelector = "matchLabels" in selector || "matchExpressions" in selector;
  return labelSelectorText(labelSelector ? selector : { matchLabels: selector });
}

function validateScale(name: string, scale: KubeObject): void {
  if (scale.kind !== "Scale") throw badRequestError(`expected input object type to be Scale, but ${scale.kind}`);
  const replicas = scale.spec?.replicas ?? 0;
  if (replicas < 0) {
    throw invalidError(SCALE, name, [
      invalid(path("spec", "replicas"), replicas, "must be greater than or equal to 0"),
    ]);
  }
}

function checkVersions(store: Store, name: string, scale: KubeObject, current: KubeObject): void {
  const { uid } = scale.metadata;
  if (uid && uid !== current.metadata.uid) {
    throw conflictError(
      store.config.resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
    );
  }
}
