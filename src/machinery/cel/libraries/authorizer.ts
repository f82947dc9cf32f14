// Asks whether somebody may do something: `authorizer.group('apps').resource('deployments').check('create').allowed()`.
import { nameIsDNSLabel, nameIsDNSSubdomain } from "../../validation/names.ts";
import { LIST_CREATION, STRUCT_CREATION, TRAVERSAL } from "../cost/factors.ts";
import { sizeOf } from "../cost/estimate.ts";
import { add, type Range, range, scale } from "../cost/range.ts";
import { declare, type Library, type Overload } from "../environment.ts";
import { BOOL, type CelType, STRING, structOf } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import { OpaqueValue, type Value } from "../values/value.ts";
import { method, NOMINAL, text } from "./define.ts";

const PREFIX = "kubernetes.authorization.";
/** The type of the variable `authorizer`. */
export const AUTHORIZER = structOf(`${PREFIX}Authorizer`);
const PATH_CHECK = structOf(`${PREFIX}PathCheck`);
const GROUP_CHECK = structOf(`${PREFIX}GroupCheck`);
/** The type of the variable `authorizer.requestResource`. */
export const RESOURCE_CHECK = structOf(`${PREFIX}ResourceCheck`);
const DECISION = structOf(`${PREFIX}Decision`);

/** A resource and what may be done with it. */
export interface ResourceAccess {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** What is asked. */
export interface AccessQuestion {
  readonly verb: string;
  readonly path?: string;
  readonly resource?: ResourceAccess;
  /** Asked for a service account instead of the user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Answers questions about access. What it throws ends the evaluation. */
export type Access = (question: AccessQuestion) => AccessDecision;

/** These values have methods only: they are never equal to anything. */
abstract class AccessValue extends OpaqueValue {
  equals(_other: Value): boolean {
    throw noSuchOverload();
  }
}

export class AuthorizerValue extends AccessValue {
  readonly type: CelType = AUTHORIZER;

  constructor(readonly access: Access, readonly serviceAccount?: AccessQuestion["serviceAccount"]) {
    super();
  }
}

class PathCheck extends AccessValue {
  readonly type: CelType = PATH_CHECK;

  constructor(readonly authorizer: AuthorizerValue, readonly path: string) {
    super();
  }
}

class GroupCheck extends AccessValue {
  readonly type: CelType = GROUP_CHECK;

  constructor(readonly authorizer: AuthorizerValue, readonly group: string) {
    super();
  }
}

export class ResourceCheck extends AccessValue {
  readonly type: CelType = RESOURCE_CHECK;

  constructor(readonly authorizer: AuthorizerValue, readonly resource: ResourceAccess) {
    super();
  }

  with(part: Partial<ResourceAccess>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.resource, ...part });
  }
}

class DecisionValue extends AccessValue {
  readonly type: CelType = DECISION;

  constructor(readonly decision: AccessDecision) {
    super();
  }
}

function as<T extends AccessValue>(kind: abstract new (...args: never[]) => T, value: Value): T {
  if (!(value instanceof kind)) throw noSuchOverload();
  return value;
}

function present(value: Value, what: string): string {
  const name = text(value);
  if (name.trim() === "") throw new EvalError(`${what} must not be empty`);
  return name;
}

function serviceAccount(value: Value, namespace: Value, name: Value): Value {
  const account = { namespace: text(namespace), name: text(name) };
  if (nameIsDNSSubdomain(account.name, false).length > 0) throw new EvalError("Invalid service account name");
  if (nameIsDNSLabel(account.namespace, false).length > 0) throw new EvalError("Invalid service account namespace");
  return new AuthorizerValue(as(AuthorizerValue, value).access, account);
}

function resource(value: Value, name: Value): Value {
  const { authorizer, group } = as(GroupCheck, value);
  return new ResourceCheck(authorizer, {
    group,
    resource: present(name, "resource"),
    subresource: "",
    namespace: "",
    name: "",
    fieldSelector: "",
    labelSelector: "",
  });
}

function checkPath(value: Value, verb: Value): Value {
  const { authorizer, path } = as(PathCheck, value);
  const { access, serviceAccount } = authorizer;
  return new DecisionValue(access({ verb: text(verb), path, serviceAccount }));
}

function checkResource(value: Value, verb: Value): Value {
  const { authorizer, resource } = as(ResourceCheck, value);
  const { access, serviceAccount } = authorizer;
  return new DecisionValue(access({ verb: text(verb), resource, serviceAccount }));
}

/** Two of them exhaust what an expression may cost. */
const CHECK_COST = 350_000;
const CHECK: Pick<Overload, "cost" | "estimate"> = {
  cost: () => CHECK_COST,
  estimate: () => ({ cost: range(CHECK_COST) }),
};

/** A selector is read and becomes a list of requirements, of two characters at least. */
function selectorCost(length: Range): Range {
  const requirements = scale(scale(length, 0.5), LIST_CREATION + STRUCT_CREATION);
  return add(range(LIST_CREATION), scale(length, TRAVERSAL), requirements);
}

const SELECTOR: Pick<Overload, "cost" | "estimate"> = {
  cost: (args) => selectorCost(range(costSize(args[1]))).max,
  estimate: (estimator, _target, args) => ({ cost: selectorCost(sizeOf(estimator, args[0])) }),
};

function part(name: string, member: keyof ResourceAccess, id: string, costs = NOMINAL) {
  const call = (value: Value, given: Value) => as(ResourceCheck, value).with({ [member]: text(given) });
  return declare(name, method(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, call, costs));
}

function answer(name: string, type: CelType, get: (decision: AccessDecision) => Value) {
  const call = (value: Value) => get(as(DecisionValue, value).decision);
  return declare(name, method(`decision_${name}`, [DECISION], type, call, NOMINAL));
}

export const AUTHORIZERS: Library = {
  functions: [
    declare(
      "path",
      method(
        "authorizer_path",
        [AUTHORIZER, STRING],
        PATH_CHECK,
        (value, path) => new PathCheck(as(AuthorizerValue, value), present(path, "path")),
        NOMINAL,
      ),
    ),
    declare(
      "group",
      method(
        "authorizer_group",
        [AUTHORIZER, STRING],
        GROUP_CHECK,
        (value, group) => new GroupCheck(as(AuthorizerValue, value), text(group)),
        NOMINAL,
      ),
    ),
    declare(
      "serviceAccount",
      method("authorizer_serviceaccount", [AUTHORIZER, STRING, STRING], AUTHORIZER, serviceAccount, NOMINAL),
    ),
    declare("resource", method("groupcheck_resource", [GROUP_CHECK, STRING], RESOURCE_CHECK, resource, NOMINAL)),
    part("subresource", "subresource", "resourcecheck_subresource"),
    part("namespace", "namespace", "resourcecheck_namespace"),
    part("name", "name", "resourcecheck_name"),
    part("fieldSelector", "fieldSelector", "authorizer_fieldselector", SELECTOR),
    part("labelSelector", "labelSelector", "authorizer_labelselector", SELECTOR),
    declare(
      "check",
      method("pathcheck_check", [PATH_CHECK, STRING], DECISION, checkPath, CHECK),
      method("resourcecheck_check", [RESOURCE_CHECK, STRING], DECISION, checkResource, CHECK),
    ),
    answer("errored", BOOL, (decision) => decision.error !== undefined),
    answer("error", STRING, (decision) => decision.error ?? ""),
    answer("allowed", BOOL, (decision) => decision.allowed),
    answer("reason", STRING, (decision) => decision.reason),
  ],
};
