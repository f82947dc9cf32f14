// Columns of custom resources (additionalPrinterColumns): values found by JSON paths, in the types that they declare.
import type { CustomResourceColumnDefinition } from "../facts/generated/types.ts";
import type { Column } from "../apis/kind.ts";
import { humanDuration } from "../machinery/duration.ts";
import { parseTime } from "../machinery/time.ts";
import type { Json, KubeObject } from "../machinery/types.ts";
import { findFirst, JsonPathError, parseJsonPath, type Path, printed } from "./jsonpath/mod.ts";
import { lookUp } from "../machinery/look_up.ts";

const NAME: Column<KubeObject> = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The name of the object, unique among its kind in its namespace.",
  cell: (object) => object.metadata.name ?? "",
};

const AGE: CustomResourceColumnDefinition = {
  name: "Age",
  type: "date",
  description: "When the server created the object.",
  jsonPath: ".metadata.creationTimestamp",
};

/** The columns of a scale, which is a custom resource's as well. */
export const SCALE_COLUMNS: readonly CustomResourceColumnDefinition[] = [
  { name: "Desired", type: "integer", description: "How many are wanted.", jsonPath: ".spec.replicas" },
  { name: "Available", type: "integer", description: "How many there are.", jsonPath: ".status.replicas" },
  AGE,
];

/** The name and what is declared, or how old it is. Columns behind one whose path is none are left out. */
export function columnsOf(definitions: readonly CustomResourceColumnDefinition[] = []): Column<KubeObject>[] {
  const columns = [NAME];
  for (const definition of definitions.length > 0 ? definitions : [AGE]) {
    const column = columnOf(definition);
    if (column === undefined) break;
    columns.push(column);
  }
  return columns;
}

function columnOf(definition: CustomResourceColumnDefinition): Column<KubeObject> | undefined {
  const { name = "", type = "", format, description, priority, jsonPath = "" } = definition;
  const path = parse(jsonPath), show = lookUp(CELLS, type) ?? NO_CELL;
  if (path === undefined) return undefined;
  return {
    name,
    type: type as Column<KubeObject>["type"],
    format,
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell(object, now) {
      const value = findFirst(path, object as unknown as Json);
      return value === undefined ? null : show(value, now);
    },
  };
}

function parse(text: string): Path | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

const NO_CELL = () => null;

/** What is of another type than declared is not shown. */
const CELLS: Readonly<Record<string, (value: Json, now: number) => Json>> = {
  string: printed,
  integer: (value) => typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null,
  number: (value) => typeof value === "number" || typeof value === "bigint" ? value : null,
  boolean: (value) => typeof value === "boolean" ? value : null,
  date: (value, now) => typeof value === "string" ? age(value, now) : null,
};

function age(text: string, now: number): string {
  if (text === "" || text === "null") return "<unknown>";
  const time = parseTime(text);
  return time === undefined ? "<invalid>" : humanDuration(now - time);
}
