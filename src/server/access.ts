// Who makes a request and may they: authenticator, authorizer, the reviews that ask them, and what keeps them up to date.
import type { Authenticator, ObjectGetter } from "../authentication/interface.ts";
import { buildAuthenticator } from "../authentication/mod.ts";
import type { Authorizer } from "../authorization/interface.ts";
import { nodeAuthorizer } from "../authorization/node/authorizer.ts";
import { rbacAuthorizer } from "../authorization/rbac/authorizer.ts";
import { RbacIndex } from "../authorization/rbac/index.ts";
import { controllerContext, follow } from "../controllers/informer.ts";
import type { ServedDocument } from "../endpoints/routes/documents.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { BuiltinOptions, BuiltinResources } from "../registry/builtin.ts";
import type { StoreHooks } from "../registry/config.ts";
import { escalationHooks } from "../registry/rbac/escalation.ts";
import { getIfThere, type ResourceStorage } from "../registry/rest.ts";
import { virtualResources } from "../registry/virtual/mod.ts";
import type { ServerConfig } from "./config.ts";
import type { PostStartHook } from "./delegation.ts";
import type { LoopbackClient } from "./loopback_client.ts";
import { tokenCacheObserver, tokenUseCounter } from "./access_metrics.ts";
import { authorizerOf } from "./authorizers.ts";
import { nodeGraphSource } from "./node_graph.ts";
import { serviceAccountParts } from "./service_accounts.ts";
import { tokenAuthenticators, withConfiguration } from "./token_authenticators.ts";

export interface Access {
  authenticator: Authenticator;
  authorizer: Authorizer;
  /** Resources without objects, for the registry. */
  virtual: Record<string, ResourceStorage>;
  /** Subresources that are about access, for the registry. */
  subresources: NonNullable<BuiltinOptions["subresources"]>;
  /** Checks around the writes of roles and bindings, for the registry. */
  storeHooks: Record<string, (resources: BuiltinResources) => StoreHooks>;
  /** Published for those who verify our tokens. */
  documents: ServedDocument[];
  /** Hooks that follow the objects which decisions depend on. */
  hooks(resources: BuiltinResources): PostStartHook[];
}

export interface AccessDependencies {
  client: LoopbackClient;
  /** By which the server's own client is known. */
  loopbackToken: string;
  metrics: Metrics;
  /** What is looked up while requests are authenticated; there once requests come. */
  resources(): BuiltinResources;
  signal: AbortSignal;
}

/** Throws an Error that says what of the configuration cannot be had. */
export async function createAccess(config: ServerConfig, dependencies: AccessDependencies): Promise<Access> {
  const { authorization } = config.generic, authentication = await withConfiguration(config.generic.authentication);
  const { client, loopbackToken, metrics, resources, signal } = dependencies;
  const rbac = new RbacIndex();
  const { authorizer, rules } = await authorizerOf(authorization, {
    rbac: rbacAuthorizer(rbac),
    node: nodeAuthorizer(nodeGraphSource(dependencies)),
    metrics,
  });
  const lookup = controllerContext("authenticator", signal);
  const getter: ObjectGetter = (resource, namespace, name) =>
    getIfThere(resources().store("", resource), { ...lookup, namespace }, name);
  const accounts = serviceAccountParts(config, { client, getter, count: tokenUseCounter(metrics) });
  const authenticator = buildAuthenticator(authentication, {
    loopbackToken,
    tokenAuthenticators: [
      ...accounts.authenticators,
      ...await tokenAuthenticators(authentication, { getter, metrics, signal }),
    ],
    observe: {
      tokenCache: tokenCacheObserver(metrics),
      certificate: metrics.observer("certificateExpiration", {}),
    },
  });
  return {
    authenticator,
    authorizer,
    virtual: virtualResources({ authenticator, authorizer, rules, audiences: authentication.audiences }),
    subresources: accounts.subresources,
    storeHooks: escalationHooks({ authorizer, index: rbac }),
    documents: accounts.documents,
    hooks: (resources) => [rbacSyncHook(resources, rbac)],
  };
}

/** Roles and bindings as they are and as they change. */
function rbacSyncHook(resources: BuiltinResources, index: RbacIndex): PostStartHook {
  const role = { put: (o: KubeObject) => index.putRole(o), drop: (o: KubeObject) => index.deleteRole(o) };
  const binding = { put: (o: KubeObject) => index.putBinding(o), drop: (o: KubeObject) => index.deleteBinding(o) };
  const kinds = { clusterroles: role, roles: role, clusterrolebindings: binding, rolebindings: binding };
  return {
    name: "rbac/sync",
    async run(signal) {
      const context = controllerContext("rbac-authorizer", signal);
      await Promise.all(
        Object.entries(kinds).map(async ([resource, { put, drop }]) => {
          const served = resources.lookup("rbac.authorization.k8s.io", "v1", resource);
          if (served === undefined) return;
          await follow(served, context, {
            changed: (item) => put(item.object()),
            deleted: (item) => drop(item.object()),
          });
        }),
      );
    },
  };
}
