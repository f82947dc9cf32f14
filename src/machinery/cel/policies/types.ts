// The object types that expressions of admission policies see: the request and the namespace that it is about.
import type { StructDeclaration } from "../environment.ts";
import { BOOL, type CelType, DYN, INT, listOf, mapOf, STRING, structOf, TIMESTAMP } from "../types.ts";

type Fields = Readonly<Record<string, CelType>>;

function struct(name: string, fields: Fields): StructDeclaration {
  return {
    type: structOf(`kubernetes.${name}`),
    fieldType: (field) => Object.hasOwn(fields, field) ? fields[field] : undefined,
  };
}

const STRINGS = listOf(STRING);
const TEXTS = mapOf(STRING, STRING);

const KIND = struct("GroupVersionKind", { group: STRING, version: STRING, kind: STRING });
const RESOURCE = struct("GroupVersionResource", { group: STRING, version: STRING, resource: STRING });
const USER = struct("UserInfo", { username: STRING, uid: STRING, groups: STRINGS, extra: mapOf(STRING, STRINGS) });
/** The type of the variable `request`. */
export const REQUEST = struct("AdmissionRequest", {
  kind: KIND.type,
  resource: RESOURCE.type,
  subResource: STRING,
  requestKind: KIND.type,
  requestResource: RESOURCE.type,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER.type,
  dryRun: BOOL,
  options: DYN,
});

const CONDITION = struct("NamespaceCondition", {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
});
const STATUS = struct("NamespaceStatus", { conditions: listOf(CONDITION.type), phase: STRING });
const SPEC = struct("NamespaceSpec", { finalizers: STRINGS });
const METADATA = struct("NamespaceMetadata", {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: TEXTS,
  annotations: TEXTS,
  UID: STRING,
  creationTimestamp: TIMESTAMP,
  deletionGracePeriodSeconds: INT,
  deletionTimestamp: TIMESTAMP,
  generation: INT,
  resourceVersion: STRING,
  finalizers: STRINGS,
});
/** The type of the variable `namespaceObject`. */
export const NAMESPACE = struct("Namespace", { metadata: METADATA.type, spec: SPEC.type, status: STATUS.type });

const STRUCTS = new Map(
  [KIND, RESOURCE, USER, REQUEST, CONDITION, STATUS, SPEC, METADATA, NAMESPACE].map((s) => [s.type.name, s]),
);

/** The declaration of one of these types by its name. */
export function findPolicyType(name: string): StructDeclaration | undefined {
  return STRUCTS.get(name);
}
