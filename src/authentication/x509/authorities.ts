// The authorities that client certificates must come from: a PEM file that is read again when it changes.
import { logError, logInfo } from "../../logging/mod.ts";
import { type Certificate, parseBundle } from "./certificate.ts";

/** A bundle as it was read at start. */
export interface CABundle {
  file: string;
  pem: string;
}

export interface Authorities {
  /** The same array as long as nothing changed. */
  current(): readonly Certificate[];
}

/** How old the look at the file may be: it is only looked at when somebody comes with a certificate. */
const STALE_MS = 5000;

export function authorities({ file, pem }: CABundle): Authorities {
  let known: readonly Certificate[] = parseBundle(pem), text = pem, modified = modifiedAt(file), looked = Date.now();
  return {
    current() {
      const now = Date.now();
      if (now - looked < STALE_MS) return known;
      looked = now;
      const changed = modifiedAt(file);
      if (changed === modified) return known;
      modified = changed;
      reload();
      return known;
    },
  };

  /** A file that cannot be read or has nothing in it leaves things as they are. */
  function reload(): void {
    try {
      const read = Deno.readTextFileSync(file);
      if (read === text) return;
      const certificates = parseBundle(read);
      if (certificates.length === 0) throw new Error("no certificates in it");
      known = certificates;
      text = read;
      logInfo("Loaded a new CA bundle", { file });
    } catch (e) {
      logError("Unable to load a CA bundle that changed", e, { file });
    }
  }
}

function modifiedAt(file: string): number {
  try {
    return file === "" ? 0 : Deno.statSync(file).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
