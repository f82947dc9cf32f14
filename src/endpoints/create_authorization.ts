// A PUT or an apply that creates needs the right to create.
import type { AuthorizationAttributes } from "../authorization/interface.ts";
import { forbiddenStatus } from "../authorization/forbidden.ts";
import { internalError } from "../machinery/errors.ts";
import type { ValidateObject } from "../registry/rest.ts";
import type { Scope } from "./scope.ts";

/** Asks once, when the registry is about to create, then goes on with `validate`. Throws 403. */
export function withCreateAuthorization(scope: Scope, validate: ValidateObject | undefined): ValidateObject {
  let decision: Promise<void> | undefined;
  return async (object) => {
    await (decision ??= authorizeCreate(scope));
    await validate?.(object);
  };
}

async function authorizeCreate(scope: Scope): Promise<void> {
  const attributes = createAttributes(scope);
  const result = await scope.deps.authorizer.authorize(attributes);
  if (result.decision === "allow") return;
  if (result.error !== undefined) throw internalError(result.error);
  throw forbiddenStatus(attributes, result.reason);
}

function createAttributes(scope: Scope): AuthorizationAttributes {
  const { group, version, resource } = scope.resource;
  return {
    user: scope.context.user,
    verb: "create",
    isResourceRequest: true,
    namespace: scope.namespace,
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource: scope.subresource?.name ?? "",
    name: scope.name,
    path: scope.info.path,
  };
}
