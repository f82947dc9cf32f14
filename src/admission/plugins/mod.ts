// Every plugin in the order in which they run. A new plugin is one file and one line here.
import { mutatingAdmissionPolicy } from "../policy/mutating/plugin.ts";
import { validatingAdmissionPolicy } from "../policy/validating/plugin.ts";
import { mutatingAdmissionWebhook } from "../webhook/mutating.ts";
import { validatingAdmissionWebhook } from "../webhook/validating.ts";
import { alwaysAdmit, alwaysDeny } from "./always.ts";
import { alwaysPullImages } from "./always_pull_images.ts";
import { certificateApproval, certificateSigning } from "./certificate_approval.ts";
import { certificateSubjectRestriction } from "./certificate_subject_restriction.ts";
import { clusterTrustBundleAttest } from "./cluster_trust_bundle_attest.ts";
import type { PluginFactory } from "./context.ts";
import { defaultIngressClass } from "./default_ingress_class.ts";
import { defaultStorageClass } from "./default_storage_class.ts";
import { defaultTolerationSeconds } from "./default_toleration_seconds.ts";
import { denyServiceExternalIPs } from "./deny_service_external_ips.ts";
import { eventRateLimit } from "./event_rate_limit.ts";
import { extendedResourceToleration } from "./extended_resource_toleration.ts";
import { imagePolicyWebhook } from "./image_policy_webhook.ts";
import { limitPodHardAntiAffinityTopology } from "./limit_pod_hard_anti_affinity_topology.ts";
import { limitRanger } from "./limit_ranger.ts";
import { namespaceAutoProvision } from "./namespace_auto_provision.ts";
import { namespaceExists } from "./namespace_exists.ts";
import { namespaceLifecycle } from "./namespace_lifecycle.ts";
import { nodeDeclaredFeatureValidator } from "./node_declared_feature_validator.ts";
import { nodeRestriction } from "./node_restriction/mod.ts";
import { ownerReferencesPermissionEnforcement } from "./owner_references_permission_enforcement.ts";
import { persistentVolumeClaimResize } from "./persistent_volume_claim_resize.ts";
import { persistentVolumeLabel } from "./persistent_volume_label.ts";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./pod_groups.ts";
import { podNodeSelector } from "./pod_node_selector.ts";
import { podResizeValidator } from "./pod_resize_validator.ts";
import { podSecurity } from "./pod_security/mod.ts";
import { podTolerationRestriction } from "./pod_toleration_restriction.ts";
import { podTopologyLabels } from "./pod_topology_labels.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource_quota/mod.ts";
import { runtimeClass } from "./runtime_class.ts";
import { securityContextDeny } from "./security_context_deny.ts";
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
  ["AlwaysAdmit", alwaysAdmit],
  ["NamespaceAutoProvision", namespaceAutoProvision],
  ["NamespaceLifecycle", namespaceLifecycle],
  ["NamespaceExists", namespaceExists],
  ["SecurityContextDeny", securityContextDeny],
  ["LimitPodHardAntiAffinityTopology", limitPodHardAntiAffinityTopology],
  ["LimitRanger", limitRanger],
  ["ServiceAccount", serviceAccount],
  ["NodeRestriction", nodeRestriction],
  ["TaintNodesByCondition", taintNodesByCondition],
  ["AlwaysPullImages", alwaysPullImages],
  ["ImagePolicyWebhook", imagePolicyWebhook],
  ["PodSecurity", podSecurity],
  ["PodNodeSelector", podNodeSelector],
  ["Priority", priority],
  ["DefaultTolerationSeconds", defaultTolerationSeconds],
  ["PodTolerationRestriction", podTolerationRestriction],
  ["EventRateLimit", eventRateLimit],
  ["ExtendedResourceToleration", extendedResourceToleration],
  ["PersistentVolumeLabel", persistentVolumeLabel],
  ["DefaultStorageClass", defaultStorageClass],
  ["StorageObjectInUseProtection", storageObjectInUseProtection],
  ["PodGroupProtection", podGroupProtection],
  ["OwnerReferencesPermissionEnforcement", ownerReferencesPermissionEnforcement],
  ["PersistentVolumeClaimResize", persistentVolumeClaimResize],
  ["RuntimeClass", runtimeClass],
  ["CertificateApproval", certificateApproval],
  ["CertificateSigning", certificateSigning],
  ["ClusterTrustBundleAttest", clusterTrustBundleAttest],
  ["CertificateSubjectRestriction", certificateSubjectRestriction],
  ["DefaultIngressClass", defaultIngressClass],
  ["DenyServiceExternalIPs", denyServiceExternalIPs],
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
  ["AlwaysDeny", alwaysDeny],
]);
