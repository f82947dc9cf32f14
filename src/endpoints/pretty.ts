// Indents ready JSON without parsing it, so that numbers and the order of members stay as they are.

const QUOTE = 34, BACKSLASH = 92, COMMA = 44, COLON = 58, OPEN_BRACE = 123, CLOSE_BRACE = 125, OPEN = 91, CLOSE = 93;

/** @param json compact JSON, as JSON.stringify writes it; the result is indented by two spaces a level */
export function indentJson(json: string): string {
  let out = "";
  let depth = 0;
  let from = 0;
  const newline = () => "\n" + "  ".repeat(depth);
  for (let i = 0; i < json.length; i++) {
    switch (json.charCodeAt(i)) {
      case QUOTE:
        while (json.charCodeAt(++i) !== QUOTE) if (json.charCodeAt(i) === BACKSLASH) i++;
        break;
      case OPEN_BRACE:
      case OPEN: {
        const next = json.charCodeAt(i + 1);
        if (next === CLOSE_BRACE || next === CLOSE) {
          i++;
          break;
        }
        depth++;
        out += json.slice(from, i + 1) + newline();
        from = i + 1;
        break;
      }
      case CLOSE_BRACE:
      case CLOSE:
        depth--;
        out += json.slice(from, i) + newline();
        from = i;
        break;
      case COMMA:
        out += json.slice(from, i + 1) + newline();
        from = i + 1;
        break;
      case COLON:
        out += json.slice(from, i + 1) + " ";
        from = i + 1;
        break;
    }
  }
  return out + json.slice(from);
}
