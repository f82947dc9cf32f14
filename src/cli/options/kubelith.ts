// Kubelith flags: what kube-apiserver does not have.
import { RESOURCES } from "../../facts/generated/resources.ts";
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import { portInRange, problem } from "./problems.ts";

const flags = {
  "config": flag.string("File (JSON with comments) that may give any flag; the command line wins."),
  "data-dir": flag.string(
    "Folder for what is kept: the database, and what `up` makes. $XDG_DATA_HOME/kubelith unless given.",
  ),
  "insecure-bind-address": flag.ip("Address to listen on at --insecure-port.", { default: "127.0.0.1" }),
  "insecure-port": flag.int("Port for plain HTTP; 0 is none."),
  "relaxed-durability": flag.strings(
    "Resources (leases, events, widgets.example.com) whose writes are answered at once and kept within fifteen seconds. " +
      "A crash or power cut may lose the last of them; none is torn, and no resourceVersion is given twice.",
  ),
  "sqlite-path": flag.string("Database file of SQLite, or ':memory:'; state.db in --data-dir unless given."),
};

/** Whether there is, or may be, such a resource: those without a group in their name are all known. */
function isResourceName(name: string): boolean {
  return /^[a-z0-9-]+\.[a-z0-9.-]+$/.test(name) || RESOURCES.some(({ resource }) => resource === name);
}

export const kubelith = optionGroup({
  name: "Kubelith",
  flags,
  validate: (o) => [
    ...portInRange("insecure-port", o["insecure-port"], 0),
    ...o["relaxed-durability"].filter((name) => !isResourceName(name))
      .map((name) => problem("relaxed-durability", name, "must be a resource, or resource.group of a custom one")),
  ],
  applyTo(o, config) {
    const port = o["insecure-port"];
    config.generic.insecureServing = port === 0 ? undefined : { bindAddress: o["insecure-bind-address"], port };
    if (config.generic.storage.backend === "sqlite") {
      config.generic.storage.path = o["sqlite-path"];
      config.generic.storage.relaxedDurability = o["relaxed-durability"];
    }
    config.extra.dataDir = o["data-dir"];
  },
});
