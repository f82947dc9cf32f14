// Priority levels: shares of the server and queues for requests.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { PriorityLevelConfiguration } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type LevelObject = KubeObject & PriorityLevelConfiguration;

export const priorityLevelConfiguration: KindDefinition<LevelObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "PriorityLevelConfiguration" },
  resource: "prioritylevelconfigurations",
  generation: true,
  setDefaults({ spec }) {
    if (spec?.exempt) {
      spec.exempt.nominalConcurrencyShares ??= 0;
      spec.exempt.lendablePercent ??= 0;
    }
    if (!spec?.limited) return;
    spec.limited.nominalConcurrencyShares ??= 30;
    spec.limited.lendablePercent ??= 0;
    const queuing = spec.limited.limitResponse?.queuing;
    if (!queuing) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  },
  columns: [
    NAME,
    text("Type", "Whether requests are limited.", (o) => o.spec?.type ?? ""),
    text(
      "NominalConcurrencyShares",
      "Its share of the server.",
      (o) => o.spec?.limited?.nominalConcurrencyShares ?? o.spec?.exempt?.nominalConcurrencyShares ?? "<none>",
    ),
    text("Queues", "Number of queues.", (o) => o.spec?.limited?.limitResponse?.queuing?.queues ?? "<none>"),
    text(
      "HandSize",
      "Queues that a flow may use.",
      (o) => o.spec?.limited?.limitResponse?.queuing?.handSize ?? "<none>",
    ),
    text(
      "QueueLengthLimit",
      "Longest queue.",
      (o) => o.spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? "<none>",
    ),
    AGE,
  ],
};
