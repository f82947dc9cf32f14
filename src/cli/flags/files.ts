// Files that flags name, each read once: a pipe has no second time.

export class OptionFiles {
  readonly #texts = new Map<string, string>();

  /** Throws an Error that says what is wrong with the file. */
  read(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) {
      text = readText(file);
      this.#texts.set(file, text);
    }
    return text;
  }
}

function readText(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (e) {
    throw new Error(fileProblem(e));
  }
}

/** What the operating system has against a file, in its own short words. */
export function fileProblem(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "no such file or directory";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "is a directory";
  if (error instanceof Deno.errors.NotADirectory) return "not a directory";
  return (error as Error).message;
}
