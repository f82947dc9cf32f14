// Puts the policies that are about a request to work on its object, one after the other.
import type {
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
} from "../../../facts/generated/types.ts";
import type { Policy } from "../../../apis/admissionregistration/policies.ts";
import { sameJson } from "../../../machinery/apply/mod.ts";
import { OutOfBudget, POLICY_BUDGET, PolicyEvaluation } from "../../../machinery/cel/policies/evaluation.ts";
import { StatusError } from "../../../machinery/errors.ts";
import { clone } from "../../../machinery/clone.ts";
import type { Json, KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import type { Match } from "../../matching/match.ts";
import { inVersion, replaceObject, type VersionedObjects } from "../../matching/versioned.ts";
import { refusal } from "../../plugins/attributes.ts";
import type { PluginContext } from "../../plugins/context.ts";
import { answered, RequestAccess } from "../access.ts";
import { boundTo } from "../bound.ts";
import { conditionsHold, evaluate } from "../conditions.ts";
import type { Binding, PolicyHook } from "../hooks.ts";
import { inputOf, type InputOptions, requestNamespace } from "../input.ts";
import { observeMutation } from "../measure.ts";
import { type CompiledMutation, type CompiledPolicy, compiledPolicy } from "./compiled.ts";
import { MutationError, patched } from "./patch.ts";
import { Rounds } from "./rounds.ts";

export type MutatingPolicy = Policy<MutatingAdmissionPolicySpec>;
export type MutatingBinding = Binding<MutatingAdmissionPolicyBindingSpec>;
export type MutatingHook = PolicyHook<MutatingPolicy, MutatingBinding>;

/** A policy under a binding with a parameter. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: MutatingBinding;
  readonly match: Match;
  readonly params: KubeObject | undefined;
}

/** Changes `attributes.object` in place. Throws a StatusError when a policy that must not fail does. */
export async function admit(
  hooks: readonly MutatingHook[],
  attributes: AdmissionAttributes,
  context: PluginContext,
): Promise<void> {
  const mutation = new MutationRun(attributes, context);
  await mutation.run(hooks);
  mutation.finish();
}

class MutationRun {
  readonly #errors: { message: string; reason?: string }[] = [];
  readonly #access: RequestAccess;
  readonly #rounds: Rounds;

  constructor(readonly attributes: AdmissionAttributes, readonly context: PluginContext) {
    this.#access = new RequestAccess(context.authorizer, attributes.user);
    this.#rounds = Rounds.of(attributes);
  }

  finish(): void {
    if (this.#errors.length === 0) return;
    const { status } = refusal(this.attributes, "admission request denied by policy");
    const [{ message, reason = status.reason }] = this.#errors;
    const causes = this.#errors.map(({ message }) => ({ message }));
    throw new StatusError({ ...status, message, reason, details: { ...status.details, causes } });
  }

  async run(hooks: readonly MutatingHook[]): Promise<void> {
    const invocations: Invocation[] = [];
    for (const hook of hooks) invocations.push(...await this.#invocationsOf(hook));
    if (invocations.length === 0) return;
    const namespace = await requestNamespace(this.attributes, this.context.lookup);
    this.#rounds.begin();
    for (const invocation of invocations) await this.#invoke(invocation, namespace);
    this.#rounds.end();
  }

  async #invocationsOf(hook: MutatingHook): Promise<Invocation[]> {
    const { policy } = hook, invocations: Invocation[] = [];
    const misconfigured = (message: string, binding?: MutatingBinding) => this.#fail(policy, binding, message);
    for await (const { binding, match, params } of boundTo(hook, this.attributes, this.context, misconfigured)) {
      invocations.push(...params.map((one) => ({ policy, binding, match, params: one })));
    }
    return invocations;
  }

  #fail(policy: MutatingPolicy, binding: MutatingBinding | undefined, message: string, reason?: string): void {
    if (policy.spec?.failurePolicy === "Ignore") return;
    const { name } = policy.metadata;
    const who = binding ? `policy '${name}' with binding '${binding.metadata.name}'` : `policy "${name}"`;
    this.#errors.push({ message: `${who} denied request: ${message}`, reason });
  }

  async #invoke(invocation: Invocation, namespace: KubeObject | undefined): Promise<void> {
    const { policy, binding, match, params } = invocation, { attributes } = this;
    const compiled = compiledPolicy(policy.spec!), objects = await inVersion(attributes, match.kind);
    const options = { match, params, namespace, access: this.#access };
    const input = inputOf(attributes, { ...options, objects });
    const holds = await answered(() => conditionsHold(compiled.conditions, input, compiled.variables));
    if (typeof holds === "string") return this.#fail(policy, binding, holds, "Invalid");
    const key = keyOf(invocation);
    if (!holds || !this.#rounds.mayRun(key)) return;
    const result = objects.object === undefined
      ? undefined
      : await this.#mutate(invocation, compiled, { object: objects.object, objects, options });
    if (result !== undefined && !sameJson(result as Json, objects.object as Json)) {
      replaceObject(attributes.object!, await objects.kind.toStored(result));
      this.#rounds.changed();
    }
    if (policy.spec?.reinvocationPolicy === "IfNeeded") this.#rounds.invoked(key);
  }

  /** The object after all mutations: each sees what those before it did. */
  async #mutate(
    { policy, binding }: Invocation,
    compiled: CompiledPolicy,
    { object, objects, options }: {
      object: KubeObject;
      objects: VersionedObjects;
      options: Omit<InputOptions, "objects">;
    },
  ): Promise<KubeObject> {
    let current = clone(object);
    for (const mutation of compiled.mutations) {
      const input = inputOf(this.attributes, { ...options, objects: { ...objects, object: current } });
      const start = performance.now();
      const observe = (problem?: string) =>
        observeMutation(this.context, {
          policy: policy.metadata.name ?? "",
          binding: binding.metadata.name ?? "",
          problem,
          seconds: (performance.now() - start) / 1000,
        });
      try {
        current = await answered(() => {
          const evaluation = new PolicyEvaluation(input, compiled.variables, POLICY_BUDGET);
          return mutated(mutation, evaluation, current, objects);
        });
        this.#rounds.patched();
        observe();
      } catch (e) {
        if (!(e instanceof MutationError || e instanceof OutOfBudget)) throw e;
        observe(e.message);
        this.#fail(policy, binding, e.message, "Invalid");
      }
    }
    return current;
  }
}

/** Throws MutationError, OutOfBudget. */
function mutated(
  { patchType, expression }: CompiledMutation,
  evaluation: PolicyEvaluation,
  object: KubeObject,
  { kind }: VersionedObjects,
): KubeObject {
  if ("error" in expression) throw new MutationError(expression.error);
  const result = evaluate(evaluation, expression);
  if ("error" in result) throw new MutationError(result.error);
  return patched(patchType, result.value, object, kind);
}

function keyOf({ policy, binding, params }: Invocation): string {
  return JSON.stringify([
    policy.metadata.name,
    binding.metadata.name,
    params?.metadata.namespace,
    params?.metadata.name,
  ]);
}
