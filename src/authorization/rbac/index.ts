// Roles and bindings by subject, kept up as they change, so that a request looks only at the bindings of its own user.
import type { PolicyRule } from "../../apis/generated/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import type { KubeObject } from "../../machinery/types.ts";

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
  subjects: readonly Subject[];
}

const NONE: readonly never[] = [];

/** What roles and bindings there are. Objects are those of rbac.authorization.k8s.io/v1. */
export class RbacIndex {
  /** `namespace/name`; cluster roles have no namespace. */
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  /** `namespace` → subject → its bindings. */
  readonly #bySubject = new Map<string, Map<string, Set<Binding>>>();

  putRole(object: KubeObject): void {
    this.#roles.set(keyOf(object), object.rules ?? NONE);
  }

  deleteRole(object: KubeObject): void {
    this.#roles.delete(keyOf(object));
  }

  putBinding(object: KubeObject): void {
    this.deleteBinding(object);
    const binding: Binding = {
      name: object.metadata.name!,
      namespace: object.metadata.namespace ?? "",
      roleRef: object.roleRef,
      subjects: object.subjects ?? NONE,
    };
    this.#bindings.set(keyOf(object), binding);
    for (const subject of binding.subjects) {
      this.#of(binding.namespace, subjectKey(subject, binding.namespace)).add(binding);
    }
  }

  deleteBinding(object: KubeObject): void {
    const binding = this.#bindings.get(keyOf(object));
    if (binding === undefined) return;
    this.#bindings.delete(keyOf(object));
    for (const subject of binding.subjects) {
      this.#bySubject.get(binding.namespace)?.get(subjectKey(subject, binding.namespace))?.delete(binding);
    }
  }

  /** Undefined when there is no such role. */
  rules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(kind === "ClusterRole" ? `/${name}` : `${namespace}/${name}`);
  }

  /** Bindings of one namespace ("" for those of the cluster) with the subject that each binds the user by. */
  *bindingsOf(user: UserInfo, namespace: string): Generator<[Binding, Subject]> {
    const bySubject = this.#bySubject.get(namespace);
    if (bySubject === undefined) return;
    for (const key of [`User ${user.name}`, ...user.groups.map((g) => `Group ${g}`)]) {
      for (const binding of bySubject.get(key) ?? NONE) {
        yield [binding, binding.subjects.find((s) => subjectKey(s, namespace) === key)!];
      }
    }
  }

  #of(namespace: string, subject: string): Set<Binding> {
    let bySubject = this.#bySubject.get(namespace);
    if (bySubject === undefined) this.#bySubject.set(namespace, bySubject = new Map());
    let bindings = bySubject.get(subject);
    if (bindings === undefined) bySubject.set(subject, bindings = new Set());
    return bindings;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** Service accounts are users with a name of their own. */
function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== "ServiceAccount") return `${kind} ${name}`;
  return `User system:serviceaccount:${namespace || bindingNamespace}:${name}`;
}
