// Puts the policies that are about a request to work, and does what their bindings say about failures.
import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from "../../../facts/generated/types.ts";
import type { Policy } from "../../../apis/admissionregistration/policies.ts";
import { StatusError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { type Match, matchRequest } from "../../matching/match.ts";
import { inVersion } from "../../matching/versioned.ts";
import { refusal } from "../../plugins/attributes.ts";
import type { KindReader, PluginContext } from "../../plugins/context.ts";
import { answered, RequestAccess } from "../access.ts";
import { criteriaOf } from "../criteria.ts";
import type { Binding, PolicyHook } from "../hooks.ts";
import { inputOf, requestNamespace } from "../input.ts";
import { observeValidation } from "../measure.ts";
import { collectParams, ConfigurationError, paramReader } from "../params.ts";
import { compiledPolicy } from "./compiled.ts";
import { decide, type Decision, type Failure } from "./decide.ts";

export type ValidatingPolicy = Policy<ValidatingAdmissionPolicySpec>;
export type ValidatingBinding = Binding<ValidatingAdmissionPolicyBindingSpec>;
export type ValidatingHook = PolicyHook<ValidatingPolicy, ValidatingBinding>;

const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };
/** Bytes. */
const MAX_ANNOTATION = 10 * 1024;
const FAILURE_ANNOTATION = "validation.policy.admission.k8s.io/validation_failure";

/** Throws the StatusError of the first failure that denies. */
export async function validate(
  hooks: readonly ValidatingHook[],
  attributes: AdmissionAttributes,
  context: PluginContext,
): Promise<void> {
  const validation = new Validation(attributes, context);
  for (const hook of hooks) await validation.run(hook);
  validation.finish();
}

class Validation {
  /** What denies the request, as the answer tells it. */
  readonly #denials: { message: string; reason: string }[] = [];
  readonly #access: RequestAccess;

  constructor(readonly attributes: AdmissionAttributes, readonly context: PluginContext) {
    this.#access = new RequestAccess(context.authorizer, attributes.user);
  }

  finish(): void {
    if (this.#denials.length === 0) return;
    const [{ message, reason }] = this.#denials;
    const { status } = refusal(this.attributes, message);
    const details = { ...status.details, causes: [{ message }] };
    throw new StatusError({ ...status, reason, code: CODES[reason] ?? 422, details });
  }

  async run({ policy, bindings }: ValidatingHook): Promise<void> {
    const { attributes, context } = this, { spec = {} } = policy;
    const match = await matchRequest(criteriaOf(spec.matchConstraints ?? {}), attributes, context);
    if (match === undefined) return;
    const strict = spec.failurePolicy !== "Ignore";
    const annotations = new Map<string, string[]>();
    try {
      const reader = paramReader(spec.paramKind, context);
      for (const binding of bindings) await this.#bound(policy, binding, { match, reader, strict, annotations });
    } catch (e) {
      if (!(e instanceof ConfigurationError)) throw e;
      if (strict) this.#deny(policy, undefined, { message: `failed to configure policy: ${e.message}` });
    }
    for (const [key, values] of annotations) {
      attributes.addAuditAnnotation(`${policy.metadata.name}/${key}`, values.join(", "));
    }
  }

  async #bound(policy: ValidatingPolicy, binding: ValidatingBinding, how: How): Promise<void> {
    const { attributes, context } = this, { spec = {} } = binding;
    const { matchResources, paramRef } = spec;
    if (matchResources && await matchRequest(criteriaOf(matchResources), attributes, context) === undefined) return;
    let params: (KubeObject | undefined)[];
    try {
      params = await collectParams(how.reader, paramRef, attributes.namespace);
    } catch (e) {
      if (!(e instanceof ConfigurationError)) throw e;
      if (how.strict) this.#deny(policy, binding, { message: `failed to configure binding: ${e.message}` });
      return;
    }
    const [namespace, objects] = await Promise.all([
      requestNamespace(attributes, context.lookup),
      inVersion(attributes, how.match.kind),
    ]);
    for (const param of params) {
      const input = inputOf(attributes, { match: how.match, objects, params: param, namespace, access: this.#access });
      const decision = await answered(() => decide(compiledPolicy(policy.spec!), input, how.strict));
      this.#act(policy, binding, decision);
      for (const { key, value } of decision.annotations) collect(how.annotations, key, value);
    }
  }

  #act(policy: ValidatingPolicy, binding: ValidatingBinding, { failures, annotationErrors }: Decision): void {
    const { name = "" } = policy.metadata, names = { policy: name, binding: binding.metadata.name ?? "" };
    for (const failure of failures) {
      const check = { ...names, problem: failure.message, seconds: failure.seconds };
      for (const action of binding.spec?.validationActions ?? []) {
        observeValidation(this.context, action.toLowerCase(), check);
        if (action === "Deny") this.#deny(policy, binding, failure);
        else if (action === "Audit") this.#audit(binding, failure);
        else {
          this.attributes.addWarning(
            `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding.metadata.name}': ` +
              failure.message,
          );
        }
      }
    }
    for (const message of annotationErrors) this.#deny(policy, binding, { message });
  }

  #deny(
    policy: ValidatingPolicy,
    binding: ValidatingBinding | undefined,
    { message, reason = "Invalid" }: Pick<Failure, "message" | "reason">,
  ): void {
    const by = binding === undefined ? "" : ` with binding '${binding.metadata.name}'`;
    const who = `ValidatingAdmissionPolicy '${policy.metadata.name}'${by}`;
    this.#denials.push({ message: `${who} denied request: ${message}`, reason });
  }

  #audit({ metadata, spec = {} }: ValidatingBinding, { message, index }: Failure): void {
    const failure = {
      message,
      policy: spec.policyName,
      binding: metadata.name,
      expressionIndex: index,
      validationActions: spec.validationActions,
    };
    this.attributes.addAuditAnnotation(FAILURE_ANNOTATION, goJson([failure]));
  }
}

interface How {
  readonly match: Match;
  readonly reader: KindReader | undefined;
  /** Whatever goes wrong denies the request. */
  readonly strict: boolean;
  /** What audit annotations say, by key: bindings add to one another. */
  readonly annotations: Map<string, string[]>;
}

function collect(annotations: Map<string, string[]>, key: string, value: string): void {
  const values = annotations.get(key) ?? [], text = value.slice(0, MAX_ANNOTATION);
  if (!values.includes(text)) annotations.set(key, [...values, text]);
}

/** JSON as Go writes it, safe inside of HTML. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
