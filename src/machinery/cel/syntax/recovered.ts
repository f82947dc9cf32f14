// What else is wrong with text that is not of the grammar, in the tree that ANTLR made of it all the same.
import { type Parser, ParserRuleContext, type ParseTree, TerminalNode } from "antlr4ng";
import type { Issue } from "./ast.ts";
import { isReserved } from "../schema/escape.ts";

/** Reserved names and presence tests of what is no field. */
export function misuses(tree: ParseTree, parser: Parser, source: string): Issue[] {
  const issues: Issue[] = [];
  const visit = (node: ParseTree): void => {
    if (!(node instanceof ParserRuleContext)) return;
    if (parser.ruleNames[node.ruleIndex] === "primary") issues.push(...misuseOf(node, parser, source));
    node.children.forEach(visit);
  };
  visit(tree);
  return issues;
}

function misuseOf(primary: ParserRuleContext, parser: Parser, source: string): Issue[] {
  // A name may begin with a dot.
  const [name, open, list] = primary.children[0]?.getText() === "." ? primary.children.slice(1) : primary.children;
  if (!(name instanceof TerminalNode) || name.symbol.type !== parser.getTokenType("IDENTIFIER")) return [];
  const next = open?.getText();
  if (next === "{" || next === ".") return [];
  const text = name.getText();
  if (isReserved(text)) return [{ at: unitsOf(source, primary.start!.start), message: `reserved identifier: ${text}` }];
  if (text !== "has" || next !== "(" || !(list instanceof ParserRuleContext) || list.getChildCount() !== 1) return [];
  const argument = inner(list);
  if (!(argument instanceof ParserRuleContext) || argument.start === null || isField(argument, parser)) return [];
  return [{ at: unitsOf(source, placeOf(argument)), message: "invalid argument to has() macro" }];
}

/** Calls are where their parenthesis is, operations where their operator is, all else is where it begins. */
function placeOf(node: ParserRuleContext): number {
  const mark = node.children.slice(1).find((child) => child instanceof TerminalNode && !/^[.?]$/.test(child.getText()));
  const isPlace = mark instanceof TerminalNode && mark.symbol.start >= 0 && !/^\w/.test(mark.getText());
  return isPlace ? mark.symbol.start : node.start!.start;
}

/** What is wrapped in nothing but rules. */
function inner(node: ParserRuleContext): ParseTree {
  let at: ParseTree = node;
  while (at instanceof ParserRuleContext && at.getChildCount() === 1) at = at.getChild(0)!;
  return at instanceof TerminalNode ? at.parent! : at;
}

/** `a.b` */
function isField(node: ParserRuleContext, parser: Parser): boolean {
  const [, dot, name] = node.children;
  const isThere = name !== undefined && !(name instanceof TerminalNode && name.symbol.start < 0);
  return parser.ruleNames[node.ruleIndex] === "member" && node.getChildCount() === 3 && dot.getText() === "." &&
    isThere;
}

/** ANTLR counts code points. */
function unitsOf(source: string, codePoints: number): number {
  let at = 0;
  for (let i = 0; i < codePoints && at < source.length; i++) at += source.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
