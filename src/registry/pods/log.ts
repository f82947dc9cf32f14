// The log of a container, as its kubelet gives it.
import type { Pod } from "../../apis/core/pod.ts";
import { invalidError, unknownError } from "../../machinery/errors.ts";
import { type FieldError, forbidden, invalid, path } from "../../machinery/field_error.ts";
import type { GroupVersionKind, JsonObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { Kubelets } from "../proxy/kubelets.ts";
import { BackendError, bodyOf, hostAndPort, requestBackend } from "../proxy/backend.ts";
import { refusalOf } from "../proxy/refusal.ts";
import { type ConnectRequest, objectOf, type ResourceStorage } from "../rest.ts";
import type { Store } from "../store.ts";
import { chooseContainer } from "./containers.ts";

/** PodLogOptions, decoded. */
interface LogOptions {
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: number;
  sinceTime?: string;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}

const LOG_OPTIONS = { group: "", kind: "PodLogOptions" };
const LOGS = { group: "", resource: "pods/log" };

/** How many characters of a kubelet's refusal are told. */
const MAX_REFUSAL_LENGTH = 50_000;

/** `pods/log` */
export class LogStore implements ResourceStorage {
  readonly kind: GroupVersionKind = { group: "", version: "v1", kind: "Pod" };

  constructor(readonly pods: Store, readonly kubelets: Kubelets) {}

  async connect(context: RequestContext, name: string, { options }: ConnectRequest): Promise<Response> {
    const wanted = options as JsonObject & LogOptions;
    const errors = validateLogOptions(wanted);
    if (errors.length > 0) throw invalidError(LOG_OPTIONS, name, errors);
    const pod = objectOf(await this.pods.get(context, name, {})) as Pod;
    const container = chooseContainer(pod, wanted.container ?? "");
    const node = pod.spec?.nodeName;
    // Nothing has run yet.
    if (!node) return new Response(null, { status: 204 });
    const { host, port } = await this.kubelets.addressOf(context, node, this.pods.config.resource);
    const { namespace } = pod.metadata;
    const at = `/containerLogs/${namespace}/${name}/${container}${queryOf(wanted)}`;
    return await this.#fetch(context, name, { host, port, path: at }, wanted.insecureSkipTLSVerifyBackend ?? false);
  }

  async #fetch(
    { signal }: RequestContext,
    name: string,
    target: { host: string; port: number; path: string },
    insecure: boolean,
  ): Promise<Response> {
    const { certificateAuthority, client, timeout } = this.kubelets.options;
    try {
      const answer = await requestBackend({
        ...target,
        scheme: "https",
        method: "GET",
        headers: {},
        connectTimeout: timeout,
        tls: { certificateAuthority: insecure ? undefined : certificateAuthority, client },
        signal,
      });
      const code = answer.statusCode ?? 0;
      if (code < 200 || code > 206) throw await refused(name, code, bodyOf(answer));
      return new Response(bodyOf(answer), { headers: { "content-type": "text/plain" } });
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      throw unknownError(
        `Get "https://${hostAndPort(target.host, target.port)}${target.path}": ${error.message}`,
      );
    }
  }
}

function validateLogOptions(options: LogOptions): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid(path("tailLines"), tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid(path("limitBytes"), limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden(path("[]"), "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid(path("sinceSeconds"), sinceSeconds, "must be greater than 0"));
  }
  if (stream !== undefined) errors.push(forbidden(path("stream"), "may not be specified"));
  return errors;
}

/** What the kubelet is told. */
const PASSED_ON = ["follow", "limitBytes", "previous", "sinceSeconds", "sinceTime", "tailLines", "timestamps"] as const;

function queryOf(options: LogOptions): string {
  const query = new URLSearchParams();
  for (const name of PASSED_ON) {
    const value = options[name];
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

async function refused(name: string, code: number, body: ReadableStream<Uint8Array>): Promise<Error> {
  const text = await new Response(body).text();
  return refusalOf(code, text.slice(0, MAX_REFUSAL_LENGTH), LOGS, name);
}
