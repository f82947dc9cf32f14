// What a cluster does by itself, once round: every step in a namespace of its own, which has to go afterwards.
import type { Peer } from "../client.ts";
import * as housekeeping from "./housekeeping.ts";
import { Stage } from "./stage.ts";
import * as workloads from "./workloads.ts";

type Step = (stage: Stage) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "nodes get ready and renew their leases": housekeeping.nodesAreReadyAndRenewTheirLeases,
  "namespaces have an account and the authority": housekeeping.accountAndAuthorityAppear,
  "a deployment rolls out and is scaled": workloads.deploymentRollsOutAndScales,
  "endpoint slices fill": workloads.endpointSlicesFill,
  "jobs finish": workloads.jobsFinish,
  "a cron job runs": workloads.cronJobRuns,
  "daemon and stateful sets fill": workloads.setsFill,
  "statuses of autoscalers and budgets move": workloads.autoscalerAndBudgetFollow,
  "volumes bind": housekeeping.volumesBind,
  "quotas count": housekeeping.quotasCount,
  "garbage collection cascades and orphans": housekeeping.collectorCascadesAndOrphans,
  "custom resources are collected": housekeeping.customResourcesAreCollected,
  "roles gather rules": housekeeping.rolesGatherRules,
  "certificates are signed": housekeeping.certificatesAreSigned,
};

/** Steps that run at once: what controllers do takes them little time and much waiting. */
const AT_ONCE = 5;

export interface StepResult {
  name: string;
  seconds: number;
  error?: string;
}

/** Walks through all steps; the number makes the namespaces' names. Each result is told as soon as there is one. */
export async function walkThrough(peer: Peer, round: number, tell: (result: StepResult) => void): Promise<void> {
  const left = Object.entries(STEPS).map(([name, step], i) => ({ name, step, namespace: `demo-${round}-${i}` }));
  const walk = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const start = Date.now();
      const error = await play(next.step, new Stage(peer, next.namespace));
      tell({ name: next.name, seconds: (Date.now() - start) / 1000, error });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
}

async function play(step: Step, stage: Stage): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${stage.namespace}`;
  try {
    await stage.must("POST", "/api/v1/namespaces", { metadata: { name: stage.namespace } });
    await stage.until(
      "the account appears",
      stage.path("v1/serviceaccounts/default"),
      (_, { status }) => status === 200,
    );
    await step(stage);
    await stage.must("DELETE", path);
    await stage.untilGone(path);
  } catch (e) {
    return (e as Error).message;
  }
}
