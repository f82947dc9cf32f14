// A JSON text with members that are there twice, read as Go reads it into a struct: objects are merged, for everything
// else the last one counts.
import { lookUp } from "../look_up.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { setMember } from "./compile.ts";

/** @param text known to be JSON */
export function mergeRepeats(text: string): Json {
  return new Reader(text).value(undefined);
}

const TOKEN = /[ \t\r\n,:]*([{}[\]]|"(?:[^"\\]|\\.)*"|[^,:\]} \t\r\n]+)/sy;

class Reader {
  #at = 0;

  constructor(readonly text: string) {}

  /** @param earlier value of the same member, which an object is merged into */
  value(earlier: Json | undefined, token = this.#token()): Json {
    if (token === "{") return this.#object(isObject(earlier) ? earlier : {});
    if (token === "[") return this.#array();
    return JSON.parse(token);
  }

  #object(into: JsonObject): JsonObject {
    for (let token = this.#token(); token !== "}"; token = this.#token()) {
      const name = JSON.parse(token) as string;
      setMember(into, name, this.value(lookUp(into, name)));
    }
    return into;
  }

  #array(): Json[] {
    const elements: Json[] = [];
    for (let token = this.#token(); token !== "]"; token = this.#token()) elements.push(this.value(undefined, token));
    return elements;
  }

  #token(): string {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.text)!;
    this.#at = TOKEN.lastIndex;
    return found[1];
  }
}
