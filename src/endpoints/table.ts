// The Table form (meta.k8s.io Table): what kubectl shows, worked out by the server.
import type { Column } from "../apis/kind.ts";
import { badRequestError } from "../machinery/errors.ts";
import { errorBody, invalid, path } from "../machinery/field_error.ts";
import { apiVersionOf, type GroupVersionKind, type Json, type KubeObject, type ListMeta } from "../machinery/types.ts";
import { firstValue, type Query } from "./query.ts";
import type { ServedKind } from "../registry/resource.ts";
import { servedObject } from "./served.ts";

/** How much of each object a row carries. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** The `includeObject` of the query. Throws 400. */
export function decodeIncludeObject(query: Query): IncludeObject {
  const value = firstValue(query, "includeObject");
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  const field = path("includeObject");
  const body = errorBody(invalid(field, value, "must be 'Metadata', 'Object', 'None', or empty"));
  throw badRequestError(`Unable to convert to Table as requested: ${field}: ${body}`);
}

/** Kinds without columns of their own show these. */
const DEFAULT_COLUMNS: readonly Column<KubeObject>[] = [
  {
    name: "Name",
    type: "string",
    format: "name",
    description: "The name of the object, unique among its kind in its namespace.",
    cell: (object) => object.metadata.name ?? "",
  },
  {
    name: "Created At",
    type: "date",
    description: "When the server created the object.",
    cell: (object) => object.metadata.creationTimestamp ?? null,
  },
];

export interface TableOptions {
  /** Table of meta.k8s.io/v1 or v1beta1. */
  target: GroupVersionKind;
  include: IncludeObject;
  /** False behind the first event of a watch. */
  withColumns: boolean;
}

/** A Table as JSON. `objects` are what `shownObject` gives. */
export async function tableJson(
  kind: ServedKind,
  objects: readonly KubeObject[],
  meta: ListMeta,
  options: TableOptions,
): Promise<string> {
  const now = Date.now();
  const columns = kind.columns ?? DEFAULT_COLUMNS;
  const rows = [];
  for (const object of objects) {
    rows.push({
      cells: columns.map((column) => column.cell(object, now)),
      conditions: kind.rowConditions?.(object),
      object: await rowObject(kind, object, options),
    });
  }
  return JSON.stringify({
    kind: "Table",
    apiVersion: apiVersionOf(options.target),
    metadata: meta,
    columnDefinitions: options.withColumns
      ? columns.filter((column) => !column.withoutDefinition).map(columnDefinition)
      : null,
    rows,
  });
}

function columnDefinition(column: Column<KubeObject>): Json {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: column.description,
    priority: column.priority ?? 0,
  };
}

/** The mark of a bookmark that ends the initial events must get through, so such a row is never without object. */
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

async function rowObject(kind: ServedKind, object: KubeObject, options: TableOptions): Promise<unknown> {
  switch (options.include) {
    case "Object":
      return await servedObject(object, kind);
    case "None":
      if (object.metadata.annotations?.[INITIAL_EVENTS_END] !== "true") return null;
      // falls through
    case "Metadata": {
      const metadata = kind.partialMetadata?.(object.metadata) ?? object.metadata;
      return { kind: "PartialObjectMetadata", apiVersion: apiVersionOf(options.target), metadata };
    }
  }
}
