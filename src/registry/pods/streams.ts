// exec, attach and port-forward: streams between a client and the kubelet of a pod's node.
import type { Authorizer } from "../../authorization/interface.ts";
import type { Pod } from "../../apis/core/pod.ts";
import { badRequestError, forbiddenError, unknownError } from "../../machinery/errors.ts";
import type { GroupVersionKind, JsonObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { Kubelets } from "../proxy/kubelets.ts";
import { type ConnectRequest, objectOf, type ResourceStorage } from "../rest.ts";
import type { Store } from "../store.ts";
import { asksForUpgrade } from "../proxy/headers.ts";
import { upgrade } from "../proxy/upgrade.ts";
import { chooseContainer } from "./containers.ts";

/** Kind of the options → the subresource, what kubelets call it, and whether it is about a container. */
const STREAMS = {
  PodAttachOptions: { subresource: "attach", path: "attach", ofContainer: true },
  PodExecOptions: { subresource: "exec", path: "exec", ofContainer: true },
  PodPortForwardOptions: { subresource: "portforward", path: "portForward", ofContainer: false },
} as const;

export type StreamKind = keyof typeof STREAMS;

export interface PodStreamOptions {
  /** Of the options. */
  kind: StreamKind;
  authorizer: Authorizer;
}

/** PodExecOptions, PodAttachOptions and PodPortForwardOptions, decoded. */
interface StreamOptions {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command?: string[];
  ports?: number[];
}

/** `pods/exec`, `pods/attach` and `pods/portforward` */
export class PodStreamStore implements ResourceStorage {
  readonly kind: GroupVersionKind;
  readonly #stream: typeof STREAMS[StreamKind];
  readonly #authorizer: Authorizer;

  constructor(readonly pods: Store, readonly kubelets: Kubelets, { kind, authorizer }: PodStreamOptions) {
    this.kind = { group: "", version: "v1", kind };
    this.#stream = STREAMS[kind];
    this.#authorizer = authorizer;
  }

  async connect(context: RequestContext, name: string, request: ConnectRequest): Promise<Response> {
    await this.#authorize(context, name);
    const options = request.options as JsonObject & StreamOptions, { path, ofContainer } = this.#stream;
    const pod = objectOf(await this.pods.get(context, name, {})) as Pod;
    const parts = [path, pod.metadata.namespace, name];
    if (ofContainer) parts.push(chooseContainer(pod, options.container ?? ""));
    const node = pod.spec?.nodeName;
    if (!node) throw badRequestError(`pod ${name} does not have a host assigned`);
    const address = await this.kubelets.addressOf(context, node, this.pods.config.resource);
    if (!asksForUpgrade(request.request.headers)) throw badRequestError("Upgrade request required");
    const { timeout, ...tls } = this.kubelets.options;
    return await upgrade(context, request, {
      ...address,
      scheme: "https",
      path: `/${parts.join("/")}${queryOf(options)}`,
      tls,
      connectTimeout: timeout,
    });
  }

  /** Browsers open WebSockets with GET, but who may only read must not run anything: streams are created. */
  async #authorize({ user, namespace, verb }: RequestContext, name: string): Promise<void> {
    if (verb === "create") return;
    const { resource } = this.pods.config;
    const { decision, reason, error } = await this.#authorizer.authorize({
      user,
      verb: "create",
      isResourceRequest: true,
      namespace,
      apiGroup: resource.group,
      apiVersion: this.kind.version,
      resource: resource.resource,
      subresource: this.#stream.subresource,
      name,
      path: `/api/v1/namespaces/${namespace}/${resource.resource}/${name}/${this.#stream.subresource}`,
    });
    if (error !== undefined) throw unknownError(error);
    if (decision !== "allow") throw forbiddenError(resource, name, reason);
  }
}

/** What the kubelet is told. */
function queryOf({ stdin, stdout, stderr, tty, command = [], ports = [] }: StreamOptions): string {
  const query = new URLSearchParams(command.map((part) => ["command", part]));
  for (const [name, value] of Object.entries({ error: stderr, input: stdin, output: stdout, tty })) {
    if (value) query.append(name, "1");
  }
  if (ports.length > 0) query.append("port", ports.join(","));
  return query.size === 0 ? "" : `?${query}`;
}
