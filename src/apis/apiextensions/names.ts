// Names of a CRD: what it wants to be called, and what it is called (status.acceptedNames).
import { type Field, isDNS1035Label } from "../../machinery/validation/mod.ts";
import type { CustomResourceDefinitionNames } from "../../facts/generated/types.ts";

const REQUIRED = ["plural", "singular", "kind", "listKind"] as const;

/** Names that a spec needs. */
export function validateRequiredNames(names: CustomResourceDefinitionNames, at: Field): void {
  for (const member of REQUIRED) if (!names[member]) at.child(member).required();
}

export function validateNames(names: CustomResourceDefinitionNames, at: Field): void {
  for (const member of ["plural", "singular"] as const) {
    const name = names[member];
    if (name) validateLabel(name, at.child(member));
  }
  for (const member of ["kind", "listKind"] as const) {
    const problems = isDNS1035Label((names[member] ?? "").toLowerCase());
    if (names[member] && problems.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
      at.child(member).invalid(names[member], detail);
    }
  }
  names.shortNames?.forEach((name, i) => validateLabel(name, at.child("shortNames").index(i)));
  if (names.kind && names.kind === names.listKind) {
    at.child("listKind").invalid(names.listKind, "kind and listKind may not be the same");
  }
  names.categories?.forEach((name, i) => validateLabel(name, at.child("categories").index(i)));
}

/** All that is wrong with a name in one error. */
export function validateLabel(name: string, at: Field): void {
  const problems = isDNS1035Label(name);
  if (problems.length > 0) at.invalid(name, problems.join(","));
}
