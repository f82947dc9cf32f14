// Global flags.
import { flag } from "../flags/kinds.ts";
import { optionGroup, type OptionsOf } from "../flags/group.ts";

const flags = {
  help: flag.bool("Print this help and exit.", { shorthand: "h" }),
  version: flag.version("Print the version and exit."),
};

export type GlobalOptions = OptionsOf<typeof flags>;

export const global = optionGroup({ name: "Global", flags });
