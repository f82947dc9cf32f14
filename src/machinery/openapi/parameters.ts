// The parameters of operations. Each has the name under which the v2 document shares it, unless it is written out.

export interface Parameter {
  name: string;
  in: "query" | "path";
  type: "string" | "integer" | "boolean";
  /** Its key in the parameters of the v2 document. */
  shared?: string;
}

function query(type: Parameter["type"], ...shared: string[]): Parameter[] {
  // The eight characters behind the name, and the dash before them, tell parameters of one name apart.
  return shared.map((key) => ({ name: key.slice(0, -9), in: "query", type, shared: key }));
}

const NAME: Parameter = { name: "name", in: "path", type: "string" };
const NAMESPACE: Parameter = { name: "namespace", in: "path", type: "string", shared: "namespace-vgWSWtn3" };
const REST_OF_PATH: Parameter = { name: "path", in: "path", type: "string", shared: "path-z6Ciiujn" };

const SELECTION = [
  ...query("string", "continue-QfD61s0i", "fieldSelector-xIcQKXFG", "labelSelector-5Zw57w4C"),
  ...query("integer", "limit-1NfNmdNH"),
  ...query("string", "resourceVersion-5WAnf1kx", "resourceVersionMatch-t8XhRHeC"),
  ...query("boolean", "sendInitialEvents-rLXlEK_k"),
  ...query("string", "shardSelector-Kgyki_3_"),
  ...query("integer", "timeoutSeconds-yvYezaOC"),
];
const LIST = [...query("boolean", "allowWatchBookmarks-HC2hJt-J", "watch-XNNPZGbK"), ...SELECTION];
const PRETTY = query("string", "pretty-tJGM1-ng");
const DRY_RUN: Parameter = { name: "dryRun", in: "query", type: "string" };
const FIELD_VALIDATION: Parameter = { name: "fieldValidation", in: "query", type: "string" };
const WRITE = [DRY_RUN, ...query("string", "fieldManager-Qy4HdaTW"), FIELD_VALIDATION];
const PATCH = [
  DRY_RUN,
  ...query("string", "fieldManager-7c6nTn1T"),
  FIELD_VALIDATION,
  ...query("boolean", "force-tOGGb0Yi"),
];
const DELETE = [
  DRY_RUN,
  ...query("integer", "gracePeriodSeconds--K5HaBOS"),
  ...query("boolean", "ignoreStoreReadErrorWithClusterBreakingPotential-QbNkfIqj", "orphanDependents-uRB25kX5"),
  ...query("string", "propagationPolicy-6jk3prlO"),
];

/** What every action takes beside the names in its path. */
export const OF_ACTION: Readonly<Record<string, readonly Parameter[]>> = {
  get: PRETTY,
  list: [...PRETTY, ...LIST],
  watch: [...PRETTY, ...LIST],
  watchlist: [...PRETTY, ...LIST],
  post: [...PRETTY, ...WRITE],
  put: [...PRETTY, ...WRITE],
  patch: [...PRETTY, ...PATCH],
  delete: [...PRETTY, ...DELETE],
  deletecollection: [...PRETTY, ...DELETE, ...SELECTION],
};

/** Where those of custom resources differ. */
export const OF_CUSTOM_ACTION: Readonly<Record<string, readonly Parameter[]>> = {
  get: [...PRETTY, ...SELECTION.filter(({ name }) => name === "resourceVersion")],
  deletecollection: [...PRETTY, ...LIST],
};

/** The options of subresources that have their own, by resource and subresource. */
export const OF_SUBRESOURCE: Readonly<Record<string, readonly Parameter[]>> = {
  "pods/attach": [
    ...query("string", "container-_Q-EJ3nR"),
    ...query("boolean", "stderr-26jJhFUR", "stdin-sEFnN3IS", "stdout-005YMKE6", "tty-g7MlET_l"),
  ],
  "pods/exec": [
    ...query("string", "command-Py3eQybp", "container-i5dOmRiM"),
    ...query("boolean", "stderr-W_1TNlWc", "stdin-PSzNhyUC", "stdout--EZLRwV1", "tty-s0flW37O"),
  ],
  "pods/log": [
    ...query("string", "container-1GeXxFDC", "stream-l-48cgXv"),
    ...query("boolean", "follow-9OIXh_2R", "insecureSkipTLSVerifyBackend-gM00jVbe", "previous-1jxDPu3y"),
    ...query("boolean", "timestamps-c17fW1w_"),
    ...query("integer", "limitBytes-zwd1RXuc", "sinceSeconds-vE2NLdnP", "tailLines-9xQLWHMV"),
  ],
  "pods/portforward": query("integer", "ports-91KROJmm"),
  "pods/proxy": query("string", "path-oPbzgLUj"),
  "services/proxy": query("string", "path-QCf0eosM"),
  "nodes/proxy": query("string", "path-rFDtV0x9"),
};

/** The names that a path holds: `{namespace}`, `{name}`, `{path}`. */
export function pathParameters(path: string): Parameter[] {
  const parameters: Parameter[] = [];
  if (path.includes("{name}")) parameters.push(NAME);
  if (path.includes("{namespace}")) parameters.push(NAMESPACE);
  if (path.includes("{path}")) parameters.push(REST_OF_PATH);
  return parameters;
}

/** Every shared parameter once, by its key. */
export function sharedParameters(): Map<string, Parameter> {
  const shared = new Map<string, Parameter>();
  const all = [...Object.values(OF_ACTION), ...Object.values(OF_SUBRESOURCE), [NAMESPACE, REST_OF_PATH]];
  for (const parameter of all.flat()) {
    if (parameter.shared !== undefined) shared.set(parameter.shared, parameter);
  }
  return shared;
}
