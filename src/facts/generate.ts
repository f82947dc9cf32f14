// Makes `src/facts/generated/` out of the facts: `deno task generate`.
import { generateModel } from "./generate_model.ts";
import { generateOpenApi } from "./generate_openapi.ts";
import { generateResources } from "./generate_resources.ts";
import { generateTypes } from "./generate_types.ts";

const out = new URL("./generated/", import.meta.url);

await Deno.mkdir(out, { recursive: true });
for (
  const [name, text] of [
    ["model.ts", generateModel()],
    ["openapi_schemas.ts", generateOpenApi()],
    ["types.ts", generateTypes()],
    ["resources.ts", generateResources()],
  ]
) {
  await Deno.writeTextFile(new URL(name, out), `// Made by \`deno task generate\`; do not edit.\n${text}`);
}
