// Compares sequences of writes on this server and on a real kube-apiserver: objects and managedFields after each step of
// create, update, patch and apply by three managers. By hand:
//
//   deno run -A --unsafely-ignore-certificate-errors tests/peers/patch_parity.ts --ours URL --theirs URL --token TOKEN
//     [--sequences N] [--first N] [--steps N] [--seed N] [--kind widgets] [--verbose]
//
// Both servers run with the same flags. What is compared of a refusal is its status, reason and causes.
import { parseArgs } from "node:util";
import type { JsonObject } from "../../src/machinery/types.ts";
import { Random } from "../support/random.ts";
import { type Answer, Peer } from "./client.ts";
import { compareAnswers } from "./compare.ts";
import { firstStep, nextStep, type Step } from "./patch_steps.ts";
import { DEFINITIONS, SUBJECTS } from "./patch_subjects.ts";

const { values: flags } = parseArgs({
  options: {
    ours: { type: "string" },
    theirs: { type: "string" },
    token: { type: "string", default: "tok" },
    sequences: { type: "string", default: "100" },
    steps: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    kind: { type: "string", multiple: true },
    verbose: { type: "boolean", default: false },
  },
});

const DEFINITION_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const AT_ONCE = 4;
const peers = [new Peer(flags.ours!, flags.token), new Peer(flags.theirs!, flags.token)] as const;
const seed = Number(flags.seed), run = `s${seed}-${Date.now().toString(36)}`;
const score = new Map<string, { steps: number; taken: number; different: number }>();

async function define(peer: Peer): Promise<void> {
  for (const definition of DEFINITIONS) {
    const item = `${DEFINITION_PATH}/${(definition.metadata as JsonObject).name}`;
    await peer.request("POST", DEFINITION_PATH, definition);
    for (let tries = 0; tries < 100; tries++) {
      const { body } = await peer.request("GET", item);
      const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Undefined when the server ends the connection. */
async function send(peer: Peer, step: Step): Promise<Answer | undefined> {
  const current = step.needs === undefined ? undefined : await peer.request("GET", step.needs);
  const body = step.body(current?.status === 200 ? current.body : undefined);
  try {
    return await peer.request(step.method, step.path, body, { contentType: step.contentType });
  } catch (error) {
    console.log(`${step.method} ${step.path}: ${error}`);
    return undefined;
  }
}

async function sequence(index: number): Promise<void> {
  const random = new Random(seed * 100_003 + index), kind = random.of(flags.kind ?? Object.keys(SUBJECTS));
  const subject = SUBJECTS[kind], name = `${run}-${index}`, target = { subject, name, random };
  const counts = score.get(kind) ?? { steps: 0, taken: 0, different: 0 };
  score.set(kind, counts);
  for (let i = 0; i < Number(flags.steps); i++) {
    const step = i === 0 ? firstStep(target) : nextStep(target);
    const answers = await Promise.all(peers.map((peer) => send(peer, step)));
    // A kube-apiserver that panics ends the connection: that is nothing to compare with.
    if (answers[1] === undefined) break;
    if (flags.verbose) console.log(`${step.method} ${step.path} ${JSON.stringify(step.body({}))}`);
    const [mine, real] = answers as [Answer, Answer], found = compareAnswers(mine, real, { unordered: subject.custom });
    counts.steps++;
    if (real.status < 300) counts.taken++;
    if (found.length === 0) continue;
    counts.different++;
    console.log(`DIFF ${kind} #${index}.${i} ${step.method} ${step.path} ${step.contentType}`);
    console.log(`    ${found.slice(0, 6).join("\n    ")}`);
    // What follows would differ for the same reason.
    if ((mine.status < 300) !== (real.status < 300) || mine.status < 300) break;
  }
  for (const peer of peers) await remove(peer, `${subject.collection}/${name}`);
}

async function remove(peer: Peer, item: string): Promise<void> {
  const finalizers = { metadata: { finalizers: null } };
  await peer.request("PATCH", item, finalizers, { contentType: "application/merge-patch+json" });
  await peer.request("DELETE", `${item}?gracePeriodSeconds=0`);
}

await Promise.all(peers.map(define));
const started = Date.now();
const first = Number(flags.first), end = first + Number(flags.sequences);
let next = first;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  while (next < end) await sequence(next++);
}));
let steps = 0, different = 0;
for (const [kind, counts] of score) {
  steps += counts.steps;
  different += counts.different;
  console.log(`${kind}: ${counts.steps} steps, ${counts.taken} taken, ${counts.different} different`);
}
const seconds = ((Date.now() - started) / 1000).toFixed(1), share = (100 * (steps - different) / steps).toFixed(2);
console.log(
  `seed ${seed}: ${end - first} sequences, ${steps} steps, ${different} different (${share} % equal), ${seconds} s`,
);
