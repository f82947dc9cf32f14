// Every plugin in the order in which they run. A new plugin is one file and one line here.
import { alwaysAdmit, alwaysDeny } from "./always.ts";
import { alwaysPullImages } from "./always_pull_images.ts";
import type { PluginFactory } from "./context.ts";
import { defaultIngressClass } from "./default_ingress_class.ts";
import { defaultStorageClass } from "./default_storage_class.ts";
import { defaultTolerationSeconds } from "./default_toleration_seconds.ts";
import { denyServiceExternalIPs } from "./deny_service_external_ips.ts";
import { eventRateLimit } from "./event_rate_limit.ts";
import { extendedResourceToleration } from "./extended_resource_toleration.ts";
import { limitPodHardAntiAffinityTopology } from "./limit_pod_hard_anti_affinity_topology.ts";
import { limitRanger } from "./limit_ranger.ts";
import { namespaceAutoProvision } from "./namespace_auto_provision.ts";
import { namespaceExists } from "./namespace_exists.ts";
import { namespaceLifecycle } from "./namespace_lifecycle.ts";
import { persistentVolumeClaimResize } from "./persistent_volume_claim_resize.ts";
import { podNodeSelector } from "./pod_node_selector.ts";
import { podSecurity } from "./pod_security/mod.ts";
import { podTolerationRestriction } from "./pod_toleration_restriction.ts";
import { priority } from "./priority.ts";
import { runtimeClass } from "./runtime_class.ts";
import { serviceAccount } from "./service_account.ts";
import { storageObjectInUseProtection } from "./storage_object_in_use_protection.ts";
import { taintNodesByCondition } from "./taint_nodes_by_condition.ts";

/** Undefined: the plugin is known and not built yet. */
export const PLUGINS: ReadonlyMap<string, PluginFactory | undefined> = new Map([
  ["AlwaysAdmit", alwaysAdmit],
  ["NamespaceAutoProvision", namespaceAutoProvision],
  ["NamespaceLifecycle", namespaceLifecycle],
  ["NamespaceExists", namespaceExists],
  ["LimitPodHardAntiAffinityTopology", limitPodHardAntiAffinityTopology],
  ["LimitRanger", limitRanger],
  ["ServiceAccount", serviceAccount],
  ["NodeRestriction", undefined],
  ["TaintNodesByCondition", taintNodesByCondition],
  ["AlwaysPullImages", alwaysPullImages],
  ["ImagePolicyWebhook", undefined],
  ["PodSecurity", podSecurity],
  ["PodNodeSelector", podNodeSelector],
  ["Priority", priority],
  ["DefaultTolerationSeconds", defaultTolerationSeconds],
  ["PodTolerationRestriction", podTolerationRestriction],
  ["EventRateLimit", eventRateLimit],
  ["ExtendedResourceToleration", extendedResourceToleration],
  ["DefaultStorageClass", defaultStorageClass],
  ["StorageObjectInUseProtection", storageObjectInUseProtection],
  ["PodGroupProtection", undefined],
  ["OwnerReferencesPermissionEnforcement", undefined],
  ["PersistentVolumeClaimResize", persistentVolumeClaimResize],
  ["RuntimeClass", runtimeClass],
  ["CertificateApproval", undefined],
  ["CertificateSigning", undefined],
  ["ClusterTrustBundleAttest", undefined],
  ["CertificateSubjectRestriction", undefined],
  ["DefaultIngressClass", defaultIngressClass],
  ["DenyServiceExternalIPs", denyServiceExternalIPs],
  ["PodTopologyLabels", undefined],
  ["PodGroupWorkloadExists", undefined],
  ["NodeDeclaredFeatureValidator", undefined],
  ["JobValidation", undefined],
  ["PodResizeValidator", undefined],
  ["MutatingAdmissionPolicy", undefined],
  ["MutatingAdmissionWebhook", undefined],
  ["ValidatingAdmissionPolicy", undefined],
  ["ValidatingAdmissionWebhook", undefined],
  ["ResourceQuota", undefined],
  ["AlwaysDeny", alwaysDeny],
]);
