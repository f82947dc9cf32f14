// Flow schemas and priority levels that must be as they are: without them the server could lock itself out (KEP-1040).
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from "../../facts/generated/types.ts";

const EVERYTHING = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

function groups(...names: string[]) {
  return names.map((name) => ({ kind: "Group", group: { name } }));
}

/** The name of what is never limited. */
export const EXEMPT = "exempt";

export const MANDATORY_FLOW_SCHEMAS: Readonly<Record<string, FlowSchemaSpec>> = {
  [EXEMPT]: {
    priorityLevelConfiguration: { name: EXEMPT },
    matchingPrecedence: 1,
    rules: [{ subjects: groups("system:masters"), ...EVERYTHING }],
  },
  "catch-all": {
    priorityLevelConfiguration: { name: "catch-all" },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...EVERYTHING }],
  },
};

export const MANDATORY_PRIORITY_LEVELS: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  [EXEMPT]: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  "catch-all": {
    type: "Limited",
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
  },
};
