// Names of devices, pools, attributes and of who holds them.
import {
  byteLength,
  type Field,
  isCIdentifier,
  isDNS1123Subdomain,
  validateDNS1123Label,
} from "../../machinery/validation/mod.ts";
import { validateCSIDriverName } from "../core/pod_spec/volume_sources.ts";

const MAX_ID = 32;
/** Domain, slash and identifier. */
export const MAX_QUALIFIED_NAME = 63 + 1 + MAX_ID;
const MAX_POOL_NAME = 253;

/** Drivers are named as CSI drivers are. */
export const checkDriverName = validateCSIDriverName;

export function checkPoolName(name = "", at: Field): void {
  if (name === "") return at.required();
  if (byteLength(name) > MAX_POOL_NAME) at.tooLong(MAX_POOL_NAME);
  for (const part of name.split("/")) at.invalidEach(part, isDNS1123Subdomain(part));
}

export function checkLabelName(name = "", at: Field): void {
  validateDNS1123Label(name, at);
}

function checkIdentifier(name: string, at: Field): void {
  if (byteLength(name) > MAX_ID) at.tooLong(MAX_ID);
  at.invalidEach(name, isCIdentifier(name));
}

/** `memory` or `gpu.example.com/memory`. Names with more slashes were forgotten. */
export function checkQualifiedName(name: string, at: Field): void {
  const parts = name.split("/"), [domain, id] = parts;
  if (parts.length === 1) return checkIdentifier(name, at);
  if (parts.length > 2) return;
  if (domain === "") at.invalid("", "the domain must not be empty");
  else checkDriverName(domain, at);
  if (id === "") at.invalid("", "the name must not be empty");
  else checkIdentifier(id, at);
}

/** A qualified name that has its domain. */
export function checkFullyQualifiedName(name: string, at: Field): void {
  checkQualifiedName(name, at);
  if (!name.includes("/")) {
    at.invalid(name, "a fully qualified name must be a domain and a name separated by a slash");
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID in its usual form (RFC 4122). */
export function checkUid(uid: string, at: Field): void {
  const problem = uuidProblem(uid);
  if (problem !== undefined) at.invalid(uid, `error validating uid: ${problem}`);
  else if (!UUID.test(uid)) {
    at.invalid(
      uid,
      "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal " +
        "characters",
    );
  }
}

/** Why a text is no UUID in any of its forms: with a URN's prefix, in braces, without dashes. */
function uuidProblem(uid: string): string | undefined {
  let text = uid;
  if (uid.length === 36 + 9) {
    if (!/^urn:uuid:/i.test(uid)) return `invalid urn prefix: ${JSON.stringify(uid.slice(0, 9))}`;
    text = uid.slice(9);
  } else if (uid.length === 36 + 2) {
    if (!/^\{.*\}$/.test(uid)) return "invalid bracketed UUID format";
    text = uid.slice(1, -1);
  } else if (uid.length === 32) {
    return /^[0-9a-f]{32}$/i.test(uid) ? undefined : "invalid UUID format";
  } else if (uid.length !== 36) return `invalid UUID length: ${uid.length}`;
  return new RegExp(UUID, "i").test(text) ? undefined : "invalid UUID format";
}
