// Compares this server with a real kube-apiserver, kind by kind, and says how much of it is the same. By hand:
//
//   deno run -A --unsafely-ignore-certificate-errors tests/peers/parity.ts --ours URL --theirs URL --token TOKEN
//     [--kind services] [--part round|invalid] [--verbose]
//
// Both servers start empty, with the same flags. `round`: an object with every field of its type set, as far as the
// real server takes it, is created, read, shown as a Table, updated, has its status written and is deleted. `invalid`:
// small objects with one field at a time made wrong are created and updated as dry runs; status, reason and causes are
// compared.
import { parseArgs } from "node:util";
import { RESOURCES } from "../../src/facts/generated/resources.ts";
import { type Answer, Peer } from "./client.ts";
import { compareAnswers } from "./compare.ts";
import { badValues, fullValue, placesOf, withValue } from "./generate.ts";
import { at, grown, type Kind, kindOf, type Obj } from "./kinds.ts";

const { values: flags } = parseArgs({
  options: {
    ours: { type: "string" },
    theirs: { type: "string" },
    token: { type: "string", default: "tok" },
    kind: { type: "string", multiple: true },
    part: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
/** Every run has a name of its own: what an earlier one left behind does not matter. */
const NAME = `parity-${Date.now().toString(36)}`;
const ours = new Peer(flags.ours!, flags.token), theirs = new Peer(flags.theirs!, flags.token);

function both(method: string, path: string, body?: unknown, accept?: string): Promise<[Answer, Answer]> {
  return Promise.all([ours.request(method, path, body, { accept }), theirs.request(method, path, body, { accept })]);
}

class Score {
  readonly wrong: string[] = [];
  total = 0;
  /** How much of the type the object of the round trip has. */
  fields = "";

  add(what: string, found: readonly string[]): void {
    this.total++;
    if (found.length > 0) this.wrong.push(`${what}\n      ${found.slice(0, 8).join("\n      ")}`);
  }

  get share(): string {
    return `${this.total - this.wrong.length}/${this.total}`;
  }
}

async function round(kind: Kind, score: Score): Promise<void> {
  const { collection, seed } = kind, item = `${collection}/${seed.metadata.name}`;
  const places = placesOf(kind.type).filter(({ path }) => path.length > 0 && path[0] !== "status");
  const object = await grown(seed, places, (o) => theirs.request("POST", `${collection}?dryRun=All`, o));
  score.fields = ` with ${places.filter(({ path }) => at(object, path) !== undefined).length}/${places.length} fields`;
  const step = async (what: string, method: string, path: string, body?: unknown, accept?: string) => {
    const [a, b] = await both(method, path, body, accept);
    score.add(what, compareAnswers(a, b));
    return [a, b] as const;
  };
  await step("create", "POST", collection, object);
  const [mine, real] = await step("get", "GET", item);
  await step("table", "GET", `${item}?includeObject=None`, undefined, TABLE);
  const relabelled = (answer: Answer) => withValue(answer.body, ["metadata", "labels"], { changed: "yes" });
  if (mine.status < 300 && real.status < 300) {
    const answers = await Promise.all([
      ours.request("PUT", item, relabelled(mine)),
      theirs.request("PUT", item, relabelled(real)),
    ]);
    score.add("update", compareAnswers(...answers));
  }
  if (kind.hasStatus) await status(kind, item, score);
  await step("delete", "DELETE", item);
  await leaveNothing(item);
}

/** Finalizers hold what was deleted, and some of it (quotas, default classes) would matter to what comes next. */
async function leaveNothing(item: string): Promise<void> {
  for (const peer of [ours, theirs]) {
    const { status, body } = await peer.request("GET", item);
    if (status === 200) await peer.request("PUT", item, withValue(body, ["metadata", "finalizers"], undefined));
    if (status === 200) await peer.request("DELETE", `${item}?gracePeriodSeconds=0`);
  }
}

async function status(kind: Kind, item: string, score: Score): Promise<void> {
  const [mine, real] = await both("GET", item);
  if (mine.status >= 300 || real.status >= 300) return;
  const places = placesOf(kind.type).filter(({ path }) => path[0] === "status");
  const wanted = await grown(real.body, places, (o) => theirs.request("PUT", `${item}/status?dryRun=All`, o));
  const answers = await Promise.all([
    ours.request("PUT", `${item}/status`, { ...mine.body, status: wanted.status }),
    theirs.request("PUT", `${item}/status`, { ...real.body, status: wanted.status }),
  ]);
  score.add("status", compareAnswers(...answers));
}

async function invalid(kind: Kind, score: Score): Promise<void> {
  const { collection, seed } = kind, item = `${collection}/${seed.metadata.name}`;
  const full = fullValue(kind.type) as Obj;
  await both("POST", collection, seed);
  for (const { path, type } of placesOf(kind.type)) {
    if (path.length === 0 || path[0] === "status") continue;
    // What stands around the place comes from the full object, one level of it.
    const base = path.length > 2 && at(seed, path.slice(0, -1)) === undefined
      ? withValue(seed, path.slice(0, 2), at(full, path.slice(0, 2)))
      : seed;
    for (const value of badValues(type)) {
      const object = withValue(base, path, value), what = `${path.join(".")} = ${JSON.stringify(value)?.slice(0, 40)}`;
      if (path.join(".") !== "metadata.name") {
        score.add(`PUT ${what}`, compareAnswers(...await both("PUT", `${item}?dryRun=All`, object)));
      }
      const renamed = path.join(".") === "metadata.name" ? object : other(object);
      score.add(`POST ${what}`, compareAnswers(...await both("POST", `${collection}?dryRun=All`, renamed)));
    }
  }
  await both("DELETE", item);
  await leaveNothing(item);
}

/** The same object under another name: the first is there already. */
function other(object: Obj): Obj {
  return object.metadata?.name === NAME ? withValue(object, ["metadata", "name"], `${NAME}-other`) : object;
}

const PARTS = { round, invalid };
const totals: Record<string, { kinds: number; sameKinds: number; cases: number; same: number }> = {};
for (const [part, compare] of Object.entries(PARTS)) {
  if (flags.part !== undefined && flags.part !== part) continue;
  const total = totals[part] = { kinds: 0, sameKinds: 0, cases: 0, same: 0 };
  for (const row of RESOURCES) {
    const kind = kindOf(row, NAME);
    if (kind === undefined || (flags.kind !== undefined && !flags.kind.includes(kind.name))) continue;
    const score = new Score();
    await compare(kind, score);
    total.kinds++;
    if (score.wrong.length === 0) total.sameKinds++;
    total.cases += score.total;
    total.same += score.total - score.wrong.length;
    console.log(`${part} ${score.wrong.length === 0 ? "same" : "DIFF"} ${kind.name} ${score.share}${score.fields}`);
    if (flags.verbose) { for (const wrong of score.wrong) console.log(`    ${wrong}`); }
  }
}
for (const [part, { kinds, sameKinds, cases, same }] of Object.entries(totals)) {
  const percent = (n: number, of: number) => `${(100 * n / Math.max(1, of)).toFixed(1)} %`;
  console.log(
    `${part}: kinds ${sameKinds}/${kinds} (${percent(sameKinds, kinds)}), answers ${same}/${cases} (${
      percent(same, cases)
    })`,
  );
}
