// Features flags: what can be switched off.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";

export const features = optionGroup({
  name: "Features",
  flags: {
    "contention-profiling": flag.bool("Profile lock contention.", { only: ["false"] }),
    "enable-priority-and-fairness": flag.bool("Queue requests by priority rather than to count them.", {
      default: "false",
      only: ["false"],
    }),
    "profiling": flag.bool("Serve profiles at /debug/pprof.", { default: "false", only: ["false"] }),
  },
  applyTo(o, config) {
    config.generic.profiling = o.profiling;
    config.generic.contentionProfiling = o["contention-profiling"];
    config.generic.priorityAndFairness = o["enable-priority-and-fairness"];
  },
});
