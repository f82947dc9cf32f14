// Where a service is reached from within the cluster: what webhooks and API services that name one are asked at.
import type { Service } from "../../facts/generated/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import { getIfThere } from "../rest.ts";
import type { Store } from "../store.ts";

export interface ServiceReference {
  namespace: string;
  name: string;
  port: number;
}

/** Throws an Error that says why there is no way to the service. */
export type ResolveService = (reference: ServiceReference) => Promise<{ host: string; port: number }>;

/** By cluster addresses, or the name that an ExternalName service stands for. */
export function serviceResolver(services: Store, context: RequestContext): ResolveService {
  return async ({ namespace, name, port }) => {
    const service = await getIfThere(services, { ...context, namespace }, name) as Service | undefined;
    if (service === undefined) throw new Error(`service "${name}" not found`);
    const { type = "ClusterIP", clusterIP = "", externalName = "", ports = [] } = service.spec ?? {};
    if (type === "ExternalName") return { host: externalName, port };
    if (type === "ClusterIP" && clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
    if (!ports.some((declared) => declared.port === port)) {
      throw new Error(`no service port ${port} found for service "${name}"`);
    }
    return { host: clusterIP, port };
  };
}
