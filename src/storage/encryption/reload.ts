// Looks whether the file of the configuration has changed (--encryption-provider-config-automatic-reload).
import type { Encryption } from "./mod.ts";

export interface ReloadOptions {
  file: string;
  /** Milliseconds between looks. */
  interval: number;
  onReplaced(): void;
  /** What is wrong with the new file; the old configuration stays. */
  onTrouble(error: Error): void;
}

/** Puts every new configuration in place until it is stopped. */
export function keepReloading(encryption: Encryption, options: ReloadOptions): { stop(): void } {
  const timer = setInterval(async () => {
    try {
      if (await encryption.replace(await Deno.readTextFile(options.file))) options.onReplaced();
    } catch (error) {
      options.onTrouble(error as Error);
    }
  }, options.interval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
