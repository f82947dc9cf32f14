// Which names an authority may sign for (RFC 5280, 4.2.1.10), judged as crypto/x509 of Go does.
import { derChildren, type DerValue } from "../../machinery/der.ts";

export interface GeneralName {
  kind: "email" | "dns" | "uri" | "ip";
  bytes: Uint8Array;
}

export interface NameConstraints {
  permitted: readonly GeneralName[];
  excluded: readonly GeneralName[];
}

const KINDS: Readonly<Record<number, GeneralName["kind"]>> = { 0x81: "email", 0x82: "dns", 0x86: "uri", 0x87: "ip" };
const PERMITTED_TAG = 0xa0, EXCLUDED_TAG = 0xa1;
const LATIN1 = new TextDecoder("latin1");

/** Undefined when it is a kind of name that is not compared: of a directory, say. */
export function generalName({ tag, bytes }: DerValue): GeneralName | undefined {
  const kind = KINDS[tag];
  return kind && { kind, bytes };
}

/** Undefined when it constrains a kind of name that is not compared. */
export function nameConstraints(value: DerValue): NameConstraints | undefined {
  const lists = derChildren(value);
  const subtrees = (wanted: number) =>
    lists.filter(({ tag }) => tag === wanted)
      .flatMap((list) => derChildren(list).map((subtree) => generalName(derChildren(subtree)[0])));
  const permitted = subtrees(PERMITTED_TAG), excluded = subtrees(EXCLUDED_TAG);
  if ([...permitted, ...excluded].includes(undefined)) return undefined;
  return { permitted: permitted as GeneralName[], excluded: excluded as GeneralName[] };
}

export function allows({ permitted, excluded }: NameConstraints, name: GeneralName): boolean {
  const sameKind = ({ kind }: GeneralName) => kind === name.kind;
  const limits = permitted.filter(sameKind);
  if (excluded.filter(sameKind).some((constraint) => matches(name, constraint, true))) return false;
  return limits.length === 0 || limits.some((constraint) => matches(name, constraint, false));
}

/** @param doubtful the answer for a name that cannot be read */
function matches(name: GeneralName, constraint: GeneralName, doubtful: boolean): boolean {
  if (name.kind === "ip") return matchesAddress(name.bytes, constraint.bytes);
  const text = LATIN1.decode(name.bytes), limit = LATIN1.decode(constraint.bytes);
  if (name.kind === "dns") return matchesDomain(text, limit);
  if (name.kind === "uri") {
    const host = URL.canParse(text) ? new URL(text).hostname : "";
    return host === "" || /^[\d.]+$|^\[/.test(host) ? doubtful : matchesDomain(host, limit);
  }
  const at = text.lastIndexOf("@");
  if (at < 0) return doubtful;
  const limitAt = limit.lastIndexOf("@");
  const host = text.slice(at + 1);
  if (limitAt < 0) return matchesDomain(host, limit);
  return text.slice(0, at) === limit.slice(0, limitAt) && host.toLowerCase() === limit.slice(limitAt + 1).toLowerCase();
}

/** The domain itself or one below it; with a leading period only what is below. */
function matchesDomain(domain: string, constraint: string): boolean {
  if (constraint === "") return true;
  const name = domain.toLowerCase(), limit = constraint.toLowerCase();
  return limit.startsWith(".") ? name.endsWith(limit) : name === limit || name.endsWith("." + limit);
}

/** @param constraint an address and a mask of the same length */
function matchesAddress(address: Uint8Array, constraint: Uint8Array): boolean {
  const { length } = address;
  if (constraint.length !== 2 * length) return false;
  return address.every((octet, i) => ((octet ^ constraint[i]) & constraint[length + i]) === 0);
}
