// Certificate signing requests: somebody asks for a certificate, somebody approves it, a signer writes it into the status.
import { humanDuration } from "../../machinery/duration.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import { parseCertificateRequest } from "../../machinery/pkcs10.ts";
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field } from "../../machinery/validation/mod.ts";
import type { RequestContext } from "../context.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { certificateProblem } from "./certificate_data.ts";
import { validateSignerName } from "./signer_name.ts";

type RequestObject = KubeObject & CertificateSigningRequest;
type Condition = CertificateSigningRequestCondition;

const APPROVED = "Approved", DENIED = "Denied", FAILED = "Failed";
const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const MIN_SECONDS = 600;
const USAGES = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

function conditionsOf({ status }: RequestObject, ...types: string[]): Condition[] {
  const all = status?.conditions ?? [];
  return types.length === 0 ? all : all.filter(({ type = "" }) => types.includes(type));
}

/** The requester is who makes the request, whatever it says. */
function prepareForCreate(object: RequestObject, { user }: RequestContext): void {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = object.spec ?? {};
  object.spec = {
    ...spec,
    username: user.name,
    uid: user.uid,
    groups: [...user.groups],
    ...Object.keys(user.extra).length > 0 && {
      extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
    },
  };
  object.status = {};
}

/** Times that nobody set: of the same condition before, or now. */
function setTimes(object: RequestObject, old: RequestObject): void {
  const time = now();
  for (const condition of conditionsOf(object)) {
    condition.lastUpdateTime ||= time;
    if (condition.lastTransitionTime) continue;
    const { type, status } = condition;
    const before = conditionsOf(old).find((c) => c.type === type && c.status === status && c.lastTransitionTime);
    condition.lastTransitionTime = before?.lastTransitionTime ?? time;
  }
}

/** The status is written without a say in who approved what. */
function keepDecisions(object: RequestObject, old: RequestObject): void {
  for (const type of [APPROVED, DENIED]) {
    const before = conditionsOf(old, type), after = conditionsOf(object, type);
    if (before.length !== after.length) continue;
    after.forEach((condition, i) => {
      const conditions = object.status!.conditions!;
      conditions[conditions.indexOf(condition)] = before[i];
    });
  }
}

/** What an update forgives because it was wrong before. */
interface Tolerance {
  usages: boolean;
  duplicateUsages: boolean;
  legacySigner: boolean;
  duplicateTypes: boolean;
  emptyTypes: boolean;
  bothDecisions: boolean;
  certificate: boolean;
}

function hasDuplicates(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

function toleranceOf(object: RequestObject, old: RequestObject | undefined): Tolerance {
  const usages = old?.spec?.usages ?? [], types = old === undefined ? [] : conditionsOf(old).map((c) => c.type ?? "");
  const before = old?.status?.certificate;
  return {
    usages: usages.some((usage) => !USAGES.includes(usage)),
    duplicateUsages: hasDuplicates(usages),
    legacySigner: old?.spec?.signerName === LEGACY_SIGNER,
    duplicateTypes: hasDuplicates(types),
    emptyTypes: types.includes(""),
    bothDecisions: types.includes(APPROVED) && types.includes(DENIED),
    certificate: old !== undefined &&
      ((object.status?.certificate ?? "") === (before ?? "") || certificateProblem(before) !== undefined),
  };
}

function validateRequest(object: RequestObject, old: RequestObject | undefined, root: Field): void {
  const tolerance = toleranceOf(object, old);
  validateSpec(object, tolerance, root.child("spec"));
  validateConditions(conditionsOf(object), tolerance, root.child("status", "conditions"));
  const problem = tolerance.certificate ? undefined : certificateProblem(object.status?.certificate);
  if (problem !== undefined) root.child("status", "certificate").invalid("<certificate data>", problem);
}

function validateSpec({ spec = {} }: RequestObject, tolerance: Tolerance, at: Field): void {
  const { request, usages = [], signerName = "", expirationSeconds } = spec;
  try {
    parseCertificateRequest(atob(request ?? "")).checkSignature();
  } catch (e) {
    at.child("request").invalid(request ?? null, (e as Error).message);
  }
  const usagesAt = at.child("usages");
  if (usages.length === 0) usagesAt.required();
  usages.forEach((usage, i) => {
    if (!tolerance.usages && !USAGES.includes(usage)) usagesAt.index(i).notSupported(usage, USAGES);
  });
  usages.forEach((usage, i) => {
    if (!tolerance.duplicateUsages && usages.indexOf(usage) < i) usagesAt.index(i).duplicate(usage);
  });
  if (signerName === LEGACY_SIGNER && !tolerance.legacySigner) {
    at.child("signerName").invalid(signerName, "the legacy signerName is not allowed via this API version");
  } else {
    validateSignerName(signerName, at.child("signerName"));
  }
  if (expirationSeconds !== undefined && expirationSeconds < MIN_SECONDS) {
    const why = "may not specify a duration less than 600 seconds (10 minutes)";
    at.child("expirationSeconds").invalid(expirationSeconds, why);
  }
}

function validateConditions(conditions: readonly Condition[], tolerance: Tolerance, at: Field): void {
  const seen = new Set<string>();
  conditions.forEach(({ type = "", status = "" }, i) => {
    if (type === "" && !tolerance.emptyTypes) at.index(i).child("type").required();
    const allowed = [APPROVED, DENIED, FAILED].includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (status === "") at.index(i).child("status").required();
    else if (!allowed.includes(status)) at.index(i).child("status").notSupported(status, allowed);
    const contrary = type === APPROVED ? DENIED : type === DENIED ? APPROVED : undefined;
    if (contrary !== undefined && seen.has(contrary) && !tolerance.bothDecisions) {
      at.invalid(type, "Approved and Denied conditions are mutually exclusive");
    }
    if (seen.has(type) && !tolerance.duplicateTypes) at.index(i).child("type").duplicate(type);
    seen.add(type);
  });
}

/** What may change: decisions through `approval`, the certificate through `status`. */
interface Freedom {
  decisions?: boolean;
  certificate?: boolean;
}

function validateUpdate(object: RequestObject, old: RequestObject, freedom: Freedom = {}): FieldError[] {
  return collect((root) => {
    checkMeta(object, root, { namespaced: false, validateName: () => [] });
    validateRequest(object, old, root);
    const at = root.child("status", "conditions");
    const added = (type: string) => conditionsOf(object, type).length - conditionsOf(old, type).length;
    for (const type of [APPROVED, DENIED, FAILED]) {
      if (added(type) < 0) at.forbidden(`updates may not remove a condition of type "${type}"`);
    }
    for (const type of freedom.decisions ? [] : [APPROVED, DENIED]) {
      if (added(type) > 0) at.forbidden(`updates may not add a condition of type "${type}"`);
      else if (added(type) === 0 && !deepEqual(conditionsOf(object, type), conditionsOf(old, type))) {
        at.forbidden(`updates may not modify a condition of type "${type}"`);
      }
    }
    validateCertificateUpdate(object, old, freedom, root.child("status", "certificate"));
  });
}

function validateCertificateUpdate(object: RequestObject, old: RequestObject, freedom: Freedom, at: Field): void {
  const before = old.status?.certificate ?? "";
  if ((object.status?.certificate ?? "") === before) return;
  if (!freedom.certificate) at.forbidden("updates may not set certificate content");
  else if (before !== "") at.forbidden("updates may not modify existing certificate content");
}

function stateOf(object: RequestObject): string {
  const has = (type: string) => conditionsOf(object, type).length > 0;
  const parts = [has(DENIED) ? DENIED : has(APPROVED) ? APPROVED : "Pending"];
  if (has(FAILED)) parts.push(FAILED);
  if (object.status?.certificate) parts.push("Issued");
  return parts.join(",");
}

export const certificateSigningRequest: KindDefinition<RequestObject> = {
  gvk: { group: "certificates.k8s.io", version: "v1", kind: "CertificateSigningRequest" },
  resource: "certificatesigningrequests",
  validateName: () => [],
  prepareForCreate,
  validate: (object) => collect((root) => validateRequest(object, undefined, root)),
  prepareForUpdate(object, old) {
    object.spec = old.spec;
    object.status = old.status;
  },
  validateUpdate: (object, old) => validateUpdate(object, old),
  resetFields: [["spec"], ["status"]],
  fields: ({ spec }) => ({ "spec.signerName": spec?.signerName ?? "" }),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        object.spec = old.spec;
        keepDecisions(object, old);
        setTimes(object, old);
      },
      validateUpdate: (object, old) => validateUpdate(object, old, { certificate: true }),
      resetFields: [["spec"], ["status", "conditions"]],
    },
    approval: {
      prepareForUpdate(object, old) {
        setTimes(object, old);
        object.spec = old.spec;
        object.status = { ...old.status, conditions: object.status?.conditions };
      },
      validateUpdate: (object, old) => validateUpdate(object, old, { decisions: true }),
      resetFields: [["spec"], ["status", "certificate"]],
    },
  },
  columns: [
    NAME,
    AGE,
    text("SignerName", "Who is to sign.", ({ spec }) => spec?.signerName || "<none>"),
    text("Requestor", "Who asked.", ({ spec }) => spec?.username ?? ""),
    text("RequestedDuration", "How long it is to be good for.", ({ spec }) => {
      const seconds = spec?.expirationSeconds;
      return seconds === undefined ? "<none>" : humanDuration(seconds * 1000);
    }),
    text("Condition", "What became of it.", stateOf),
  ],
};
