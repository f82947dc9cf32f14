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
import { clone } from "../machinery/clone.ts";
import { badRequestError, internalError, invalidError } from "../machinery/errors.ts";
import { invalid, path } from "../machinery/field_error.ts";
import { labelSelectorText } from "../apis/label_selector_text.ts";
import type { RequestContext } from "../apis/context.ts";
import { checkPreconditions } from "./preconditions.ts";
import { objectOf, type ResourceStorage, type Result, type Transform, type UpdateOptions } from "./rest.ts";
import type { Store } from "./store.ts";

export const SCALE: GroupVersionKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/** The numbers of a scale. */
export interface ScaleState {
  /** Undefined: nothing is said of it. */
  wanted: number | undefined;
  present: number;
  selector: string;
}

/** How objects of a kind are scaled. */
export interface ScaleForm {
  mapping: ScaleMapping;
  /** Throws when the object holds something else where the numbers should be. */
  read(object: KubeObject): ScaleState;
  setWanted(object: KubeObject, replicas: number): void;
  /** Throws a refusal of a scale that is written. */
  check(name: string, scale: KubeObject, current: KubeObject): void;
  /** Where the wanted number is, for kinds that need not have one. */
  optionalPath?: string;
}

/** What the wanted number is of an object that has none, so that a write that leaves it alone is noticed. */
const UNSET = -(2 ** 31);

export class ScaleStore implements ResourceStorage {
  readonly kind = SCALE;
  readonly #form: ScaleForm;

  constructor(readonly store: Store, form?: ScaleForm) {
    this.#form = form ?? workloadForm(store);
  }

  async get(context: RequestContext, name: string, options: { resourceVersion?: string }): Promise<Result> {
    const object = objectOf(await this.store.get(context, name, options)), { optionalPath } = this.#form;
    const state = this.#form.read(object);
    if (optionalPath !== undefined && state.wanted === undefined) {
      throw internalError(`the spec replicas field ${JSON.stringify(optionalPath)} does not exist`);
    }
    return { object: scaleOf(object, state) };
  }

  async update(
    context: RequestContext,
    name: string,
    transform: Transform,
    options: UpdateOptions,
  ): Promise<{ result: Result; created: boolean }> {
    const { mapping, optionalPath, check, read, setWanted } = this.#form;
    const { result } = await this.store.update(context, name, async (current) => {
      const object = clone(current!), state = read(object);
      const before = scaleOf(object, { ...state, wanted: state.wanted ?? UNSET });
      setManagedFields(before.metadata, scaleManagedFields(object.metadata, mapping));
      const scale = await transform(clone(before));
      check(name, scale, object);
      const replicas = scale.spec?.replicas ?? 0;
      if (replicas === UNSET && state.wanted === undefined) {
        throw badRequestError(`the spec replicas field ${JSON.stringify(optionalPath)} cannot be empty`);
      }
      setWanted(object, replicas);
      setManagedFields(object.metadata, parentManagedFields(object.metadata, scale.metadata, mapping));
      if (scale.metadata.resourceVersion) object.metadata.resourceVersion = scale.metadata.resourceVersion;
      return object;
    }, {
      ...options,
      forceAllowCreate: false,
      validateUpdate: options.validateUpdate &&
        ((object, old) => options.validateUpdate!(this.#scaleOf(object), this.#scaleOf(old))),
    });
    return { result: { object: this.#scaleOf(objectOf(result)) }, created: false };
  }

  #scaleOf(object: KubeObject): KubeObject {
    return scaleOf(object, this.#form.read(object));
  }
}

/** Workloads have all of it at the same place. */
function workloadForm(store: Store): ScaleForm {
  const apiVersion = apiVersionOf(store.kind);
  return {
    mapping: { replicas: { [apiVersion]: ["spec", "replicas"] }, apiVersion },
    read: ({ spec, status }) => ({
      wanted: spec?.replicas ?? 0,
      present: status?.replicas ?? 0,
      selector: selectorText(spec?.selector),
    }),
    setWanted(object, replicas) {
      object.spec.replicas = replicas;
    },
    check(name, scale, current) {
      validateScale(name, scale);
      checkPreconditions(store.config.resource, current, { uid: scale.metadata.uid || undefined });
    },
  };
}

function setManagedFields(metadata: ObjectMeta, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/** A scale has the identity of the object that it scales. */
function scaleOf({ metadata }: KubeObject, { wanted, present, selector }: ScaleState): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const status: JsonObject = { replicas: present };
  if (selector !== "") status.selector = selector;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: wanted ? { replicas: wanted } : {},
    status,
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
