// Every plugin in the order in which they run. A new plugin is one file and one line here. Plugins that nobody has
// unless they are turned on are read when that is the case.
import { later } from "../later.ts";
import { mutatingAdmissionPolicy } from "./policy/mutating/plugin.ts";
import { validatingAdmissionPolicy } from "./policy/validating/plugin.ts";
import { mutatingAdmissionWebhook } from "./webhook/mutating.ts";
import { validatingAdmissionWebhook } from "./webhook/validating.ts";
import { certificateApproval, certificateSigning } from "./plugins/certificate_approval.ts";
import { certificateSubjectRestriction } from "./plugins/certificate_subject_restriction.ts";
import { clusterTrustBundleAttest } from "./plugins/cluster_trust_bundle_attest.ts";
import type { PluginFactory } from "./plugins/context.ts";
import { defaultIngressClass } from "./plugins/default_ingress_class.ts";
import { defaultStorageClass } from "./plugins/default_storage_class.ts";
import { defaultTolerationSeconds } from "./plugins/default_toleration_seconds.ts";
import { limitRanger } from "./plugins/limit_ranger.ts";
import { namespaceLifecycle } from "./plugins/namespace_lifecycle.ts";
import { nodeDeclaredFeatureValidator } from "./plugins/node_declared_feature_validator.ts";
import { persistentVolumeClaimResize } from "./plugins/persistent_volume_claim_resize.ts";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./plugins/pod_groups.ts";
import { podResizeValidator } from "./plugins/pod_resize_validator.ts";
import { podSecurity } from "./plugins/pod_security/mod.ts";
import { podTopologyLabels } from "./plugins/pod_topology_labels.ts";
import { priority } from "./plugins/priority.ts";
import { resourceQuota } from "./plugins/resource_quota/mod.ts";
import { runtimeClass } from "./plugins/runtime_class.ts";
import { serviceAccount } from "./plugins/service_account.ts";
import { storageObjectInUseProtection } from "./plugins/storage_object_in_use_protection.ts";
import { taintNodesByCondition } from "./plugins/taint_nodes_by_condition.ts";

/** Plugins that do nothing, or that Kubernetes has dropped. */
export const DEPRECATED: readonly string[] = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "PersistentVolumeLabel",
  "SecurityContextDeny",
];

/** Undefined: the plugin is known and not built yet. */
export const PLUGINS: ReadonlyMap<string, PluginFactory | undefined> = new Map<string, PluginFactory | undefined>([
  ["AlwaysAdmit", later(async () => (await import("./plugins/always.ts")).alwaysAdmit)],
  [
    "NamespaceAutoProvision",
    later(async () => (await import("./plugins/namespace_auto_provision.ts")).namespaceAutoProvision),
  ],
  ["NamespaceLifecycle", namespaceLifecycle],
  ["NamespaceExists", later(async () => (await import("./plugins/namespace_exists.ts")).namespaceExists)],
  ["SecurityContextDeny", later(async () => (await import("./plugins/security_context_deny.ts")).securityContextDeny)],
  [
    "LimitPodHardAntiAffinityTopology",
    later(async () =>
      (await import("./plugins/limit_pod_hard_anti_affinity_topology.ts")).limitPodHardAntiAffinityTopology
    ),
  ],
  ["LimitRanger", limitRanger],
  ["ServiceAccount", serviceAccount],
  ["NodeRestriction", later(async () => (await import("./plugins/node_restriction/mod.ts")).nodeRestriction)],
  ["TaintNodesByCondition", taintNodesByCondition],
  ["AlwaysPullImages", later(async () => (await import("./plugins/always_pull_images.ts")).alwaysPullImages)],
  ["ImagePolicyWebhook", later(async () => (await import("./plugins/image_policy_webhook.ts")).imagePolicyWebhook)],
  ["PodSecurity", podSecurity],
  ["PodNodeSelector", later(async () => (await import("./plugins/pod_node_selector.ts")).podNodeSelector)],
  ["Priority", priority],
  ["DefaultTolerationSeconds", defaultTolerationSeconds],
  [
    "PodTolerationRestriction",
    later(async () => (await import("./plugins/pod_toleration_restriction.ts")).podTolerationRestriction),
  ],
  ["EventRateLimit", later(async () => (await import("./plugins/event_rate_limit.ts")).eventRateLimit)],
  [
    "ExtendedResourceToleration",
    later(async () => (await import("./plugins/extended_resource_toleration.ts")).extendedResourceToleration),
  ],
  [
    "PersistentVolumeLabel",
    later(async () => (await import("./plugins/persistent_volume_label.ts")).persistentVolumeLabel),
  ],
  ["DefaultStorageClass", defaultStorageClass],
  ["StorageObjectInUseProtection", storageObjectInUseProtection],
  ["PodGroupProtection", podGroupProtection],
  [
    "OwnerReferencesPermissionEnforcement",
    later(async () =>
      (await import("./plugins/owner_references_permission_enforcement.ts")).ownerReferencesPermissionEnforcement
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
    later(async () => (await import("./plugins/deny_service_external_ips.ts")).denyServiceExternalIPs),
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
  ["AlwaysDeny", later(async () => (await import("./plugins/always.ts")).alwaysDeny)],
]);
