// Priority levels: shares of the server and queues for requests (KEP-1040).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { validateFlowConditions } from "./conditions.ts";
import { EXEMPT, MANDATORY_PRIORITY_LEVELS } from "./mandatory.ts";
import { lookUp } from "../../machinery/look_up.ts";

type LevelObject = KubeObject & PriorityLevelConfiguration;

const TYPES = ["Exempt", "Limited"];
const RESPONSES = ["Queue", "Reject"];
const DEFAULT_SHARES = 30;
const DEFAULT_QUEUING = { handSize: 8, queues: 64, queueLengthLimit: 50 };
const MAX_QUEUES = 10_000_000;
/** Bits of the hash that picks the hand. */
const MAX_HASH_BITS = 60;
/** How older versions keep a share of zero; no object of this version has it. */
const ZERO_SHARES = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

function setDefaults({ spec }: LevelObject): void {
  if (spec?.exempt) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  if (!spec?.limited) return;
  spec.limited.nominalConcurrencyShares ??= DEFAULT_SHARES;
  spec.limited.lendablePercent ??= 0;
  const queuing = spec.limited.limitResponse?.queuing;
  if (!queuing) return;
  for (const member of ["handSize", "queues", "queueLengthLimit"] as const) queuing[member] ||= DEFAULT_QUEUING[member];
}

function check(object: LevelObject, root: Field): void {
  const { spec = {}, metadata: { name = "", annotations = {} } } = object, at = root.child("spec");
  checkMeta(object, root, { namespaced: false });
  if (ZERO_SHARES in annotations) {
    root.child("metadata", "annotations").forbidden(`annotation '${ZERO_SHARES}' is forbidden`);
  }
  checkSpec(spec, name, at);
  checkMandatory(spec, name, at);
  validateFlowConditions(object.status?.conditions, root.child("status", "conditions"));
}

function checkSpec(spec: PriorityLevelConfigurationSpec, name: string, at: Field): void {
  const { type = "", limited, exempt } = spec;
  if ((name === EXEMPT) !== (type === "Exempt")) {
    at.child("type").invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type === "Exempt") {
    if (limited) at.child("limited").forbidden("must be nil if the type is not Limited");
    if (exempt) checkShares(exempt, at.child("exempt"), () => {});
  } else if (type === "Limited") {
    if (exempt) at.child("exempt").forbidden("must be nil if the type is Limited");
    if (limited) checkLimited(limited, at.child("limited"));
    else at.child("limited").required("must not be empty when type is Limited");
  } else if (type === "") at.child("type").required();
  else at.child("type").notSupported(type, TYPES);
}

/** @param between what is checked between the two numbers */
function checkShares(
  { nominalConcurrencyShares: shares, lendablePercent: lendable }: LimitedPriorityLevelConfiguration,
  at: Field,
  between: () => void,
): void {
  if (shares && shares < 0) {
    at.child("nominalConcurrencyShares").invalid(shares, "must be a non-negative integer");
  }
  between();
  if (lendable !== undefined && (lendable < 0 || lendable > 100)) {
    at.child("lendablePercent").invalid(lendable, "must be between 0 and 100, inclusive");
  }
}

function checkLimited(limited: LimitedPriorityLevelConfiguration, at: Field): void {
  checkShares(limited, at, () => checkResponse(limited.limitResponse ?? {}, at.child("limitResponse")));
  const borrowing = limited.borrowingLimitPercent;
  if (borrowing !== undefined && borrowing < 0) {
    at.child("borrowingLimitPercent").invalid(borrowing, "if specified, must be a non-negative integer");
  }
}

function checkResponse({ type = "", queuing }: LimitResponse, at: Field): void {
  const field = at.child("queuing");
  if (type === "Reject") {
    if (queuing) field.forbidden("must be nil if limited.limitResponse.type is not Limited");
  } else if (type === "Queue") {
    if (queuing) checkQueuing(queuing, at.child("queuing"));
    else field.required("must not be empty if limited.limitResponse.type is Limited");
  } else if (type === "") at.child("type").required();
  else at.child("type").notSupported(type, RESPONSES);
}

function checkQueuing({ queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration, at: Field): void {
  if (queueLengthLimit <= 0) at.child("queueLengthLimit").invalid(queueLengthLimit, "must be positive");
  if (queues <= 0) at.child("queues").invalid(queues, "must be positive");
  else if (queues > MAX_QUEUES) at.child("queues").invalid(queues, `must not be greater than ${MAX_QUEUES}`);
  const hand = at.child("handSize");
  if (handSize <= 0) hand.invalid(handSize, "must be positive");
  else if (handSize > queues) hand.invalid(handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > MAX_HASH_BITS) {
    hand.invalid(
      handSize,
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`,
    );
  }
}

/** Of the exempt level only the numbers may change. */
function checkMandatory(spec: PriorityLevelConfigurationSpec, name: string, at: Field): void {
  const fixed = lookUp(MANDATORY_PRIORITY_LEVELS, name);
  if (fixed === undefined) return;
  const free = name === EXEMPT;
  if (deepEqual(free ? { ...spec, exempt: fixed.exempt } : spec, fixed)) return;
  at.invalid(
    internalForm("PriorityLevelConfigurationSpec", spec),
    `spec of '${name}'${free ? " except the 'spec.exempt' field" : ""} must equal the fixed value`,
  );
}

function validate(object: LevelObject) {
  return collect((root) => check(object, root));
}

function queuingColumn(
  name: string,
  description: string,
  member: keyof QueuingConfiguration,
): Column<LevelObject> {
  return text(name, description, ({ spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return queuing ? queuing[member] ?? 0 : "<none>";
  });
}

export const priorityLevelConfiguration: KindDefinition<LevelObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "PriorityLevelConfiguration" },
  resource: "prioritylevelconfigurations",
  generation: true,
  checksMetadata: true,
  setDefaults,
  validate,
  validateUpdate: validate,
  columns: [
    NAME,
    text("Type", "Whether requests are limited.", ({ spec }) => spec?.type ?? ""),
    text(
      "NominalConcurrencyShares",
      "Its share of the server.",
      ({ spec }) => spec?.limited ? spec.limited.nominalConcurrencyShares ?? 0 : "<none>",
    ),
    queuingColumn("Queues", "Number of queues.", "queues"),
    queuingColumn("HandSize", "Queues that a flow may use.", "handSize"),
    queuingColumn("QueueLengthLimit", "Longest queue.", "queueLengthLimit"),
    AGE,
  ],
  statusResetFields: [["metadata"], ["spec"]],
  subresources: {
    status: {
      checksMetadata: true,
      validateUpdate: ({ status }) =>
        collect((root) => validateFlowConditions(status?.conditions, root.child("status", "conditions"))),
    },
  },
};
