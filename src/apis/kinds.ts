// Every kind with rules of its own. A new kind is one file and one line here.
import { mutatingAdmissionPolicy } from "./admissionregistration/mutatingadmissionpolicy.ts";
import { mutatingAdmissionPolicyBinding } from "./admissionregistration/mutatingadmissionpolicybinding.ts";
import { mutatingWebhookConfiguration } from "./admissionregistration/mutatingwebhookconfiguration.ts";
import { validatingAdmissionPolicy } from "./admissionregistration/validatingadmissionpolicy.ts";
import { validatingAdmissionPolicyBinding } from "./admissionregistration/validatingadmissionpolicybinding.ts";
import { validatingWebhookConfiguration } from "./admissionregistration/validatingwebhookconfiguration.ts";
import { customResourceDefinition } from "./apiextensions/customresourcedefinition.ts";
import { apiService } from "./apiregistration/apiservice.ts";
import { controllerRevision } from "./apps/controllerrevision.ts";
import { daemonSet } from "./apps/daemonset.ts";
import { deployment } from "./apps/deployment.ts";
import { replicaSet } from "./apps/replicaset.ts";
import { statefulSet } from "./apps/statefulset.ts";
import { tokenRequest } from "./authentication/tokenrequest.ts";
import { horizontalPodAutoscaler } from "./autoscaling/horizontalpodautoscaler.ts";
import { scale } from "./autoscaling/scale.ts";
import { cronJob } from "./batch/cronjob.ts";
import { job } from "./batch/job.ts";
import { certificateSigningRequest } from "./certificates/certificatesigningrequest.ts";
import { lease } from "./coordination/lease.ts";
import { componentStatus } from "./core/componentstatus.ts";
import { configMap } from "./core/configmap.ts";
import { endpoints } from "./core/endpoints.ts";
import { event } from "./core/event.ts";
import { limitRange } from "./core/limitrange.ts";
import { namespace } from "./core/namespace.ts";
import { node } from "./core/node.ts";
import { persistentVolume } from "./core/persistentvolume.ts";
import { persistentVolumeClaim } from "./core/persistentvolumeclaim.ts";
import { pod } from "./core/pod.ts";
import { podTemplate } from "./core/podtemplate.ts";
import { replicationController } from "./core/replicationcontroller.ts";
import { resourceQuota } from "./core/resourcequota.ts";
import { secret } from "./core/secret.ts";
import { service } from "./core/service.ts";
import { serviceAccount } from "./core/serviceaccount.ts";
import { endpointSlice } from "./discovery/endpointslice.ts";
import { flowSchema } from "./flowcontrol/flowschema.ts";
import { priorityLevelConfiguration } from "./flowcontrol/prioritylevelconfiguration.ts";
import type { KindDefinition } from "./kind.ts";
import { ingress } from "./networking/ingress.ts";
import { ingressClass } from "./networking/ingressclass.ts";
import { ipAddress } from "./networking/ipaddress.ts";
import { networkPolicy } from "./networking/networkpolicy.ts";
import { serviceCIDR } from "./networking/servicecidr.ts";
import { runtimeClass } from "./node/runtimeclass.ts";
import { podDisruptionBudget } from "./policy/poddisruptionbudget.ts";
import { clusterRole } from "./rbac/clusterrole.ts";
import { clusterRoleBinding } from "./rbac/clusterrolebinding.ts";
import { role } from "./rbac/role.ts";
import { roleBinding } from "./rbac/rolebinding.ts";
import { deviceClass } from "./resource/deviceclass.ts";
import { resourceClaim } from "./resource/resourceclaim.ts";
import { resourceClaimTemplate } from "./resource/resourceclaimtemplate.ts";
import { resourceSlice } from "./resource/resourceslice.ts";
import { priorityClass } from "./scheduling/priorityclass.ts";
import { csiDriver } from "./storage/csidriver.ts";
import { csiNode } from "./storage/csinode.ts";
import { csiStorageCapacity } from "./storage/csistoragecapacity.ts";
import { storageClass } from "./storage/storageclass.ts";
import { volumeAttachment } from "./storage/volumeattachment.ts";
import { volumeAttributesClass } from "./storage/volumeattributesclass.ts";

// deno-lint-ignore no-explicit-any -- each definition speaks of its own type
export const KINDS: readonly KindDefinition<any>[] = [
  apiService,
  certificateSigningRequest,
  clusterRole,
  clusterRoleBinding,
  componentStatus,
  configMap,
  controllerRevision,
  cronJob,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  customResourceDefinition,
  daemonSet,
  deployment,
  deviceClass,
  endpoints,
  endpointSlice,
  event,
  flowSchema,
  horizontalPodAutoscaler,
  ingress,
  ingressClass,
  ipAddress,
  job,
  lease,
  limitRange,
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  namespace,
  networkPolicy,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  podTemplate,
  priorityClass,
  priorityLevelConfiguration,
  replicaSet,
  replicationController,
  resourceClaim,
  resourceClaimTemplate,
  resourceQuota,
  resourceSlice,
  role,
  roleBinding,
  runtimeClass,
  scale,
  secret,
  service,
  serviceAccount,
  serviceCIDR,
  statefulSet,
  storageClass,
  tokenRequest,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  volumeAttachment,
  volumeAttributesClass,
];
