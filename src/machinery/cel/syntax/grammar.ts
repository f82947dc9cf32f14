// Says what is wrong with text that is not of the language's grammar, in the words of the real server's parser: the
// published grammar is interpreted by ANTLR's runtime. Only used when parsing has failed.
import {
  type ATN,
  ATNDeserializer,
  BaseErrorListener,
  CharStream,
  CommonTokenStream,
  LexerInterpreter,
  ParserInterpreter,
  type RecognitionException,
  type Recognizer,
  type Token,
  Vocabulary,
} from "antlr4ng";
import type { Issue } from "./ast.ts";
import { misuses } from "./recovered.ts";
import {
  LEXER_RULES,
  LEXER_STATES,
  LITERAL_NAMES,
  PARSER_RULES,
  PARSER_STATES,
  SYMBOLIC_NAMES,
} from "./grammar_data.ts";

const TOO_DEEP: Issue = { at: -1, message: "expression recursion limit exceeded: 250" };
const MAX_REPORTS = 100;
/** Reading back after an error takes time by the number of tokens. */
const MAX_TOKENS = 10_000;

interface Grammar {
  vocabulary: Vocabulary;
  lexer: ATN;
  parser: ATN;
}

let loaded: Grammar | undefined;

function grammar(): Grammar {
  const names = (list: string[]) => list.map((name) => name === "null" ? null : name);
  const states = (text: string) => new ATNDeserializer().deserialize(text.split(",").map(Number));
  return loaded ??= {
    vocabulary: new Vocabulary(names(LITERAL_NAMES), names(SYMBOLIC_NAMES)),
    lexer: states(LEXER_STATES),
    parser: states(PARSER_STATES),
  };
}

/** Every syntax error of the text; it has at least one. */
export function explainSyntax(source: string): Issue[] {
  const { vocabulary, lexer: lexerStates, parser: parserStates } = grammar();
  const listener = new Listener(source);
  const channels = ["DEFAULT_TOKEN_CHANNEL", "HIDDEN"];
  const lexer = new LexerInterpreter(
    "CEL.g4",
    vocabulary,
    LEXER_RULES,
    channels,
    ["DEFAULT_MODE"],
    lexerStates,
    CharStream.fromString(source),
  );
  lexer.removeErrorListeners();
  lexer.addErrorListener(listener);
  const tokens = new CommonTokenStream(lexer);
  tokens.fill();
  if (tokens.size > MAX_TOKENS) return listener.issues.length === 0 ? [TOO_DEEP] : listener.issues;
  const parser = new ParserInterpreter("CEL.g4", vocabulary, PARSER_RULES, parserStates, tokens);
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  const { issues } = listener;
  try {
    issues.push(...misuses(parser.parse(0), parser, source));
  } catch (e) {
    // Nested deeper than the stack of this process.
    if (!(e instanceof RangeError)) throw e;
    return [TOO_DEEP];
  }
  if (issues.length === 0) return [TOO_DEEP];
  return issues.sort((a, b) => a.at - b.at);
}

class Listener extends BaseErrorListener {
  readonly issues: Issue[] = [];

  constructor(readonly source: string) {
    super();
  }

  override syntaxError<S extends Token>(
    _recognizer: Recognizer<never> | unknown,
    _offending: S | null,
    line: number,
    column: number,
    message: string,
    _e: RecognitionException | null,
  ): void {
    if (this.issues.length > MAX_REPORTS) return;
    const text = this.issues.length === MAX_REPORTS
      ? `More than ${MAX_REPORTS} syntax errors`
      // A reserved word after a dot is named as such.
      : message.replace(
        /no viable alternative at input '.(true|false|null)'/,
        "mismatched input '$1' expecting IDENTIFIER",
      );
    this.issues.push({ at: offsetOf(this.source, line, column), message: `Syntax error: ${text}` });
  }
}

/** The index of UTF-16 units at a line (from 1 on) and a column (in code points from 0 on). */
function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) start = source.indexOf("\n", start) + 1;
  let at = start;
  for (let i = 0; i < column && at < source.length; i++) at += source.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
