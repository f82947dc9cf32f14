// Rules of nodes.
import { syntaxError } from "../../machinery/codec/syntax.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  type Field,
  isConfigMapKey,
  isLabelValue,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  parseCIDR,
  validateLabelName,
  validateLegacyCIDR,
  validatePositive,
} from "../../machinery/validation/mod.ts";
import type { ConfigMapNodeConfigSource, Node, NodeConfigSource, Taint } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { validateTaintEffect } from "./pod_spec/scheduling.ts";
import { validateResourceQuantity } from "./resource_names.ts";

type NodeObject = KubeObject & Node;

const TAINTS = "scheduler.alpha.kubernetes.io/taints";
const AVOID_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/** Everything on create; on update as well, in front of {@link checkNodeUpdate}. */
export function checkNode(node: NodeObject, root: Field): void {
  const metadata = root.child("metadata"), { spec = {}, status = {} } = node;
  checkMeta(node, root, { namespaced: false });
  checkAnnotations(node, metadata.child("annotations"));
  // The real server names metadata where it means spec and status.
  checkTaints(spec.taints ?? [], metadata.child("taints"));
  checkResources(node, root.child("status"));
  const swap = status.nodeInfo?.swap?.capacity;
  if (swap !== undefined) validatePositive(swap, metadata.child("nodeSwapStatus", "capacity"));
  checkDeclaredFeatures(status.declaredFeatures ?? [], root.child("status", "declaredFeatures"));
  checkPodCIDRs(spec.podCIDRs ?? [], root.child("spec", "podCIDRs"));
}

/** What an update of the node or of its status is checked for. */
export function checkNodeUpdate(node: NodeObject, old: NodeObject, root: Field): void {
  const { spec = {}, status = {} } = node, before = old.spec ?? {}, at = root.child("spec");
  checkMetaUpdate(node, old, root);
  checkAnnotations(node, root.child("metadata", "annotations"));
  checkResources(node, root.child("status"));
  checkDeclaredFeatures(status.declaredFeatures ?? [], root.child("status", "declaredFeatures"));
  const addresses = new Set<string>();
  (status.addresses ?? []).forEach(({ type = "", address = "" }, i) => {
    const shown = { Type: type, Address: address }, key = JSON.stringify(shown);
    if (addresses.has(key)) root.child("status", "addresses").index(i).duplicate(shown);
    addresses.add(key);
  });
  checkPodCIDRsKept(spec.podCIDRs ?? [], before.podCIDRs ?? [], at.child("podCIDRs"));
  if (before.providerID && before.providerID !== spec.providerID) {
    at.child("providerID").forbidden('node updates may not change providerID except from "" to valid');
  }
  if (spec.configSource) checkConfigSource(spec.configSource, at.child("configSource"), checkSourceOfSpec);
  for (const member of ["assigned", "active", "lastKnownGood"] as const) {
    const source = status.config?.[member];
    if (source) checkConfigSource(source, root.child("status", "config").child(member), checkSourceOfStatus);
  }
  checkTaints(spec.taints ?? [], root.child("metadata", "taints"));
  if ((spec.externalID ?? "") !== (before.externalID ?? "")) at.child("externalID").forbidden("may not be updated");
}

function checkTaints(taints: readonly Taint[], at: Field): void {
  const seen = new Set<string>();
  taints.forEach((taint, i) => {
    const { key = "", value = "", effect = "" } = taint, entry = at.index(i);
    validateLabelName(key, entry.child("key"));
    const wrong = isLabelValue(value);
    if (wrong.length > 0) entry.child("value").invalid(value, wrong.join(";"));
    if (effect === "") entry.child("effect").required();
    else validateTaintEffect(effect, entry.child("effect"));
    const id = `${effect}:${key}`;
    if (seen.has(id)) entry.duplicate(internalForm("Taint", taint), "taints must be unique by key and effect pair");
    seen.add(id);
  });
}

/** Annotations of long ago that hold JSON; what they say counts for nothing any more, but it must be right. */
function checkAnnotations({ metadata: { annotations = {} } }: NodeObject, at: Field): void {
  const taints = annotations[TAINTS];
  if (taints) {
    const wrong = syntaxError(taints);
    if (wrong !== undefined) at.invalid(TAINTS, wrong);
    else checkTaints(JSON.parse(taints) as Taint[] | null ?? [], at.child(TAINTS));
  }
  const avoid = annotations[AVOID_PODS];
  if (avoid) checkAvoidPods(avoid, at);
}

interface AvoidPods {
  preferAvoidPods?: { podSignature?: { podController?: { controller?: boolean } } }[];
}

function checkAvoidPods(text: string, at: Field): void {
  const wrong = syntaxError(text);
  if (wrong !== undefined) return at.child("AvoidPods").invalid(AVOID_PODS, wrong);
  const { preferAvoidPods = [] } = JSON.parse(text) as AvoidPods | null ?? {};
  preferAvoidPods.forEach(({ podSignature }, i) => {
    const entry = at.child(AVOID_PODS).index(i), controller = podSignature?.podController;
    if (!controller) entry.child("PodSignature").required();
    else if (!controller.controller) {
      entry.child("PodSignature", "PodController").child("Controller").invalid(false, "must point to a controller");
    }
  });
}

function checkResources({ status = {} }: NodeObject, at: Field): void {
  for (const member of ["capacity", "allocatable"] as const) {
    for (const [name, quantity] of Object.entries(status[member] ?? {})) {
      validateResourceQuantity({ name, quantity }, at.child(member, name));
    }
  }
}

const MAX_FEATURE = 253;
const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const FEATURE_SYNTAX =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or " +
  "MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

function checkDeclaredFeatures(features: readonly string[], at: Field): void {
  features.forEach((feature, i) => {
    const rule = byteLength(feature) > MAX_FEATURE
      ? `must be no more than ${MAX_FEATURE} characters`
      : FEATURE.test(feature)
      ? undefined
      : FEATURE_SYNTAX;
    if (rule !== undefined) at.index(i).invalid(feature, `invalid feature name ${JSON.stringify(feature)}: ${rule}`);
    const next = features[i + 1];
    if (next === undefined) return;
    if (feature === next) at.index(i + 1).duplicate(next);
    else if (feature > next) at.index(i + 1).invalid(next, "list must be sorted alphabetically");
  });
}

/** Both families at most, one range of each. */
function checkPodCIDRs(cidrs: readonly string[], at: Field): void {
  cidrs.forEach((cidr, i) => validateLegacyCIDR(cidr, at.index(i)));
  if (cidrs.length < 2) return;
  const bad = cidrs.find((cidr) => parseCIDR(cidr) === undefined);
  if (bad !== undefined) {
    at.internal(
      "invalid PodCIDRs. failed to check with dual stack with error:" +
        `invalid CIDR[${cidrs.indexOf(bad)}]: <nil> (invalid CIDR address: ${bad})`,
    );
  }
  const families = bad === undefined ? new Set(cidrs.map((cidr) => parseCIDR(cidr)!.family)) : new Set();
  if (families.size < 2 || cidrs.length > 2) {
    at.invalid(cidrs, "may specify no more than one CIDR for each IP family");
  }
}

function checkPodCIDRsKept(now: readonly string[], before: readonly string[], at: Field): void {
  if (before.length === 0) return;
  const changes = now.length === before.length ? before.filter((cidr, i) => cidr !== now[i]).length : 1;
  for (let i = 0; i < changes; i++) {
    at.forbidden('node updates may not change podCIDR except from "" to valid');
  }
}

function checkConfigSource(
  source: NodeConfigSource,
  at: Field,
  check: (source: ConfigMapNodeConfigSource, at: Field) => void,
): void {
  if (source.configMap) {
    check(source.configMap, at.child("configMap"));
    checkConfigMapSource(source.configMap, at.child("configMap"));
  } else {
    at.invalid({ ConfigMap: null }, "exactly one reference subfield must be non-nil");
  }
}

function checkSourceOfSpec(source: ConfigMapNodeConfigSource, at: Field): void {
  for (const member of ["uid", "resourceVersion"] as const) {
    if (source[member]) at.child(member).forbidden(`${member} must not be set in spec`);
  }
}

function checkSourceOfStatus(source: ConfigMapNodeConfigSource, at: Field): void {
  for (const member of ["uid", "resourceVersion"] as const) if (!source[member]) at.child(member).required();
}

function checkConfigMapSource(source: ConfigMapNodeConfigSource, at: Field): void {
  const rules = {
    namespace: (name: string) => nameIsDNSLabel(name, false),
    name: (name: string) => nameIsDNSSubdomain(name, false),
    kubeletConfigKey: isConfigMapKey,
  };
  for (const member of ["namespace", "name", "kubeletConfigKey"] as const) {
    const value = source[member] ?? "";
    if (value === "") at.child(member).required();
    else at.child(member).invalidEach(value, rules[member](value));
  }
}
