import assert from "node:assert/strict";
import { labelSelectorOf, parseFieldSelector, parseLabelSelector, predicate } from "./mod.ts";

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (e) {
    return (e as Error).message;
  }
  return "";
}

Deno.test("label selectors match in every operator", () => {
  const labels = { tier: "front", size: "5", empty: "" };
  const cases: Record<string, boolean> = {
    "": true,
    "tier=front": true,
    "tier == back": false,
    "tier!=back,size>4": true,
    "size<5": false,
    "size>4,size<6": true,
    "tier>4": false,
    "missing>4": false,
    "tier in (front, back)": true,
    "tier notin (front)": false,
    "missing notin (a)": true,
    "missing!=a": true,
    "empty in ()": true,
    "empty=": true,
    "empty in (,a)": true,
    "!missing , tier": true,
    "constructor": false,
    "in in (in)": false,
  };
  for (const [text, want] of Object.entries(cases)) assert.equal(parseLabelSelector(text).matches(labels), want, text);
});

Deno.test("label selectors are written in one way", () => {
  assert.equal(String(parseLabelSelector(" z , a in (c,,b) ,!b, n!=1 ,m==2")), "a in (,b,c),!b,m==2,n!=1,z");
});

Deno.test("bad label selectors are told as the API tells them", () => {
  const cases: Record<string, string> = {
    "a=b=c": "found '=', expected: ',' or 'end of string'",
    "=x": "found '=', expected: !, identifier, or 'end of string'",
    "a in b": "unable to parse requirement: found 'b' expected: '('",
    "a,": "found '', expected: identifier after ','",
    "a,,b": "found ',', expected: identifier after ','",
    "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    "a in (b": "unable to parse requirement: found '', expected: ',' or ')'",
    "a in (b=)": "unable to parse requirement: found '=', expected: ',' or ')'",
    "a in (=)": "unable to parse requirement: found '=', expected: ',', ')' or identifier",
    "a==!": "unable to parse requirement: found '!', expected: identifier",
    "!!a": "unable to parse requirement: found '!', expected: identifier",
    "a>b":
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
  };
  for (const [text, want] of Object.entries(cases)) assert.equal(messageOf(() => parseLabelSelector(text)), want, text);
  assert.match(messageOf(() => parseLabelSelector("-a=b")), /^unable to parse requirement: <nil>: Invalid value: "-a"/);
  assert.match(
    messageOf(() => parseLabelSelector("a in (ok,-b)")),
    /requirement: values\[0\]\[a\]: Invalid value: "-b"/,
  );
});

Deno.test("selectors of objects become the same", () => {
  assert.equal(labelSelectorOf(null), undefined);
  assert.equal(labelSelectorOf({})!.everything, true);
  const selector = labelSelectorOf({
    matchLabels: { b: "1" },
    matchExpressions: [{ key: "a", operator: "In", values: ["y", "x"] }, { key: "c", operator: "DoesNotExist" }],
  })!;
  assert.equal(String(selector), "a in (x,y),b=1,!c");
  assert.throws(() => labelSelectorOf({ matchExpressions: [{ key: "a", operator: "Near" }] }), /not a valid label/);
});

Deno.test("field selectors match, unescape and refuse", () => {
  const selector = parseFieldSelector("metadata.name==a\\,b,,x!=");
  assert.equal(selector.matches({ "metadata.name": "a,b", x: "1" }), true);
  assert.equal(selector.matches({ "metadata.name": "a,b" }), false);
  assert.equal(String(selector), "metadata.name=a\\,b,x!=");
  assert.equal(
    messageOf(() => parseFieldSelector("a in (b)")),
    "invalid selector: 'a in (b)'; can't understand 'a in (b)'",
  );
  assert.equal(
    messageOf(() => parseFieldSelector("a=b=c")),
    "invalid field selector: unescaped character in value: 61",
  );
  assert.equal(messageOf(() => parseFieldSelector("a=b\\x")), "invalid field selector: invalid escape sequence: \\x");
  assert.equal(messageOf(() => parseFieldSelector("a=b\\")), "invalid field selector: invalid escape sequence: \\");
});

Deno.test("fields are renamed or refused by who knows them", () => {
  const selector = parseFieldSelector("spec.host=n");
  assert.equal(String(selector.transform(() => "spec.nodeName")), "spec.nodeName=n");
});

Deno.test("a predicate joins both", () => {
  const both = predicate({ labels: parseLabelSelector("a=1"), fields: parseFieldSelector("f=x") });
  assert.equal(both.everything, false);
  assert.equal(both.matches({ labels: { a: "1" }, fields: { f: "x" } }), true);
  assert.equal(both.matches({ labels: {}, fields: { f: "x" } }), false);
  assert.equal(both.requiresField("f"), "x");
  assert.equal(predicate({ labels: parseLabelSelector("") }).everything, true);
});
