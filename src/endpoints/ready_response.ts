// An answer whose body is at hand. A listener that writes bytes itself takes it from here; to all others it is a
// Response like any.

export class ReadyResponse extends Response {
  constructor(readonly content: string | Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(content, init);
  }
}
