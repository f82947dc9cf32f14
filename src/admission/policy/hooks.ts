// The policies that are in force with their bindings, out of memory: kept up by following both resources.
import type { Policy, PolicySpec } from "../../apis/admissionregistration/policies.ts";
import type { BindingSpec } from "../../apis/admissionregistration/bindings.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { PluginContext } from "../plugins/context.ts";

export type Binding<Spec extends BindingSpec = BindingSpec> = KubeObject & { spec?: Spec };

/** A policy that somebody has bound. */
export interface PolicyHook<P extends Policy, B extends Binding> {
  readonly policy: P;
  readonly bindings: readonly B[];
}

const GROUP = "admissionregistration.k8s.io", VERSION = "v1";

export class PolicyHooks<P extends Policy<PolicySpec>, B extends Binding> {
  readonly #policies = new Map<string, P>();
  readonly #bindings = new Map<string, B>();
  #hooks: readonly PolicyHook<P, B>[] | undefined = [];
  #bindingsKnown: Promise<void> | undefined;
  #policiesKnown: Promise<void> | undefined;
  #current = false;

  /** @param policies the resource; `bindings` likewise */
  constructor(
    readonly context: Pick<PluginContext, "follow">,
    readonly policies: string,
    readonly bindings: string,
  ) {}

  /** In the order of the policies' names. Nothing is followed before the first call, no policies without bindings. */
  inForce(): readonly PolicyHook<P, B>[] | Promise<readonly PolicyHook<P, B>[]> {
    return this.#current ? this.#hooks ??= this.#join() : this.#wait();
  }

  async #wait(): Promise<readonly PolicyHook<P, B>[]> {
    await (this.#bindingsKnown ??= this.#follow(this.bindings, this.#bindings, () => {
      // With the first binding the policies count.
      if (this.#policiesKnown === undefined) this.#current = false;
    }));
    if (this.#bindings.size > 0) await (this.#policiesKnown ??= this.#follow(this.policies, this.#policies));
    this.#current = true;
    return this.#hooks ??= this.#join();
  }

  #follow<T extends KubeObject>(resource: string, known: Map<string, T>, changed?: () => void): Promise<void> {
    return this.context.follow({ group: GROUP, version: VERSION, resource }, {
      changed: (object) => {
        known.set(object.metadata.name!, object as T);
        this.#hooks = undefined;
        changed?.();
      },
      deleted: (object) => {
        known.delete(object.metadata.name!);
        this.#hooks = undefined;
      },
    });
  }

  #join(): readonly PolicyHook<P, B>[] {
    const bound = Map.groupBy(this.#bindings.values(), ({ spec }) => spec?.policyName ?? "");
    return [...bound].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([name, bindings]) => {
      const policy = this.#policies.get(name);
      return policy === undefined ? [] : { policy, bindings };
    });
  }
}
