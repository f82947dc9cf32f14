// Logs flags.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import { oneOf } from "./problems.ts";

const flags = {
  "logging-format": flag.string('How log lines are written: "text" or "json".'),
  "v": flag.level("Log messages up to this level; 3 adds a line for each request.", { shorthand: "v" }),
};

export const logs = optionGroup({
  name: "Logs",
  flags,
  validate: (o) => oneOf("logging-format", o["logging-format"], ["text", "json"]),
});
