// The published schemas as they are, for the OpenAPI documents.
import { schemas } from "./facts.ts";

export function generateOpenApi(): string {
  const text = JSON.stringify(schemas).replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return `/** JSON: the schemas of OpenAPI v3 by name; read by src/machinery/openapi/schemas.ts. */
export const SCHEMAS_TEXT = '${text}';
`;
}
