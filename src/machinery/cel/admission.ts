// The variables that expressions about requests see: match conditions of webhooks, and policies.
import { baseEnvironment } from "./base.ts";
import type { Environment, StructDeclaration } from "./environment.ts";
import { AUTHORIZER, RESOURCE_CHECK } from "./libraries/authorizer.ts";
import { BOOL, type CelType, DYN, INT, listOf, mapOf, STRING, structOf, TIMESTAMP } from "./types.ts";

const KIND = structOf("kubernetes.GroupVersionKind");
const RESOURCE = structOf("kubernetes.GroupVersionResource");
const USER = structOf("kubernetes.UserInfo");
const REQUEST = structOf("kubernetes.AdmissionRequest");
const NAMESPACE = structOf("kubernetes.Namespace");
const METADATA = structOf("kubernetes.NamespaceMetadata");
const SPEC = structOf("kubernetes.NamespaceSpec");
const STATUS = structOf("kubernetes.NamespaceStatus");
const CONDITION = structOf("kubernetes.NamespaceCondition");

const STRUCTS = new Map([
  declaration(KIND, { group: STRING, version: STRING, kind: STRING }),
  declaration(RESOURCE, { group: STRING, version: STRING, resource: STRING }),
  declaration(USER, {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  declaration(REQUEST, {
    kind: KIND,
    resource: RESOURCE,
    subResource: STRING,
    requestKind: KIND,
    requestResource: RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: USER,
    dryRun: BOOL,
    options: DYN,
  }),
  declaration(NAMESPACE, { metadata: METADATA, spec: SPEC, status: STATUS }),
  declaration(METADATA, {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  declaration(SPEC, { finalizers: listOf(STRING) }),
  declaration(STATUS, { conditions: listOf(CONDITION), phase: STRING }),
  declaration(CONDITION, {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  }),
]);

function declaration(type: CelType, fields: Readonly<Record<string, CelType>>): [string, StructDeclaration] {
  const known = new Map(Object.entries(fields));
  return [type.name, { type, fieldType: (name) => known.get(name) }];
}

export interface AdmissionVariables {
  /** `params`: what a policy's binding refers to. */
  params: boolean;
  /** `authorizer` and `authorizer.requestResource`. */
  authorizer: boolean;
}

const environments = new Map<string, Environment>();

/** `object`, `oldObject`, `request`, `namespaceObject`, and what else is asked for. */
export function admissionEnvironment({ params, authorizer }: AdmissionVariables): Environment {
  const key = `${params} ${authorizer}`;
  let environment = environments.get(key);
  if (environment === undefined) {
    const variables: Record<string, CelType> = {
      object: DYN,
      oldObject: DYN,
      namespaceObject: NAMESPACE,
      request: REQUEST,
      ...params && { params: DYN },
      ...authorizer && { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK },
    };
    environment = baseEnvironment().extend(variables, (name) => STRUCTS.get(name));
    environments.set(key, environment);
  }
  return environment;
}
