// Who may have which names: within a group every plural, singular and short name belongs to one CRD, and so does every
// kind and list kind. Who comes first keeps them; who is refused is looked at again when names of the group change.
import { type Condition, findCondition, isSameCondition, setCondition } from "../../apis/apiextensions/conditions.ts";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import type { CustomResourceDefinitionNames } from "../../facts/generated/types.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";

type Names = CustomResourceDefinitionNames;
type Refusal = readonly [reason: string, error: Error];

interface Member {
  group: string;
  accepted: Names;
  /** Whether it waits for names that somebody else has. */
  waits: boolean;
}

/** The names of all CRDs, and who gets which. Only one CRD may be resolved at a time. */
export class NameRegistry {
  readonly #members = new Map<string, Member>();
  /** Group → names of its CRDs. */
  readonly #groups = new Map<string, Set<string>>();

  /** Takes note of a CRD as it is now; the answer is who may get names that it gave up. */
  put(crd: CustomResourceDefinition): string[] {
    const name = crd.metadata.name!, group = crd.spec?.group ?? "", accepted = crd.status?.acceptedNames ?? {};
    const before = this.#members.get(name);
    this.#members.set(name, { group, accepted, waits: !deepEqual(accepted, crd.spec?.names) });
    const names = this.#groups.get(group);
    if (names === undefined) this.#groups.set(group, new Set([name]));
    else names.add(name);
    return before === undefined || deepEqual(before.accepted, accepted) ? [] : this.#waiting(group, name);
  }

  /** Forgets a CRD; the answer is who may get its names. */
  delete(name: string): string[] {
    const member = this.#members.get(name);
    if (member === undefined) return [];
    this.#members.delete(name);
    const names = this.#groups.get(member.group)!;
    names.delete(name);
    if (names.size === 0) this.#groups.delete(member.group);
    return this.#waiting(member.group, name);
  }

  /** Who of a group, but for one, waits for names. */
  #waiting(group: string, except: string): string[] {
    return [...this.#groups.get(group) ?? []].filter((name) => name !== except && this.#members.get(name)!.waits);
  }

  /** Settles the names of a CRD and says so in its status. False: nothing changed. */
  resolve(crd: CustomResourceDefinition): boolean {
    const wanted = crd.spec?.names ?? {}, before = crd.status?.acceptedNames ?? {};
    if (deepEqual(wanted, before)) return false;
    const { accepted, condition } = this.#settle(crd.spec?.group ?? "", wanted, before);
    if (deepEqual(accepted, before) && isSameCondition(condition, findCondition(crd, "NamesAccepted"))) return false;
    const established = initiallyEstablished(crd, condition);
    crd.status = { ...crd.status, acceptedNames: accepted };
    setCondition(crd, condition);
    setCondition(crd, established);
    return true;
  }

  #settle(group: string, wanted: Names, before: Names): { accepted: Names; condition: Condition } {
    const { resources, kinds } = this.#taken(group);
    const accepted: Names = { ...before, categories: wanted.categories };
    // Of several refusals the last one is told.
    let refusal: Refusal | undefined;
    const settle = (
      member: "plural" | "singular" | "kind" | "listKind",
      taken: ReadonlySet<string>,
      reason: string,
    ) => {
      const error = refused(wanted[member], before[member], taken);
      if (error === undefined) accepted[member] = wanted[member];
      else refusal = [reason, error];
    };
    settle("plural", resources, "PluralConflict");
    settle("singular", resources, "SingularConflict");
    const errors = refusedShortNames(wanted.shortNames ?? [], before.shortNames ?? [], resources);
    if (errors.length === 0) accepted.shortNames = wanted.shortNames;
    else refusal = ["ShortNamesConflict", new AggregateFailure(errors)];
    settle("kind", kinds, "KindConflict");
    settle("listKind", kinds, "ListKindConflict");
    return { accepted, condition: conditionOf(refusal) };
  }

  /** What the CRDs of a group have been given. */
  #taken(group: string): { resources: Set<string>; kinds: Set<string> } {
    const resources = new Set<string>(), kinds = new Set<string>();
    for (const name of this.#groups.get(group) ?? []) {
      const { plural = "", singular = "", shortNames = [], kind = "", listKind = "" } =
        this.#members.get(name)!.accepted;
      for (const taken of [plural, singular, ...shortNames]) resources.add(taken);
      kinds.add(kind).add(listKind);
    }
    return { resources, kinds };
  }
}

function refused(wanted = "", accepted = "", taken: ReadonlySet<string>): Error | undefined {
  return wanted === accepted || !taken.has(wanted) ? undefined : new Error(`${goQuote(wanted)} is already in use`);
}

function refusedShortNames(
  wanted: readonly string[],
  accepted: readonly string[],
  taken: ReadonlySet<string>,
): Error[] {
  return wanted.filter((name) => !accepted.includes(name)).flatMap((name) => refused(name, "", taken) ?? []);
}

function conditionOf(refusal: Refusal | undefined): Condition {
  const type = "NamesAccepted";
  if (refusal === undefined) return { type, status: "True", reason: "NoConflicts", message: "no conflicts found" };
  return { type, status: "False", reason: refusal[0], message: refusal[1].message };
}

/** Whether it is served, as far as names decide: once it is it stays so. */
function initiallyEstablished(crd: CustomResourceDefinition, names: Condition): Condition {
  const before = findCondition(crd, "Established");
  if (names.status === "True" && before?.status !== "True") {
    return {
      type: "Established",
      status: "False",
      reason: "Installing",
      message: "the initial names have been accepted",
    };
  }
  return before ?? {
    type: "Established",
    status: "False",
    reason: "NotAccepted",
    message: "not all names are accepted",
  };
}
