// Every kind with rules of its own. A new kind is one file and one line here.
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
import { secret } from "./core/secret.ts";
import { service } from "./core/service.ts";
import { serviceAccount } from "./core/serviceaccount.ts";
import type { KindDefinition } from "./kind.ts";
import { ingress, ingressClass, ipAddress, networkPolicy, serviceCIDR } from "./networking/kinds.ts";
import { csiDriver, storageClass, volumeAttachment } from "./storage/classes.ts";

// deno-lint-ignore no-explicit-any -- each definition speaks of its own type
export const KINDS: readonly KindDefinition<any>[] = [
  apiService,
  configMap,
  csiDriver,
  endpoints,
  endpointSlice,
  flowSchema,
  ingress,
  ingressClass,
  ipAddress,
  mutatingWebhookConfiguration,
  namespace,
  networkPolicy,
  persistentVolume,
  persistentVolumeClaim,
  priorityClass,
  priorityLevelConfiguration,
  runtimeClass,
  secret,
  service,
  serviceAccount,
  serviceCIDR,
  storageClass,
  validatingWebhookConfiguration,
  volumeAttachment,
];
