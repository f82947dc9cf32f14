// What every namespace has: the service account `default`, and the cluster's authority for its pods (`kube-root-ca.crt`).
// Two controllers of kube-controller-manager, serviceaccount and root-ca-cert-publisher, do this there.
import type { ServedResource } from "../registry/resource.ts";
import { clone } from "../machinery/clone.ts";
import { hasReason } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { RequestContext } from "../apis/context.ts";
import { getIfThere } from "../registry/rest.ts";
import { controllerContext, follow, type InformerHandler } from "./informer.ts";
import { WorkQueue } from "./work_queue.ts";

const NAME = "namespace-defaults";
const ACCOUNT = "default", ROOT_CA = "kube-root-ca.crt";
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints " +
  "such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of " +
  "Kubernetes clusters.";

export interface NamespaceDefaultsOptions {
  namespaces: ServedResource;
  serviceAccounts: ServedResource;
  configMaps: ServedResource;
  /** PEM; "" when it is not known. */
  rootCA: string;
  onError(namespace: string, error: unknown): void;
}

/** Runs until the signal ends. */
export async function startNamespaceDefaults(options: NamespaceDefaultsOptions, signal: AbortSignal): Promise<void> {
  const context = controllerContext(NAME, signal);
  const queue = new WorkQueue({
    workers: 4,
    process: (name) => complete(options, context, name),
    onError: options.onError,
  }, signal);
  const named = (name: string): InformerHandler => ({
    changed: (item) => {
      if (name === ROOT_CA && item.fields["metadata.name"] === name) queue.add(item.fields["metadata.namespace"]);
    },
    deleted: (item) => {
      if (item.fields["metadata.name"] === name) queue.add(item.fields["metadata.namespace"]);
    },
  });
  await Promise.all([
    follow(options.namespaces, context, { changed: (item) => queue.add(item.fields["metadata.name"]), deleted() {} }),
    follow(options.serviceAccounts, context, named(ACCOUNT)),
    follow(options.configMaps, context, named(ROOT_CA)),
  ]);
}

/** Makes what is missing in a namespace that lives. */
async function complete(options: NamespaceDefaultsOptions, context: RequestContext, name: string): Promise<void> {
  const lives = async () => {
    const namespace = await getIfThere(options.namespaces.storage, context, name);
    return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
  };
  if (!await lives()) return;
  const inside = { ...context, namespace: name };
  const account = { kind: "ServiceAccount", apiVersion: "v1", metadata: { name: ACCOUNT, namespace: name } };
  if (await getIfThere(options.serviceAccounts.storage, inside, ACCOUNT) === undefined) {
    await create(options.serviceAccounts, inside, account);
  }
  if (options.rootCA !== "") await publish(options, inside);
  // Whoever emptied the namespace meanwhile has not seen these.
  if (await lives()) return;
  await remove(options.serviceAccounts, inside, ACCOUNT);
  await remove(options.configMaps, inside, ROOT_CA);
}

async function publish({ configMaps, rootCA }: NamespaceDefaultsOptions, context: RequestContext): Promise<void> {
  const data = { "ca.crt": rootCA };
  const found = await getIfThere(configMaps.storage, context, ROOT_CA);
  if (found === undefined) {
    const annotations = { "kubernetes.io/description": DESCRIPTION };
    const metadata = { name: ROOT_CA, namespace: context.namespace, annotations };
    await create(configMaps, context, { kind: "ConfigMap", apiVersion: "v1", metadata, data });
  } else if (JSON.stringify(found.data) !== JSON.stringify(data)) {
    const transform = (current: KubeObject | undefined) => ({ ...clone(current!), data });
    await configMaps.storage.update!(context, ROOT_CA, transform, { options: {}, dryRun: false });
  }
}

/** Somebody may be faster. */
async function remove(resource: ServedResource, context: RequestContext, name: string): Promise<void> {
  try {
    await resource.storage.delete!(context, name, {}, { dryRun: false });
  } catch (e) {
    if (!hasReason(e, "NotFound")) throw e;
  }
}

/** Somebody may be faster. */
async function create(resource: ServedResource, context: RequestContext, object: KubeObject): Promise<void> {
  try {
    await resource.storage.create!(context, object.metadata.name!, object, { options: {}, dryRun: false });
  } catch (e) {
    if (!hasReason(e, "AlreadyExists")) throw e;
  }
}
