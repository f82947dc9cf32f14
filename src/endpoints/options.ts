// The options of each verb (meta.v1 ListOptions, CreateOptions, …), read from the query and checked.
import { badRequestError, invalidError } from "../machinery/errors.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  notSupportedInOrder,
  path,
  required,
  tooLong,
} from "../machinery/field_error.ts";
import { goUnicode, isPrintable, isPrintableAscii, unprintables, utf8Length } from "../machinery/go_text.ts";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "../machinery/selectors/mod.ts";
import type { JsonObject } from "../machinery/types.ts";
import type { DeleteOptions } from "../registry/rest.ts";
import { booleanValue, firstValue, type Query } from "./query.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** CreateOptions, UpdateOptions and PatchOptions. */
export interface WriteOptions {
  dryRun: boolean;
  /** "" when the client names none. */
  fieldManager: string;
  fieldValidation: FieldValidation;
  /** Patch only. */
  force?: boolean;
  /** As sent, with kind and apiVersion, for admission. */
  object: JsonObject;
}

const FIELD_MANAGER_MAX_BYTES = 128;
const FIELD_VALIDATIONS = ["", "Ignore", "Strict", "Warn"];

/**
 * @param kind `CreateOptions`, `UpdateOptions` or `PatchOptions`
 * @param apply the patch is a server-side apply
 */
export function decodeWriteOptions(query: Query, kind: string, apply = false): WriteOptions {
  const dryRun = query.get("dryRun") ?? [];
  const fieldManager = firstValue(query, "fieldManager");
  const fieldValidation = firstValue(query, "fieldValidation");
  const force = kind === "PatchOptions" ? booleanValue(query, "force") : undefined;
  const errors: FieldError[] = [];
  if (kind === "PatchOptions") {
    if (apply && fieldManager === "") errors.push(required(path("fieldManager"), "is required for apply patch"));
    if (!apply && force !== undefined) {
      errors.push(forbidden(path("force"), "may not be specified for non-apply patch"));
    }
  }
  errors.push(...validateFieldManager(fieldManager), ...validateDryRun(dryRun));
  if (!FIELD_VALIDATIONS.includes(fieldValidation)) {
    errors.push(notSupported(path("fieldValidation"), fieldValidation, FIELD_VALIDATIONS));
  }
  refuseInvalid(kind, errors);
  const object: JsonObject = { kind, apiVersion: "meta.k8s.io/v1" };
  if (dryRun.length > 0) object.dryRun = [...dryRun];
  if (force !== undefined) object.force = force;
  if (fieldManager !== "") object.fieldManager = fieldManager;
  if (fieldValidation !== "") object.fieldValidation = fieldValidation;
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === "" ? "Warn" : fieldValidation as FieldValidation,
    force,
    object,
  };
}

/** The same options under another kind: a PUT that creates, a patch that updates. */
export function optionsAs(options: WriteOptions, kind: string): JsonObject {
  const { force: _, ...rest } = options.object;
  return { ...rest, kind };
}

function validateFieldManager(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager === "") return errors;
  if (utf8Length(manager) > FIELD_MANAGER_MAX_BYTES) {
    errors.push(tooLong(path("fieldManager"), FIELD_MANAGER_MAX_BYTES));
  }
  for (const { character, position } of unprintables(manager)) {
    const detail = `invalid character ${goUnicode(character)} (at position ${position})`;
    errors.push(invalid(path("fieldManager"), manager, detail));
  }
  return errors;
}

function validateDryRun(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  return [notSupported(path("dryRun"), [...dryRun], ["All"])];
}

function refuseInvalid(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind }, "", errors);
}

/** Who owns the fields of a write: the named manager, or the printable start of the user agent up to its slash. */
export function fieldManagerOf(options: WriteOptions, userAgent: string): string {
  if (options.fieldManager !== "") return options.fieldManager;
  const [program] = userAgent.split("/", 1);
  if (program.length <= FIELD_MANAGER_MAX_BYTES && isPrintableAscii(program)) return program;
  let manager = "";
  let bytes = 0;
  for (const character of program) {
    if (!isPrintable(character)) continue;
    bytes += utf8Length(character);
    if (bytes > FIELD_MANAGER_MAX_BYTES) break;
    manager += character;
  }
  return manager;
}

/** Options of list, watch and deletecollection. */
export interface ListQuery {
  labels: LabelSelector;
  /** As the client names them. */
  fields: FieldSelector;
  watch: boolean;
  allowWatchBookmarks: boolean;
  resourceVersion: string;
  resourceVersionMatch: string;
  /** Seconds; undefined when the client does not say. */
  timeoutSeconds?: number;
  limit: number;
  continue: string;
  sendInitialEvents?: boolean;
}

/** @param forceWatch the path is one of the legacy watch paths */
export function decodeListQuery(query: Query, forceWatch = false): ListQuery {
  const timeoutSeconds = integerValue(query, "timeoutSeconds");
  // Below zero is no limit, too.
  const limit = Math.max(integerValue(query, "limit") ?? 0, 0);
  const options: ListQuery = {
    labels: selectorValue(query, "labelSelector", parseLabelSelector),
    fields: selectorValue(query, "fieldSelector", parseFieldSelector),
    watch: booleanValue(query, "watch") ?? false,
    allowWatchBookmarks: booleanValue(query, "allowWatchBookmarks") ?? false,
    resourceVersion: firstValue(query, "resourceVersion"),
    resourceVersionMatch: firstValue(query, "resourceVersionMatch"),
    timeoutSeconds,
    limit,
    continue: firstValue(query, "continue"),
    sendInitialEvents: booleanValue(query, "sendInitialEvents"),
  };
  if (query.size > 0) {
    setWatchDefaults(options);
    refuseInvalid("ListOptions", options.watch ? validateWatch(options) : validateList(options));
  }
  options.watch ||= forceWatch;
  return options;
}

function selectorValue<T>(query: Query, name: string, parse: (text: string) => T): T {
  try {
    return parse(firstValue(query, name));
  } catch (error) {
    if (error instanceof SelectorError) throw badRequestError(error.message);
    throw error;
  }
}

/** A watch from nowhere or from any version begins with the present state. */
function setWatchDefaults(options: ListQuery): void {
  if (options.sendInitialEvents !== undefined || options.resourceVersionMatch !== "") return;
  if (options.watch && (options.resourceVersion === "" || options.resourceVersion === "0")) {
    options.sendInitialEvents = true;
    options.resourceVersionMatch = "NotOlderThan";
  }
}

const MATCH = path("resourceVersionMatch");

function validateList(options: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== "") {
    if (options.resourceVersion === "") {
      errors.push(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (options.continue !== "") {
      errors.push(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupportedInOrder(MATCH, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && options.resourceVersion === "0") {
      errors.push(forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden(path("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function validateWatch(options: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "") {
    if (options.sendInitialEvents === undefined) {
      errors.push(
        forbidden(MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
      );
    }
    if (match !== "NotOlderThan") errors.push(notSupported(MATCH, match, ["NotOlderThan"]));
    if (options.continue !== "") {
      errors.push(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
    }
  }
  return errors;
}

/** DeleteOptions of the query: what counts when there is no body. */
export function decodeDeleteOptions(query: Query): DeleteOptions {
  const options: DeleteOptions = {};
  const grace = integerValue(query, "gracePeriodSeconds");
  if (grace !== undefined) options.gracePeriodSeconds = grace;
  const orphan = booleanValue(query, "orphanDependents");
  if (orphan !== undefined) options.orphanDependents = orphan;
  const policy = query.get("propagationPolicy")?.[0];
  if (policy !== undefined) options.propagationPolicy = policy as DeleteOptions["propagationPolicy"];
  const dryRun = query.get("dryRun");
  if (dryRun !== undefined) options.dryRun = [...dryRun];
  const ignore = booleanValue(query, "ignoreStoreReadErrorWithClusterBreakingPotential");
  if (ignore !== undefined) options.ignoreStoreReadErrorWithClusterBreakingPotential = ignore;
  return options;
}

const POLICIES = ["Foreground", "Background", "Orphan"];

/** Throws 422 naming everything wrong with them. */
export function validateDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy } = options;
  if (policy !== undefined) {
    const field = path("propagationPolicy");
    if (options.orphanDependents !== undefined) {
      errors.push(invalid(field, policy, "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!POLICIES.includes(policy)) {
      errors.push(notSupportedInOrder(field, policy, [...POLICIES, "nil"]));
    }
  }
  errors.push(...validateDryRun(options.dryRun ?? []));
  refuseInvalid("DeleteOptions", errors);
}

const INTEGER = /^[+-]?\d+$/;

/** An int64 as Go's strconv reads it; undefined when the parameter is missing. Throws 400. */
export function integerValue(query: Query, name: string): number | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined) return undefined;
  if (!INTEGER.test(text)) throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, value) !== value) {
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(value);
}
