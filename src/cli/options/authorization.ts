// Authorization flags: who may do what.
import { flag } from "../flags/kinds.ts";
import { optionGroup, type OptionsOf } from "../flags/group.ts";
import type { AuthorizationMode } from "../../server/config.ts";
import { problem } from "./problems.ts";

const flags = {
  "authorization-mode": flag.strings(
    "Who decides, asked in this order: AlwaysAllow, AlwaysDeny, Node, RBAC. AlwaysAllow unless given.",
  ),
};

export type AuthorizationOptions = OptionsOf<typeof flags>;

/** Modes that can be had, those that are known, and what the log says about those that do not do their part yet. */
const MODES: Record<AuthorizationMode, "built" | "pending" | string> = {
  AlwaysAllow: "built",
  AlwaysDeny: "built",
  ABAC: "pending",
  Webhook: "pending",
  RBAC: "built",
  Node: "built",
};

export const authorization = optionGroup({
  name: "Authorization",
  flags,
  validate(o) {
    const modes = o["authorization-mode"];
    const problems = modes.flatMap((mode) => {
      if (!Object.hasOwn(MODES, mode)) return [problem("authorization-mode", mode, "is not a valid mode")];
      return MODES[mode as AuthorizationMode] === "pending" ? [`not supported yet: --authorization-mode=${mode}`] : [];
    });
    if (new Set(modes).size < modes.length) {
      problems.push(problem("authorization-mode", modes, "has mode specified more than once"));
    }
    return problems;
  },
  applyTo(o, config) {
    config.generic.authorization.modes = o["authorization-mode"] as AuthorizationMode[];
  },
});
