// Every plugin in the order in which they run. A new plugin is one file and one line here. Plugins that nobody has
// unless they are turned on are read when that is the case.
import { later } from "../../later.ts";
import { mutatingAdmissionPolicy } from "../policy/mutating/plugin.ts";
import { validatingAdmissionPolicy } from "../policy/validating/plugin.ts";
import { mutatingAdmissionWebhook } from "../webhook/mutating.ts";
import { validatingAdmissionWebhook } from "../webhook/validating.ts";
import { certificateApproval, certificateSigning } from "./certificate_approval.ts";
import { certificateSubjectRestriction } from "./certificate_subject_restriction.ts";
import { clusterTrustBundleAttest } from "./cluster_trust_bundle_attest.ts";
import type { PluginFactory } from "./context.ts";
import { defaultIngressClass } from "./default_ingress_class.ts";
import { defaultStorageClass } from "./default_storage_class.ts";
import { defaultTolerationSeconds } from "./default_toleration_seconds.ts";
import { limitRanger } from "./limit_ranger.ts";
import { namespaceLifecycle } from "./namespace_lifecycle.ts";
import { nodeDeclaredFeatureValidator } from "./node_declared_feature_validator.ts";
import { persistentVolumeClaimResize } from "./persistent_volume_claim_resize.ts";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./pod_groups.ts";
import { podResizeValidator } from "./pod_resize_validator.ts";
import { podSecurity } from "./pod_security/mod.ts";
import { podTopologyLabels } from "./pod_topology_labels.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource_quota/mod.ts";
import { runtimeClass } from "./runtime_class.ts";
import { serviceAccount } from "./service_account.ts";
import { storageObjectInUseProtection } from "./storage_object_in_use_protection.ts";
import { taintNodesByCondition } from "./taint_nodes_by_condition.ts";

/** Plugins that do nothing, or that Kubernetes has dropped. */
export const DEPRECATED: readonly string[] = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "PersistentVolumeLabel",
  "SecurityContextDeny",
];

/** Undefined: the plugin is known and not built yet. */
export const PLUGINS: ReadonlyMap<string, PluginFactory | undefined> = new Map<string, PluginFactory | undefined>([
  ["AlwaysAdmit", later(async () => (await import("./always.ts")).alwaysAdmit)],
  ["NamespaceAutoProvision", later(async () => (await import("./namespace_auto_provision.ts")).namespaceAutoProvision)],
  ["NamespaceLifecycle", namespaceLifecycle],
  ["NamespaceExists", later(async () => (await import("./namespace_exists.ts")).namespaceExists)],
  ["SecurityContextDeny", later(async () => (await import("./security_context_deny.ts")).securityContextDeny)],
  [
    "LimitPodHardAntiAffinityTopology",
    later(async () => (await import("./limit_pod_hard_anti_affinity_topology.ts")).limitPodHardAntiAffinityTopology),
  ],
  ["LimitRanger", limitRanger],
  ["ServiceAccount", serviceAccount],
  ["NodeRestriction", later(async () => (await import("./node_restriction/mod.ts")).nodeRestriction)],
  ["TaintNodesByCondition", taintNodesByCondition],
  ["AlwaysPullImages", later(async () => (await import("./always_pull_images.ts")).alwaysPullImages)],
  ["ImagePolicyWebhook", later(async () => (await import("./image_policy_webhook.ts")).imagePolicyWebhook)],
  ["PodSecurity", podSecurity],
  ["PodNodeSelector", later(async () => (await import("./pod_node_selector.ts")).podNodeSelector)],
  ["Priority", priority],
  ["DefaultTolerationSeconds", defaultTolerationSeconds],
  [
    "PodTolerationRestriction",
    later(async () => (await import("./pod_toleration_restriction.ts")).podTolerationRestriction),
  ],
  ["EventRateLimit", later(async () => (await import("./event_rate_limit.ts")).eventRateLimit)],
  [
    "ExtendedResourceToleration",
    later(async () => (await import("./extended_resource_toleration.ts")).extendedResourceToleration),
  ],
  ["PersistentVolumeLabel", later(async () => (await import("./persistent_volume_label.ts")).persistentVolumeLabel)],
  ["DefaultStorageClass", defaultStorageClass],
  ["StorageObjectInUseProtection", storageObjectInUseProtection],
  ["PodGroupProtection", podGroupProtection],
  [
    "OwnerReferencesPermissionEnforcement",
    later(async () =>
      (await import("./owner_references_permission_enforcement.ts")).ownerReferencesPermissionEnforcement
    ),
  ],
  ["PersistentVolumeClaimResize", persistentVolumeClaimResize],
  ["RuntimeClass", runtimeClass],
  ["CertificateApproval", certificateApproval],
  ["CertificateSigning", certificateSigning],
  ["ClusterTrustBundleAttest", clusterTrustBundleAttest],
  ["CertificateSubjectRestriction", certificateSubjectRestriction],
  ["DefaultIngressClass", defaultIngressClass],
  [
    "DenyServiceExternalIPs",
    later(async () => (await import("./deny_service_external_ips.ts")).denyServiceExternalIPs),
  ],
  ["PodTopologyLabels", podTopologyLabels],
  ["PodGroupWorkloadExists", podGroupWorkloadExists],
  ["NodeDeclaredFeatureValidator", nodeDeclaredFeatureValidator],
  ["JobValidation", jobValidation],
  ["PodResizeValidator", podResizeValidator],
  ["MutatingAdmissionPolicy", mutatingAdmissionPolicy],
  ["MutatingAdmissionWebhook", mutatingAdmissionWebhook],
  ["ValidatingAdmissionPolicy", validatingAdmissionPolicy],
  ["ValidatingAdmissionWebhook", validatingAdmissionWebhook],
  ["ResourceQuota", resourceQuota],
  ["AlwaysDeny", later(async () => (await import("./always.ts")).alwaysDeny)],
]);
