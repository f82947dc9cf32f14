// Every kind with rules of its own. A new kind is one file and one line here.
import { controllerRevision } from "./apps/controllerrevision.ts";
import { daemonSet } from "./apps/daemonset.ts";
import { deployment } from "./apps/deployment.ts";
import { replicaSet } from "./apps/replicaset.ts";
import { statefulSet } from "./apps/statefulset.ts";
import { cronJob } from "./batch/cronjob.ts";
import { job } from "./batch/job.ts";
import {
  apiService,
  endpointSlice,
  flowSchema,
  mutatingWebhookConfiguration,
  priorityClass,
  priorityLevelConfiguration,
  runtimeClass,
  validatingWebhookConfiguration,
} from "./classes.ts";
import { configMap } from "./core/configmap.ts";
import { endpoints } from "./core/endpoints.ts";
import { namespace } from "./core/namespace.ts";
import { persistentVolume } from "./core/persistentvolume.ts";
import { persistentVolumeClaim } from "./core/persistentvolumeclaim.ts";
import { pod } from "./core/pod.ts";
import { podTemplate } from "./core/podtemplate.ts";
import { replicationController } from "./core/replicationcontroller.ts";
import { secret } from "./core/secret.ts";
import { service } from "./core/service.ts";
import { serviceAccount } from "./core/serviceaccount.ts";
import type { KindDefinition } from "./kind.ts";
import { ingress, ingressClass, ipAddress, networkPolicy, serviceCIDR } from "./networking/kinds.ts";
import { podDisruptionBudget } from "./policy/poddisruptionbudget.ts";
import { clusterRoleBinding, roleBinding } from "./rbac/binding.ts";
import { clusterRole, role } from "./rbac/role.ts";
import { csiDriver, storageClass, volumeAttachment } from "./storage/classes.ts";

// deno-lint-ignore no-explicit-any -- each definition speaks of its own type
export const KINDS: readonly KindDefinition<any>[] = [
  apiService,
  clusterRole,
  clusterRoleBinding,
  configMap,
  controllerRevision,
  cronJob,
  csiDriver,
  daemonSet,
  deployment,
  endpoints,
  endpointSlice,
  flowSchema,
  ingress,
  ingressClass,
  ipAddress,
  job,
  mutatingWebhookConfiguration,
  namespace,
  networkPolicy,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  podTemplate,
  priorityClass,
  priorityLevelConfiguration,
  replicaSet,
  replicationController,
  role,
  roleBinding,
  runtimeClass,
  secret,
  service,
  serviceAccount,
  serviceCIDR,
  statefulSet,
  storageClass,
  validatingWebhookConfiguration,
  volumeAttachment,
];
