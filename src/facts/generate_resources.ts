// The table of built-in resources: discovery joined with the keys of storage.

interface Discovered {
  resource: string;
  responseKind: { group: string; version: string; kind: string };
  scope: string;
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: {
    subresource: string;
    responseKind: { group: string; version: string; kind: string };
    verbs: string[];
  }[];
}

interface Group {
  metadata: { name?: string };
  versions: { version: string; resources: Discovered[] }[];
}

function read<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(name, import.meta.url)));
}

/** Kind → key prefix and the version that is stored, from `storage.json`. */
function storageKeys(): Map<string, { prefix: string; version: string }> {
  const keys = new Map<string, { prefix: string; version: string }>();
  for (
    const [shape, { apiVersion, kind }] of Object.entries(
      read<Record<string, { apiVersion: string; kind: string }>>("storage.json"),
    )
  ) {
    const prefix = shape.replace(/\/(NAMESPACE\/)?NAME$/, "");
    if (prefix.includes("GROUP")) continue;
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    // CustomResourceDefinitions are stored in a version that is no longer served; here they are kept as v1.
    keys.set(`${group}/${kind}`, { prefix, version: version === "v1beta1" ? "v1" : version });
  }
  return keys;
}

/** Kinds of one group whose objects are stored as a kind of another. */
const STORED_ELSEWHERE: Record<string, string> = { "events.k8s.io/Event": "/Event" };

export function generateResources(): string {
  const discovery = read<Record<string, Group[]>>("discovery.json");
  const keys = storageKeys();
  const rows: unknown[] = [];
  for (const groups of Object.values(discovery)) {
    for (const { metadata, versions } of groups) {
      const group = metadata.name ?? "";
      for (const { version, resources } of versions) {
        for (const r of resources) rows.push(row(group, version, r, keys));
      }
    }
  }
  return `/** A kind as it is answered, its group and version where they are not the resource's own. */
export interface ResponseKind {
  group: string;
  version: string;
  kind: string;
}

/** One built-in resource in one served version. */
export interface ResourceRow {
  group: string;
  version: string;
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  shortNames: string[];
  categories: string[];
  subresources: { name: string; responseKind: ResponseKind; verbs: string[] }[];
  /** Where its objects are kept; empty for resources without storage (reviews, bindings). */
  prefix: string;
  /** The kind that is stored. */
  stored: ResponseKind;
}

export const RESOURCES: readonly ResourceRow[] = ${JSON.stringify(rows, null, 1)};
`;
}

function row(group: string, version: string, r: Discovered, keys: Map<string, { prefix: string; version: string }>) {
  const kind = r.responseKind.kind;
  const at = STORED_ELSEWHERE[`${group}/${kind}`] ?? `${group}/${kind}`;
  const key = keys.get(at);
  const persisted = r.verbs.includes("list") && r.resource !== "componentstatuses";
  return {
    group,
    version,
    resource: r.resource,
    singular: r.singularResource,
    kind,
    namespaced: r.scope === "Namespaced",
    verbs: r.verbs,
    shortNames: r.shortNames ?? [],
    categories: r.categories ?? [],
    subresources: (r.subresources ?? []).map((s) => ({
      name: s.subresource,
      responseKind: {
        group: s.responseKind.group || group,
        version: s.responseKind.version || version,
        kind: s.responseKind.kind,
      },
      verbs: s.verbs,
    })),
    prefix: persisted ? key?.prefix ?? `/registry/${r.resource}` : "",
    stored: { group: at.split("/")[0], version: key?.version ?? version, kind },
  };
}
