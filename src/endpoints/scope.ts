// What a verb works on: the request, the resource or subresource at its path, and the names in it.
import type { GroupResource } from "../machinery/types.ts";
import type { RequestContext } from "../apis/context.ts";
import type { ResourceStorage } from "../registry/rest.ts";
import type { EndpointDependencies } from "./dependencies.ts";
import type { RequestHandlerContext } from "./env.ts";
import { parseQuery, type Query } from "./query.ts";
import type { RequestInfo } from "./request_info.ts";
import type { ServedKind, ServedResource, ServedSubresource } from "../registry/resource.ts";

export class Scope {
  readonly info: RequestInfo;
  readonly headers: Headers;
  /** The kind that is read and written here: the subresource's own, if it is one. */
  readonly kind: ServedKind;
  readonly storage: ResourceStorage;
  /** "" when the path names no object. */
  readonly name: string;
  readonly namespace: string;
  /** Set by answers that last, such as watches: resolved at their end. */
  ended: Promise<void> | undefined;
  #query: Query | undefined;
  #context: RequestContext | undefined;

  constructor(
    readonly c: RequestHandlerContext,
    readonly deps: EndpointDependencies,
    readonly resource: ServedResource,
    readonly subresource: ServedSubresource | undefined,
  ) {
    this.info = c.get("requestInfo");
    this.headers = c.req.raw.headers;
    const target = subresource ?? resource;
    this.kind = target.kind;
    this.storage = target.storage;
    this.name = this.info.parts.length > 1 ? this.info.parts[1] : "";
    this.namespace = resource.namespaced ? this.info.namespace : "";
  }

  /** The query as it was sent, with its question mark. */
  get search(): string {
    return this.c.get("url").search;
  }

  get query(): Query {
    return this.#query ??= parseQuery(this.search);
  }

  get groupResource(): GroupResource {
    return this.resource;
  }

  get userAgent(): string {
    return this.headers.get("user-agent") ?? "";
  }

  /** What registry, strategies and admission get to know of the request. */
  get context(): RequestContext {
    if (this.#context !== undefined) return this.#context;
    const { c } = this;
    return this.#context = {
      user: c.get("user"),
      namespace: this.namespace,
      userAgent: this.userAgent,
      verb: c.get("requestInfo").verb,
      signal: c.get("signal"),
      addWarning: (text) => this.addWarning(text),
      addAuditAnnotation: (key, value) => void c.get("auditAnnotations").set(key, value),
    };
  }

  addWarning(text: string): void {
    const warnings = this.c.get("warnings");
    if (!warnings.includes(text)) warnings.push(text);
  }
}
