// The apiextensions server's own work: it follows the CustomResourceDefinitions and keeps their status.
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import { startCrdControllers } from "../apiextensions/controllers/mod.ts";
import type { CrdInformer } from "../apiextensions/crd_informer.ts";
import type { CustomResources } from "../apiextensions/mod.ts";
import { logError } from "../logging/mod.ts";
import type { PostStartHook } from "./delegation.ts";
import type { LoopbackClient } from "./loopback_client.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export interface ApiextensionsOptions {
  informer: CrdInformer;
  resources: CustomResources;
  client: LoopbackClient;
}

/** Under kube-apiserver's names, in its order. */
export function apiextensionsHooks({ informer, resources, client }: ApiextensionsOptions): PostStartHook[] {
  return [
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
