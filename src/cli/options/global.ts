// Global flags.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";

const flags = {
  help: flag.bool("Print this help and exit.", { shorthand: "h" }),
  version: flag.version("Print the version and exit."),
};

export const global = optionGroup({ name: "Global", flags });
