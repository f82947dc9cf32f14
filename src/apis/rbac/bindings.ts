// What role bindings and cluster role bindings have in common.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, nameIsDNSSubdomain, nameIsPathSegment } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text, wide } from "../columns.ts";
import type {
  ClusterRoleBinding,
  RbacV1Subject as Subject,
  RoleBinding,
  RoleRef,
} from "../../facts/generated/types.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

const GROUP = "rbac.authorization.k8s.io";
const SUBJECT_KINDS = ["ServiceAccount", "User", "Group"];

type BindingObject = KubeObject & (RoleBinding | ClusterRoleBinding);

function setDefaults({ roleRef, subjects }: BindingObject): void {
  if (roleRef && !roleRef.apiGroup) roleRef.apiGroup = GROUP;
  for (const subject of subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === "User" || subject.kind === "Group")) subject.apiGroup = GROUP;
  }
}

interface Rules {
  roleKinds: readonly string[];
  namespaced: boolean;
}

function validateBinding(object: BindingObject, root: Field, { roleKinds, namespaced }: Rules): void {
  const { roleRef, subjects } = object;
  checkMeta(object, root, { namespaced, validateName: nameIsPathSegment });
  const at = root.child("roleRef");
  const { apiGroup = "", kind = "", name = "" } = roleRef ?? {};
  if (apiGroup !== GROUP) at.child("apiGroup").notSupported(apiGroup, [GROUP]);
  if (!roleKinds.includes(kind)) at.child("kind").notSupportedInOrder(kind, roleKinds);
  if (name === "") at.child("name").required();
  else at.child("name").invalidEach(name, nameIsPathSegment(name, false));
  (subjects ?? []).forEach((subject, i) => validateSubject(subject, root.child("subjects").index(i), namespaced));
}

function validateSubject(subject: Subject, at: Field, namespaced: boolean): void {
  const { kind = "", name = "", apiGroup = "", namespace = "" } = subject;
  if (name === "") at.child("name").required();
  if (kind === "ServiceAccount") {
    if (name !== "") at.child("name").invalidEach(name, nameIsDNSSubdomain(name, false));
    if (apiGroup !== "") at.child("apiGroup").notSupported(apiGroup, [""]);
    if (!namespaced && namespace === "") at.child("namespace").required();
  } else if (SUBJECT_KINDS.includes(kind)) {
    if (apiGroup !== GROUP) at.child("apiGroup").notSupported(apiGroup, [GROUP]);
  } else {
    at.child("kind").notSupportedInOrder(kind, SUBJECT_KINDS);
  }
}

/** The reference as the API shows it. */
function shown({ apiGroup = "", kind = "", name = "" }: Partial<RoleRef>) {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateRoleRefUpdate(binding: BindingObject, old: BindingObject, root: Field): void {
  const now = shown(binding.roleRef ?? {});
  if (JSON.stringify(now) !== JSON.stringify(shown(old.roleRef ?? {}))) {
    root.child("roleRef").invalid(now, "cannot change roleRef");
  }
}

function subjectNames(binding: BindingObject, kind: string, name: (subject: Subject) => string | undefined): string {
  return (binding.subjects ?? []).filter((s) => s.kind === kind).map(name).join(", ");
}

const columns: readonly Column<BindingObject>[] = [
  NAME,
  text("Role", "The role that is bound.", ({ roleRef }) => `${roleRef?.kind ?? ""}/${roleRef?.name ?? ""}`),
  AGE,
  wide(text("Users", "Users that it is bound to.", (b) => subjectNames(b, "User", (s) => s.name))),
  wide(text("Groups", "Groups that it is bound to.", (b) => subjectNames(b, "Group", (s) => s.name))),
  wide(
    text(
      "ServiceAccounts",
      "Service accounts that it is bound to.",
      (b) => subjectNames(b, "ServiceAccount", (s) => `${s.namespace ?? ""}/${s.name ?? ""}`),
    ),
  ),
];

/** A kind of binding: the two differ by what they may bind. */
export function bindingKind(kind: string, resource: string, rules: Rules): KindDefinition<BindingObject> {
  return {
    gvk: { group: GROUP, version: "v1", kind },
    resource,
    allowCreateOnUpdate: true,
    checksMetadata: true,
    validateName: nameIsPathSegment,
    setDefaults,
    validate: (object) => collect((root) => validateBinding(object, root, rules)),
    validateUpdate: (object, old) =>
      collect((root) => {
        validateBinding(object, root, rules);
        checkMetaUpdate(object, old, root);
        validateRoleRefUpdate(object, old, root);
      }),
    columns,
  };
}
