// Maps of bytes, which JSON writes in base64.

/** A member that is null has no bytes. */
export function fillEmpty(data: Record<string, string | null> | undefined): void {
  for (const key in data) data[key] ??= "";
}

/** Bytes that a text in base64 stands for. */
export function decodedLength(base64: string): number {
  return base64.length / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
}
