// Something made out of a file, made again when the file changes.
import { logError, logInfo } from "../logging/mod.ts";

export interface ReloadedOptions<T> {
  file: string;
  /** What the file held when `value` was made of it. */
  text: string;
  value: T;
  /** Makes another one. Throws an Error when the text cannot be used: then the one before stays. */
  load(text: string): Promise<T>;
  observe?: ReloadObserver;
  now?: () => number;
}

/** Who counts the changes of a file. */
export interface ReloadObserver {
  loaded(text: string): void;
  failed(): void;
}

/** How old the look at the file may be; milliseconds. */
const STALE_MS = 5000;

/** Gives what is made of the file; a changed file is noticed by whoever asks next. */
export function reloadedFile<T>(options: ReloadedOptions<T>): () => T {
  const { file, load, observe, now = Date.now } = options;
  let { text, value } = options;
  let looked = now(), modified = modifiedAt(file), loading = false;

  async function reload(): Promise<void> {
    try {
      const changed = await Deno.readTextFile(file);
      if (changed === text) return;
      text = changed;
      value = await load(changed);
      observe?.loaded(changed);
      logInfo("Loaded a configuration file that changed", { file });
    } catch (e) {
      observe?.failed();
      logError("Unable to load a configuration file that changed", e, { file });
    } finally {
      loading = false;
    }
  }

  return () => {
    if (!loading && now() - looked >= STALE_MS) {
      looked = now();
      const time = modifiedAt(file);
      if (time !== modified) {
        modified = time;
        loading = true;
        void reload();
      }
    }
    return value;
  };
}

function modifiedAt(file: string): number {
  try {
    return Deno.statSync(file).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
