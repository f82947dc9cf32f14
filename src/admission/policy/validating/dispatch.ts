// Puts the policies that are about a request to work, and does what their bindings say about failures.
import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from "../../../facts/generated/types.ts";
import type { Policy } from "../../../apis/admissionregistration/policies.ts";
import { StatusError } from "../../../machinery/errors.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { inVersion } from "../../matching/versioned.ts";
import { refusal } from "../../plugins/attributes.ts";
import type { PluginContext } from "../../plugins/context.ts";
import { answered, RequestAccess } from "../access.ts";
import { type Bound, boundTo } from "../bound.ts";
import type { Binding, PolicyHook } from "../hooks.ts";
import { inputOf, requestNamespace } from "../input.ts";
import { observeValidation } from "../measure.ts";
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

  async run(hook: ValidatingHook): Promise<void> {
    const { policy } = hook, { attributes, context } = this, strict = policy.spec?.failurePolicy !== "Ignore";
    /** What audit annotations say, by key: bindings add to one another. */
    const annotations = new Map<string, string[]>();
    const misconfigured = (message: string, binding?: ValidatingBinding) => {
      if (strict) this.#deny(policy, binding, { message });
    };
    for await (const bound of boundTo(hook, attributes, context, misconfigured)) {
      for (const decision of await this.#decisionsOf(policy, bound, strict)) {
        this.#act(policy, bound.binding, decision);
        for (const { key, value } of decision.annotations) collect(annotations, key, value);
      }
    }
    for (const [key, values] of annotations) {
      attributes.addAuditAnnotation(`${policy.metadata.name}/${key}`, values.join(", "));
    }
  }

  /** @param strict whatever goes wrong denies the request */
  async #decisionsOf(
    policy: ValidatingPolicy,
    { match, params }: Bound<ValidatingBinding>,
    strict: boolean,
  ): Promise<Decision[]> {
    const { attributes, context } = this;
    const [namespace, objects] = await Promise.all([
      requestNamespace(attributes, context.lookup),
      inVersion(attributes, match.kind),
    ]);
    const decisions: Decision[] = [];
    for (const param of params) {
      const input = inputOf(attributes, { match, objects, params: param, namespace, access: this.#access });
      decisions.push(await answered(() => decide(compiledPolicy(policy.spec!), input, strict)));
    }
    return decisions;
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
