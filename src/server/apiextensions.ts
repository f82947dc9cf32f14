// The apiextensions server's own work: it follows the CustomResourceDefinitions and keeps their status.
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import { startCrdControllers } from "../apiextensions/controllers/mod.ts";
import type { CrdInformer } from "../apiextensions/crd_informer.ts";
import type { CustomResources } from "../apiextensions/mod.ts";
import { CrdRegistration } from "../aggregator/crd_registration.ts";
import type { ServedResource } from "../registry/resource.ts";
import { logError } from "../logging/mod.ts";
import type { PostStartHook } from "./delegation.ts";
import type { LoopbackClient } from "./loopback_client.ts";

const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export interface ApiextensionsOptions {
  informer: CrdInformer;
  resources: CustomResources;
  client: LoopbackClient;
  /** Undefined when they are not served. */
  apiServices: ServedResource | undefined;
}

/** Under kube-apiserver's names, in its order. */
export function apiextensionsHooks(options: ApiextensionsOptions): PostStartHook[] {
  const { informer, resources, client, apiServices } = options;
  return [
    ...(apiServices ? [registrationHook({ ...options, apiServices })] : []),
    {
      name: "start-apiextensions-informers",
      run(signal) {
        informer.start(signal);
        return Promise.resolve();
      },
    },
    {
      name: "start-apiextensions-controllers",
      run(signal) {
        startCrdControllers({
          informer,
          instancesOf: (crd) => resources.instancesOf(crd),
          updateStatus: async (crd) =>
            await client.update(`${CRDS}/${crd.metadata.name}/status`, crd) as CustomResourceDefinition,
          onError: (crd, error) => logError("Work on a CRD failed and will be tried again", error, { crd }),
        }, signal);
        return Promise.resolve();
      },
    },
    { name: "crd-informer-synced", run: () => resources.ready() },
  ];
}

/** The APIServices of group versions that CustomResourceDefinitions serve. */
function registrationHook(
  { informer, client, apiServices }: ApiextensionsOptions & { apiServices: ServedResource },
): PostStartHook {
  const registration = new CrdRegistration({
    apiServices,
    create: (object) => client.create(API_SERVICES, object),
    update: (object) => client.update(`${API_SERVICES}/${object.metadata.name}`, object),
    delete: (name) => client.delete(`${API_SERVICES}/${name}`),
    onError: (name, error) => logError("An APIService could not be kept and will be tried again", error, { name }),
  });
  informer.addHandler(registration);
  return { name: "apiservice-registration-controller", run: (signal) => registration.start(informer.synced, signal) };
}
