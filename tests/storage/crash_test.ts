// Kill -9 under full load, again and again: what was acknowledged is there, nothing is half there, revisions only rise
// and a watch that resumes sees every change once. KUBELITH_CRASH_ROUNDS says how often (a few unless set).
import assert from "node:assert/strict";
import { checkDatabase, Ledger } from "./ledger.ts";

const ROUNDS = Number(Deno.env.get("KUBELITH_CRASH_ROUNDS") ?? 4);

async function runUntilKilled(path: string, after: number): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", new URL("crash_child.ts", import.meta.url).href, path, String(after)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "", killer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    // From its first answer on, so that every round has something to lose.
    killer ??= setTimeout(() => child.kill("SIGKILL"), 30 + Math.random() * 400);
  }
  clearTimeout(killer);
  const { signal } = await child.status;
  assert.equal(signal, "SIGKILL", "the writing process failed by itself");
  return output;
}

Deno.test(`nothing is lost when the process is killed ${ROUNDS} times`, async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/state.db`, ledger = new Ledger();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      ledger.read(await runUntilKilled(path, ledger.lastEvent));
      // Every other time the next process finds the file just as it was left.
      if (round % 2 === 1 || round === ROUNDS - 1) await checkDatabase(path, ledger);
    }
    // Everything acknowledged up to the last event was seen, and as it was acknowledged.
    for (const [revision, change] of ledger.acknowledgedRevisions) {
      if (revision <= ledger.lastEvent) assert.equal(ledger.events.get(revision), change, `event of ${revision}`);
    }
    assert.ok(ledger.acknowledgedRevisions.size > 100, "too little was written to mean anything");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
