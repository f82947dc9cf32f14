// What a restriction of nodes is.
import type { AdmissionAttributes } from "../../interface.ts";
import type { PluginContext } from "../context.ts";

/** Throws what the node of this name is told when it may not. */
export type Restriction = (
  attributes: AdmissionAttributes,
  node: string,
  context: PluginContext,
) => void | Promise<void>;
