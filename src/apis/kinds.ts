// Every kind with rules of its own. A new kind is one file and one line here.
import { namespace } from "./core/namespace.ts";
import { service } from "./core/service.ts";
import type { KindDefinition } from "./kind.ts";

// deno-lint-ignore no-explicit-any -- each definition speaks of its own type
export const KINDS: readonly KindDefinition<any>[] = [
  namespace,
  service,
];
