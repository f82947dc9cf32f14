// API services: which server answers for a group and version (KEP-263).
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  type Field,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isPortNumber,
} from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import { decodedLength } from "../core/bytes_data.ts";
import type { APIService, APIServiceSpec } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

type ServiceObject = KubeObject & APIService;

const DEFAULT_PORT = 443;
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const STATUSES = ["True", "False", "Unknown"];

function check(object: ServiceObject, root: Field): void {
  const { spec = {} } = object, { group = "", version = "" } = spec, at = root.child("spec");
  checkMeta(object, root, {
    namespaced: false,
    standardFinalizers: false,
    validateName: (name) => nameMessages(name, `${version}.${group}`),
  });
  if (group !== "") at.child("group").invalidEach(group, isDNS1123Subdomain(group));
  else if (version !== "v1") {
    at.child("group").required("only v1 may have an empty group and it better be legacy kube");
  }
  at.child("version").invalidEach(version, isDNS1035Label(version));
  checkPriority(spec.groupPriorityMinimum ?? 0, MAX_GROUP_PRIORITY, at.child("groupPriorityMinimum"));
  checkPriority(spec.versionPriority ?? 0, MAX_VERSION_PRIORITY, at.child("versionPriority"));
  if (spec.service) checkService(spec, at);
  else checkLocal(spec, at);
}

function nameMessages(name: string, expected: string): readonly string[] {
  const messages = isPathSegmentName(name);
  if (messages.length > 0 || name === expected) return messages;
  return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
}

function checkPriority(priority: number, max: number, at: Field): void {
  if (priority <= 0 || priority > max) at.invalid(priority, `must be positive and less than ${max}`);
}

/** What this server answers itself needs no trust. */
function checkLocal({ caBundle = "", insecureSkipTLSVerify }: APIServiceSpec, at: Field): void {
  if (caBundle !== "") {
    at.child("caBundle").invalid(`${decodedLength(caBundle)} bytes`, "local APIServices may not have a caBundle");
  }
  if (insecureSkipTLSVerify) {
    at.child("insecureSkipTLSVerify").invalid(true, "local APIServices may not have insecureSkipTLSVerify");
  }
}

function checkService({ service = {}, caBundle, insecureSkipTLSVerify }: APIServiceSpec, at: Field): void {
  const field = at.child("service"), { port = 0 } = service, messages = isPortNumber(port);
  for (const member of ["namespace", "name"] as const) if (!service[member]) field.child(member).required();
  if (messages.length > 0) field.child("port").invalid(port, `port is not valid: ${messages.join(", ")}`);
  if (insecureSkipTLSVerify && caBundle) {
    at.child("insecureSkipTLSVerify").invalid(true, "may not be true if caBundle is present");
  }
}

function availableText({ status }: ServiceObject): string {
  const condition = status?.conditions?.find((c) => c.type === "Available");
  if (!condition) return "Unknown";
  const { status: available = "", reason } = condition;
  return available === "True" || !reason ? available : `${available} (${reason})`;
}

export const apiService: KindDefinition<ServiceObject> = {
  gvk: { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
  resource: "apiservices",
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  setDefaults({ spec }) {
    if (spec?.service) spec.service.port ??= DEFAULT_PORT;
  },
  prepareForCreate(object) {
    object.status = {};
    if (object.spec?.service) return;
    object.status.conditions = [{
      type: "Available",
      status: "True",
      lastTransitionTime: now(),
      reason: "Local",
      message: "Local APIServices are always available",
    }];
  },
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMetaUpdate(object, old, root, { standardFinalizers: false });
      check(object, root);
    }),
  columns: [
    NAME,
    text(
      "Service",
      "Who serves it.",
      ({ spec }) => spec?.service ? `${spec.service.namespace}/${spec.service.name}` : "Local",
    ),
    text("Available", "Whether it is served.", availableText),
    AGE,
  ],
  statusResetFields: [["metadata"], ["spec"]],
  subresources: {
    status: {
      validateUpdate: ({ status }) =>
        collect((root) =>
          (status?.conditions ?? []).forEach(({ status: value = "" }, i) => {
            const at = root.child("status", "conditions").index(i).child("status");
            if (!STATUSES.includes(value)) at.notSupportedInOrder(value, STATUSES);
          })
        ),
    },
  },
};
