// What a request asks for, as it was sent. A URL object would resolve `..` and rewrite some characters: what one path
// means must not depend on who reads it, and Go leaves it as it is.

export class RequestUrl {
  /** Escapes and dots are left alone. */
  readonly pathname: string;
  /** With its question mark, or empty. */
  readonly search: string;
  #searchParams: URLSearchParams | undefined;

  /** @param target path and query */
  constructor(target: string) {
    const mark = target.indexOf("?");
    this.pathname = (mark < 0 ? target : target.slice(0, mark)) || "/";
    this.search = mark < 0 || mark === target.length - 1 ? "" : target.slice(mark);
  }

  get searchParams(): URLSearchParams {
    return this.#searchParams ??= new URLSearchParams(this.search);
  }
}
