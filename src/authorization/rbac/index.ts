// Roles and bindings by subject, kept up as they change, so that a request looks only at the bindings of its own user.
import type { PolicyRule } from "../../facts/generated/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AuthorizationResult } from "../interface.ts";
import { describeBinding } from "./describe.ts";

export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

/** A ClusterRoleBinding (namespace "") or a RoleBinding. */
export interface Binding {
  name: string;
  namespace: string;
  roleRef: RoleRef;
  /** The role's key in the index. */
  roleKey: string;
  subjects: readonly Subject[];
  /** What a subject that the binding allows something is told; made once. */
  allowed: Map<Subject, AuthorizationResult>;
}

/** Bindings of one namespace by the names of their subjects; service accounts are users with a name of their own. */
interface Bindings {
  users: Map<string, Set<Binding>>;
  groups: Map<string, Set<Binding>>;
}

const NONE: readonly never[] = [];

/** Called for each binding of a user with the rules of its role, undefined when there is no such role; true to stop. */
export type BindingVisitor = (binding: Binding, rules: readonly PolicyRule[] | undefined) => boolean;

/** What roles and bindings there are. Objects are those of rbac.authorization.k8s.io/v1. */
export class RbacIndex {
  /** `namespace/name`; cluster roles have no namespace. */
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  readonly #byNamespace = new Map<string, Bindings>();

  putRole(object: KubeObject): void {
    this.#roles.set(keyOf(object), object.rules ?? NONE);
  }

  deleteRole(object: KubeObject): void {
    this.#roles.delete(keyOf(object));
  }

  putBinding(object: KubeObject): void {
    this.deleteBinding(object);
    const { name = "", namespace = "" } = object.metadata;
    const roleRef: RoleRef = object.roleRef;
    const roleKey = roleRef.kind === "ClusterRole" ? `/${roleRef.name}` : `${namespace}/${roleRef.name}`;
    const subjects: readonly Subject[] = object.subjects ?? NONE;
    const binding: Binding = { name, namespace, roleRef, roleKey, subjects, allowed: new Map() };
    this.#bindings.set(keyOf(object), binding);
    for (const subject of subjects) this.#bindingsOf(subject, namespace)?.add(binding);
  }

  deleteBinding(object: KubeObject): void {
    const binding = this.#bindings.get(keyOf(object));
    if (binding === undefined) return;
    this.#bindings.delete(keyOf(object));
    for (const subject of binding.subjects) {
      const names = this.#names(subject, binding.namespace);
      if (names === undefined) continue;
      const bindings = names.of.get(names.name);
      bindings?.delete(binding);
      if (bindings?.size === 0) names.of.delete(names.name);
    }
  }

  /** Undefined when there is no such role. */
  rules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(kind === "ClusterRole" ? `/${name}` : `${namespace}/${name}`);
  }

  /** Bindings of the cluster, then those of the namespace ("" for none). True when the visitor stopped. */
  visit(user: UserInfo, namespace: string, visitor: BindingVisitor): boolean {
    return this.#visit(user, "", visitor) || (namespace !== "" && this.#visit(user, namespace, visitor));
  }

  #visit({ name, groups }: UserInfo, namespace: string, visitor: BindingVisitor): boolean {
    const bindings = this.#byNamespace.get(namespace);
    if (bindings === undefined) return false;
    if (this.#visitAll(bindings.users.get(name), visitor)) return true;
    for (const group of groups) if (this.#visitAll(bindings.groups.get(group), visitor)) return true;
    return false;
  }

  #visitAll(bindings: Set<Binding> | undefined, visitor: BindingVisitor): boolean {
    if (bindings === undefined) return false;
    for (const binding of bindings) if (visitor(binding, this.#roles.get(binding.roleKey))) return true;
    return false;
  }

  #bindingsOf(subject: Subject, namespace: string): Set<Binding> | undefined {
    const names = this.#names(subject, namespace);
    if (names === undefined) return undefined;
    let bindings = names.of.get(names.name);
    if (bindings === undefined) names.of.set(names.name, bindings = new Set());
    return bindings;
  }

  /** Undefined when the subject is nobody. */
  #names(subject: Subject, namespace: string): { of: Map<string, Set<Binding>>; name: string } | undefined {
    let bindings = this.#byNamespace.get(namespace);
    if (bindings === undefined) {
      this.#byNamespace.set(namespace, bindings = { users: new Map(), groups: new Map() });
    }
    if (subject.kind === "Group") return { of: bindings.groups, name: subject.name };
    const name = userNameOf(subject, namespace);
    return name === undefined ? undefined : { of: bindings.users, name };
  }
}

/** The user's name behind a User or ServiceAccount. */
function userNameOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === "User") return name;
  const where = namespace || bindingNamespace;
  return kind === "ServiceAccount" && where !== "" ? `system:serviceaccount:${where}:${name}` : undefined;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** The answer when a binding allows something: the first of its subjects that the user is gets the credit. */
export function allowedBy(binding: Binding, { name, groups }: UserInfo): AuthorizationResult {
  const subject = binding.subjects.find((s) =>
    s.kind === "Group" ? groups.includes(s.name) : userNameOf(s, binding.namespace) === name
  )!;
  let result = binding.allowed.get(subject);
  if (result === undefined) {
    result = { decision: "allow", reason: `RBAC: allowed by ${describeBinding(binding, subject)}` };
    binding.allowed.set(subject, result);
  }
  return result;
}
