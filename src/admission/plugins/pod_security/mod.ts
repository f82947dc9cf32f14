// PodSecurity: pods keep to the Pod Security Standards at the level that the labels of their namespace name (KEP-2579).
import { forbiddenError, internalError, invalidError } from "../../../machinery/errors.ts";
import { aggregate, type FieldError } from "../../../machinery/field_error.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import { formatGroupResource, type KubeObject } from "../../../machinery/types.ts";
import { deepEqual } from "../../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../../interface.ts";
import { on } from "../attributes.ts";
import type { PluginContext } from "../context.ts";
import type { PodLike, Violation } from "./check.ts";
import { type PodSecurityConfiguration, podSecurityConfiguration } from "./configuration.ts";
import { controls } from "./later.ts";
import {
  compareLevels,
  formatLevelVersion,
  isFullyPrivileged,
  LABEL_PREFIX,
  type LevelVersion,
  type Policy,
  policyOf,
} from "./levels.ts";
import { exemptWarning, warnAboutPods } from "./namespace.ts";
import { type ObjectLookup, withFound } from "../lookup.ts";

/** Subresources of pods that do not carry a spec. */
const IGNORED_SUBRESOURCES = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

/** The templates of what makes pods, by resource. */
const TEMPLATES: Readonly<Record<string, (object: KubeObject) => PodLike | undefined>> = {
  podtemplates: (object) => object.template,
  "jobs.batch": specTemplate,
  "cronjobs.batch": (object) => object.spec?.jobTemplate?.spec?.template,
  replicationcontrollers: specTemplate,
  "replicasets.apps": specTemplate,
  "deployments.apps": specTemplate,
  "statefulsets.apps": specTemplate,
  "daemonsets.apps": specTemplate,
};

function specTemplate(object: KubeObject): PodLike | undefined {
  return object.spec?.template;
}

/** Other changes of a pod make it neither better nor worse. */
function hasNewImages(pod: KubeObject, before: KubeObject): boolean {
  for (const list of ["containers", "initContainers"] as const) {
    const now: { image?: string }[] = pod.spec[list] ?? [], then: { image?: string }[] = before.spec[list] ?? [];
    if (now.length !== then.length || now.some((container, i) => container.image !== then[i].image)) return true;
  }
  const old = new Map<string, string>();
  for (const { name, image } of before.spec.ephemeralContainers ?? []) old.set(name, image);
  return (pod.spec.ephemeralContainers ?? []).some((container: { name: string; image?: string }) =>
    old.get(container.name) !== container.image
  );
}

export function podSecurity({ lookup, configuration }: PluginContext): AdmissionPlugin {
  const evaluator = new Evaluator(lookup, podSecurityConfiguration(configuration));
  return {
    name: "PodSecurity",
    handles: on("CREATE", "UPDATE"),
    looksAt({ subresource, resource }) {
      const name = formatGroupResource(resource);
      if (name === "pods") return !IGNORED_SUBRESOURCES.has(subresource);
      return subresource === "" && (name === "namespaces" || Object.hasOwn(TEMPLATES, name));
    },
    validate(attributes) {
      const name = formatGroupResource(attributes.resource);
      if (name === "pods") return evaluator.checkPod(attributes);
      if (name === "namespaces") return evaluator.checkNamespace(attributes);
      return evaluator.checkTemplate(attributes, TEMPLATES[name]);
    },
  };
}

class Evaluator {
  constructor(readonly lookup: ObjectLookup, readonly configuration: PodSecurityConfiguration) {}

  #policyOf(namespace: KubeObject) {
    return policyOf(namespace.metadata.labels, this.configuration.defaults);
  }

  async checkNamespace(attributes: AdmissionAttributes): Promise<void> {
    const { operation, object, oldObject, namespace } = attributes;
    const { policy, errors } = this.#policyOf(object!);
    const before = operation === "UPDATE" ? this.#policyOf(oldObject!) : undefined;
    if (errors.length > 0 && !deepEqual(errors, before?.errors)) {
      throw invalidError(attributes.kind, attributes.name, errors);
    }
    if (before !== undefined && !isStricter(policy.enforce, before.policy.enforce)) return;
    const { exemptions, defaults } = this.configuration;
    if (exemptions.namespaces.has(namespace)) {
      const warning = exemptWarning(object!, policy, defaults);
      if (warning !== undefined) attributes.addWarning(warning);
    } else if (before !== undefined) {
      await controls.load();
      const pods = await this.lookup.list("", "pods", namespace);
      warnAboutPods(namespace, policy.enforce, { pods, exemptions }).forEach(attributes.addWarning);
    }
  }

  checkPod(attributes: AdmissionAttributes): void | Promise<void> {
    if (this.#isExempt(attributes)) return;
    const namespace = this.lookup.get("", "namespaces", attributes.namespace);
    return withFound(namespace, (found) => this.#checkPodIn(found, attributes));
  }

  #checkPodIn(found: KubeObject | undefined, attributes: AdmissionAttributes): void | Promise<void> {
    const { operation, namespace, object, oldObject } = attributes;
    if (found === undefined) {
      const message = `failed to lookup namespace ${goQuote(namespace)}`;
      annotate(attributes, "error", `Internal error occurred: ${message}: namespaces "${namespace}" not found`);
      throw internalError(message);
    }
    const { policy, errors } = this.#policyOf(found);
    if (errors.length === 0 && isFullyPrivileged(policy)) {
      annotate(attributes, "enforce-policy", "privileged:latest");
      return;
    }
    if (operation === "UPDATE" && !hasNewImages(object!, oldObject!)) return;
    const pod = { metadata: object!.metadata, spec: object!.spec };
    return withFound(controls.load(), () => this.#evaluate(attributes, { policy, errors, pod, enforced: true }));
  }

  async checkTemplate(
    attributes: AdmissionAttributes,
    templateOf: (object: KubeObject) => PodLike | undefined,
  ): Promise<void> {
    if (this.#isExempt(attributes)) return;
    const { namespace } = attributes;
    const found = await this.lookup.get("", "namespaces", namespace);
    if (found === undefined) {
      const why = `namespaces "${namespace}" not found`;
      annotate(attributes, "error", `failed to lookup namespace ${goQuote(namespace)}: ${why}`);
      return;
    }
    const { policy, errors } = this.#policyOf(found);
    if (errors.length === 0 && policy.warn.level === "privileged" && policy.audit.level === "privileged") return;
    const template = templateOf(attributes.object!);
    if (template?.spec === undefined) return;
    await controls.load();
    const pod = { metadata: template.metadata ?? {}, spec: template.spec };
    this.#evaluate(attributes, { policy, errors, pod, enforced: false });
  }

  #isExempt(attributes: AdmissionAttributes): boolean {
    const { namespaces, usernames } = this.configuration.exemptions;
    const reason = namespaces.has(attributes.namespace)
      ? "namespace"
      : usernames.has(attributes.user.name)
      ? "user"
      : undefined;
    if (reason !== undefined) annotate(attributes, "exempt", reason);
    return reason !== undefined;
  }

  /** Refuses, notes for the audit log and warns, each by the level of its mode. */
  #evaluate(
    attributes: AdmissionAttributes,
    { policy, errors, pod, enforced }: {
      policy: Policy;
      errors: readonly FieldError[];
      pod: PodLike;
      enforced: boolean;
    },
  ): void {
    if (this.configuration.exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? "")) {
      annotate(attributes, "exempt", "runtimeClass");
      return;
    }
    if (errors.length > 0) annotate(attributes, "error", `Failed to parse policy: ${aggregate(errors)}`);
    const results = new Map<string, Violation[]>();
    const violationsAt = (level: LevelVersion) => {
      const key = formatLevelVersion(level), known = results.get(key) ?? controls.module.evaluatePod(level, pod);
      results.set(key, known);
      return { key, violations: known };
    };
    const audited = violationsAt(policy.audit);
    if (audited.violations.length > 0) {
      annotate(attributes, "audit-violations", wouldViolate(audited.key, audited.violations));
    }
    if (enforced) {
      const { key, violations } = violationsAt(policy.enforce);
      annotate(attributes, "enforce-policy", key);
      if (violations.length > 0) {
        const why = `violates PodSecurity ${goQuote(key)}: ${controls.module.describe(violations)}`;
        throw forbiddenError(attributes.resource, attributes.name, why);
      }
    }
    const { key, violations } = violationsAt(policy.warn);
    if (violations.length > 0) attributes.addWarning(wouldViolate(key, violations));
  }
}

function wouldViolate(level: string, violations: readonly Violation[]): string {
  return `would violate PodSecurity ${goQuote(level)}: ${controls.module.describe(violations)}`;
}

/** Whether pods that were allowed before may not be any more. */
function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === "privileged") return false;
  return now.minor !== before.minor || compareLevels(now.level, before.level) > 0;
}

function annotate(attributes: AdmissionAttributes, key: string, value: string): void {
  attributes.addAuditAnnotation(LABEL_PREFIX + key, value);
}
