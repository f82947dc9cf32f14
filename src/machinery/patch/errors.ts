// What can be wrong with a patch.

/** `malformed`: the patch is no patch; `inapplicable`: it does not fit the object; `broken`: its directives make no sense. */
export type PatchErrorKind = "malformed" | "inapplicable" | "broken";

export class PatchError extends Error {
  constructor(readonly kind: PatchErrorKind, message: string) {
    super(message);
    this.name = "PatchError";
  }
}
