// What the kinds of kube-apiserver do in the generic registry, for those whose file says nothing else.
import { nameIsDNSLabel, nameIsPathSegment } from "../machinery/validation/mod.ts";
import type { KindDefinition } from "./kind.ts";

type Rules = Pick<
  KindDefinition,
  | "generation"
  | "allowCreateOnUpdate"
  | "allowUnconditionalUpdate"
  | "returnsDeletedObject"
  | "defaultDeletion"
  | "validateName"
  | "statusResetFields"
  | "anyFinalizers"
>;

/** Kinds whose metadata.generation counts changes. */
const WITH_GENERATION = [
  "Pod",
  "ReplicationController",
  "DaemonSet.apps",
  "Deployment.apps",
  "ReplicaSet.apps",
  "StatefulSet.apps",
  "CronJob.batch",
  "Job.batch",
  "Ingress.networking.k8s.io",
  "IngressClass.networking.k8s.io",
  "NetworkPolicy.networking.k8s.io",
  "PodDisruptionBudget.policy",
  "EndpointSlice.discovery.k8s.io",
  "FlowSchema.flowcontrol.apiserver.k8s.io",
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io",
  "MutatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "MutatingAdmissionPolicy.admissionregistration.k8s.io",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "CustomResourceDefinition.apiextensions.k8s.io",
  "ResourceSlice.resource.k8s.io",
  "DeviceClass.resource.k8s.io",
];

/** Kinds that a PUT creates. */
const CREATED_BY_PUT = [
  "Event",
  "LimitRange",
  "Endpoints",
  "Service",
  "Lease.coordination.k8s.io",
  "RuntimeClass.node.k8s.io",
  "Role.rbac.authorization.k8s.io",
  "RoleBinding.rbac.authorization.k8s.io",
  "ClusterRole.rbac.authorization.k8s.io",
  "ClusterRoleBinding.rbac.authorization.k8s.io",
];

/** Kinds whose updates must say which resourceVersion they are of. */
const CONDITIONAL = [
  "Lease.coordination.k8s.io",
  "RuntimeClass.node.k8s.io",
  "PodDisruptionBudget.policy",
  "CSIDriver.storage.k8s.io",
  "CSINode.storage.k8s.io",
  "CSIStorageCapacity.storage.k8s.io",
  "VolumeAttachment.storage.k8s.io",
  "MutatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "MutatingAdmissionPolicy.admissionregistration.k8s.io",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "CustomResourceDefinition.apiextensions.k8s.io",
  "APIService.apiregistration.k8s.io",
];

/** Kinds whose DELETE answers the object itself. */
const ANSWER_THE_DELETED = [
  "Pod",
  "Service",
  "ServiceAccount",
  "PodTemplate",
  "ResourceQuota",
  "PersistentVolume",
  "PersistentVolumeClaim",
];

/** Kinds that leave their dependents alone unless told otherwise. */
const ORPHANING = ["ReplicationController", "Job.batch"];

/** Kinds whose names only have to fit into a path. */
const PATH_NAMES = [
  "Role.rbac.authorization.k8s.io",
  "RoleBinding.rbac.authorization.k8s.io",
  "ClusterRole.rbac.authorization.k8s.io",
  "ClusterRoleBinding.rbac.authorization.k8s.io",
  "PodDisruptionBudget.policy",
  "APIService.apiregistration.k8s.io",
  "IPAddress.networking.k8s.io",
];

/** Kinds whose names are DNS labels. */
const LABEL_NAMES = ["Namespace", "Service"];

/** Kinds whose finalizers need no domain. */
const ANY_FINALIZERS = [
  "MutatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "MutatingAdmissionPolicy.admissionregistration.k8s.io",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "CustomResourceDefinition.apiextensions.k8s.io",
  "APIService.apiregistration.k8s.io",
];

/** Kinds of whose metadata a write of status keeps nothing. */
const STATUS_WITHOUT_METADATA = [
  "APIService.apiregistration.k8s.io",
  "DeviceTaintRule.resource.k8s.io",
  "FlowSchema.flowcontrol.apiserver.k8s.io",
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io",
  "ResourceClaim.resource.k8s.io",
  "ResourcePoolStatusRequest.resource.k8s.io",
  "ServiceCIDR.networking.k8s.io",
  "StorageVersion.internal.apiserver.k8s.io",
  "StorageVersionMigration.storagemigration.k8s.io",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
  "VolumeAttachment.storage.k8s.io",
];

const RULES = new Map<string, Rules>();

function add(kinds: readonly string[], rules: Rules): void {
  for (const kind of kinds) RULES.set(kind, { ...RULES.get(kind), ...rules });
}

add(WITH_GENERATION, { generation: true });
add(CREATED_BY_PUT, { allowCreateOnUpdate: true });
add(CONDITIONAL, { allowUnconditionalUpdate: false });
add(ANSWER_THE_DELETED, { returnsDeletedObject: true });
add(ORPHANING, { defaultDeletion: "Orphan" });
add(PATH_NAMES, { validateName: nameIsPathSegment });
add(STATUS_WITHOUT_METADATA, { statusResetFields: [["metadata"], ["spec"]] });
add(ANY_FINALIZERS, { anyFinalizers: true });
add(LABEL_NAMES, { validateName: nameIsDNSLabel });

/** `Pod` or `Deployment.apps` → its rules. */
export function rulesOf(groupKind: string): Rules {
  return RULES.get(groupKind) ?? {};
}
