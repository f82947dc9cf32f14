// The power goes at any moment: what a run wrote is recorded with strace and played back up to random points, with writes
// that were not synced yet missing or torn. The files always open and hold everything that was acknowledged by then.
// KUBELITH_CRASH_ROUNDS says at how many points (a few unless set).
import assert from "node:assert/strict";
import { checkDatabase, Ledger } from "./ledger.ts";
import { hasProgram } from "../support/faults.ts";

const POINTS = 5 * Number(Deno.env.get("KUBELITH_CRASH_ROUNDS") ?? 4);
const SECTOR = 512;

type Step =
  | { call: "write"; file: string; at: number; bytes: Uint8Array }
  | { call: "truncate"; file: string; length: number }
  | { call: "sync"; file: string }
  | { call: "remove"; file: string }
  | { call: "say"; text: string };

/** Acknowledged writes after which a process is stopped: several checkpoints come among them. */
const ENOUGH_WRITES = 1200;

/** Lets a process write under full load for a while and returns what it asked of the system. */
async function record(dir: string): Promise<Step[]> {
  const calls = "write,pwrite64,ftruncate,fdatasync,fsync,unlink";
  const script = new URL("crash_child.ts", import.meta.url).href;
  const child = new Deno.Command("strace", {
    // deno-fmt-ignore
    args: ["-f", "--seccomp-bpf", "-y", "-xx", "-s", "100000", "-e", `trace=${calls}`, "-e", "signal=none", "-o", `${dir}/trace`,
      Deno.execPath(), "run", "-A", "--quiet", script, `${dir}/state.db`, "1"],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let written = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const before = written;
    written += text.split("\nA ").length - 1;
    if (before < ENOUGH_WRITES && written >= ENOUGH_WRITES) killTree(child.pid);
  }
  await child.status;
  return parse(await Deno.readTextFile(`${dir}/trace`), dir);
}

/** strace passes on how its child died, and only then. */
function killTree(pid: number): void {
  const children = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim().split(" ");
  for (const child of children) Deno.kill(Number(child), "SIGKILL");
}

/** Calls in the order in which they ended; what a process says counts from where it began. */
function parse(trace: string, dir: string): Step[] {
  const steps: Step[] = [], unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread, rest] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest === undefined) continue;
    let call = rest;
    if (call.endsWith("<unfinished ...>")) {
      unfinished.set(thread, call.slice(0, -"<unfinished ...>".length).trimEnd());
      if (/^write\(1</.test(call)) steps.push({ call: "say", text: unhex(call).text });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(call);
    if (resumed !== null) {
      const begun = unfinished.get(thread) ?? "";
      if (/^write\(1</.test(begun)) continue;
      call = begun + resumed[1];
    }
    const step = stepOf(call, dir);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function stepOf(call: string, dir: string): Step | undefined {
  if (/^write\(1</.test(call)) return { call: "say", text: unhex(call).text };
  const [, name, fd, result] = /^(\w+)\((?:\d+<([^>]*)>)?.*\) += (-?\d+)/s.exec(call) ?? [];
  if (name === undefined || result === "-1") return undefined;
  if (name === "unlink") {
    const file = unhex(call).text;
    return file.startsWith(dir) ? { call: "remove", file } : undefined;
  }
  const file = fd.startsWith("\\x") ? unhex(`"${fd}"`).text : fd;
  if (!file.startsWith(`${dir}/state.db`) || file.endsWith("-shm") || file.endsWith("-lock")) return undefined;
  switch (name) {
    case "pwrite64":
      return { call: "write", file, at: Number(/, (\d+)\) += \d+/.exec(call)![1]), bytes: unhex(call).bytes };
    case "ftruncate":
      return { call: "truncate", file, length: Number(/, (\d+)\) +=/.exec(call)![1]) };
    case "fsync":
    case "fdatasync":
      return { call: "sync", file };
    default:
      throw new Error(`${name} on ${file} is not understood`);
  }
}

/** The first string of a call, as strace -xx writes it. */
function unhex(call: string): { bytes: Uint8Array; text: string } {
  const start = call.indexOf('"') + 1, digits = call.slice(start, call.indexOf('"', start)).replaceAll("\\x", "");
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return { bytes, text: new TextDecoder().decode(bytes) };
}

/** A file as it is on the disk: what was synced, and changes that may or may not be there. */
class DiskFile {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #unsynced: Extract<Step, { call: "write" | "truncate" }>[] = [];

  add(step: Extract<Step, { call: "write" | "truncate" }>): void {
    this.#unsynced.push(step);
  }

  sync(): void {
    for (const step of this.#unsynced) this.#apply(step, () => true);
    this.#unsynced = [];
  }

  /** What is left after a power cut when each change that was not synced is there with this probability. */
  cut(probability: number): Uint8Array {
    const file = new DiskFile();
    file.#bytes = this.#bytes.slice();
    file.#length = this.#length;
    for (const step of this.#unsynced) {
      if (step.call === "truncate" && Math.random() >= probability) continue;
      file.#apply(step, () => Math.random() < probability);
    }
    return file.#bytes.slice(0, file.#length);
  }

  #apply(step: Extract<Step, { call: "write" | "truncate" }>, arrives: () => boolean): void {
    if (step.call === "truncate") {
      this.#resize(step.length);
      this.#bytes.fill(0, step.length);
      return;
    }
    for (let from = 0; from < step.bytes.length;) {
      const to = Math.min(step.bytes.length, from + SECTOR - (step.at + from) % SECTOR);
      if (arrives()) {
        this.#resize(Math.max(this.#length, step.at + to));
        this.#bytes.set(step.bytes.subarray(from, to), step.at + from);
      }
      from = to;
    }
  }

  #resize(length: number): void {
    if (length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    this.#length = length;
  }
}

/** Plays the steps up to one of them and cuts the power there. */
async function checkPoint(steps: readonly Step[], point: number, dir: string): Promise<number> {
  const files = new Map<string, DiskFile>();
  let said = "";
  for (const step of steps.slice(0, point)) {
    if (step.call === "say") said += step.text;
    else if (step.call === "remove") files.delete(step.file);
    else {
      let file = files.get(step.file);
      if (file === undefined) files.set(step.file, file = new DiskFile());
      if (step.call === "sync") file.sync();
      else file.add(step);
    }
  }
  const copy = await Deno.makeTempDir({ dir });
  const probability = [0, 0.5, 0.9, 1][Math.floor(Math.random() * 4)];
  for (const [name, file] of files) {
    await Deno.writeFile(copy + name.slice(dir.length), file.cut(probability));
  }
  const ledger = new Ledger();
  ledger.read(said);
  await checkDatabase(`${copy}/state.db`, ledger);
  await Deno.remove(copy, { recursive: true });
  return ledger.acknowledgedRevisions.size;
}

Deno.test({
  name: `the power may go at any of ${POINTS} moments`,
  ignore: !hasProgram("strace"),
  fn: async () => {
    const dir = await Deno.makeTempDir();
    try {
      const steps = await record(dir);
      const first = steps.findIndex((step) => step.call === "say");
      const checkpoints = steps.filter((step) => step.call === "sync" && step.file.endsWith(".db")).length;
      assert.ok(first >= 0 && checkpoints > 3, `${checkpoints} checkpoints are too few to mean anything`);
      let most = 0;
      for (let i = 0; i < POINTS; i++) {
        const point = first + Math.floor(Math.random() * (steps.length - first));
        try {
          most = Math.max(most, await checkPoint(steps, point, dir));
        } catch (error) {
          throw new Error(`after ${point} of ${steps.length} steps`, { cause: error });
        }
      }
      assert.ok(most > 50, `only ${most} writes were acknowledged: too few to mean anything`);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});
