// YAML that clients send. What is long is read in a thread of its own: a text of 3 MB can take seconds, in which nobody
// else would be answered.
import { tooManyRequestsError } from "../machinery/errors.ts";
import { jsonOfYaml, type ParsedYaml, parseYaml, YamlError } from "../machinery/yaml/mod.ts";
import { startWorker } from "../worker.ts";

export interface YamlRequest {
  id: number;
  text: string;
}

export type YamlAnswer = { id: number; parsed: ParsedYaml } | { id: number; problem: string };

/** Characters that are read in some milliseconds. */
const SHORT = 32 * 1024;
/** So many long texts wait at a time; who sends more comes again later. */
const MAX_WAITING = 16;
/** Milliseconds without work after which the thread ends. */
const IDLE = 5_000;

/** Throws YamlErrors, and 429 while too many long texts are read. */
export function readYaml(text: string): Promise<ParsedYaml> {
  if (text.length <= SHORT) return parseYaml(text);
  const json = jsonOfYaml(text);
  if (json !== undefined) return Promise.resolve({ value: json, duplicates: [] });
  return (thread ??= new YamlThread(() => thread = undefined)).read(text);
}

let thread: YamlThread | undefined;

class YamlThread {
  readonly #worker = startWorker("kubelith-yaml");
  readonly #waiting = new Map<number, PromiseWithResolvers<ParsedYaml>>();
  #last = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param ended called once it takes no more texts */
  constructor(readonly ended: () => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<YamlAnswer>) => this.#settle(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
      for (const { reject } of this.#waiting.values()) reject(new Error(`the YAML reader broke: ${event.message}`));
    };
  }

  read(text: string): Promise<ParsedYaml> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw tooManyRequestsError("too many long YAML documents are being read, please try again later", 1);
    }
    clearTimeout(this.#idle);
    const id = ++this.#last, result = Promise.withResolvers<ParsedYaml>();
    this.#waiting.set(id, result);
    this.#worker.postMessage({ id, text } satisfies YamlRequest);
    return result.promise;
  }

  #settle(answer: YamlAnswer): void {
    const { resolve, reject } = this.#waiting.get(answer.id)!;
    this.#waiting.delete(answer.id);
    if ("parsed" in answer) resolve(answer.parsed);
    else reject(new YamlError(answer.problem));
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), IDLE);
  }

  #end(): void {
    this.#worker.terminate();
    this.ended();
  }
}
