import assert from "node:assert/strict";
import { baseEnvironment, CompileError, compileExpression } from "./mod.ts";
import { DYN, INT, listOf, mapOf, STRING } from "./types.ts";
import { dynamicValue } from "./values/json.ts";

const environment = baseEnvironment().extend({
  s: STRING,
  i: INT,
  l: listOf(STRING),
  m: mapOf(STRING, INT),
  d: DYN,
});

const VALUES = { s: "äb", i: 9007199254740993, l: ["a", "b"], m: { x: 1, y: 2 }, d: { a: [1, 2.5, "t"], n: null } };

function run(source: string) {
  const program = compileExpression(source, environment).program();
  return program.evaluate((name) => dynamicValue(VALUES[name as keyof typeof VALUES]));
}

function issuesOf(source: string): string {
  try {
    compileExpression(source, environment);
  } catch (e) {
    if (e instanceof CompileError) return e.message;
    throw e;
  }
  return "";
}

Deno.test("expressions that are true", () => {
  const expressions = [
    "9223372036854775807 - 1 == 9223372036854775806 && 7 / -2 == -3 && -7 % 3 == -1",
    "9007199254740993 + 1 == 9007199254740994",
    "dyn(1) == 1.0 && dyn(1u) == 1 && 2u - 1u == 1u && 1.5 < 2",
    "s.size() == 2 && size('💥') == 1 && 'a' + 'b' == 'ab' && 'b' > 'a' && '\\uffff' < '💥'",
    "l.map(x, x + x) == ['aa', 'bb'] && l.filter(x, x > 'a') == ['b'] && l.exists_one(x, x == 'a')",
    "l.all(i, v, i < 2 && v != '') && l.transformList(i, v, i > 0, v) == ['b']",
    "m.transformMap(k, v, v + 1) == {'x': 2, 'y': 3} && m.transformMapEntry(k, v, {v: k})[2] == 'y'",
    "m.all(k, m[k] > 0) && 'x' in m && !('z' in m) && 'a' in ['a', 'b'] && !(1 in [])",
    "d.a[1] == 2.5 && d.?a[?9].orValue(5) == 5 && has(d.a) && !has(d.z) && d.n == null",
    "d.?z.y.orValue('none') == 'none' && optional.of(1).optMap(x, x + 1).value() == 2",
    "[?d.?z, ?optional.of(dyn(2))] == [2] && {?'k': optional.none()} == {}",
    "1 / 0 > 1 || true",
    "!(1 / 0 > 1 && false)",
    "[1, 0].exists(x, 1 / x > 0) && ![0, 1].all(x, 1 / x > 5)",
    "type(1) == int && type('a') == string && type([]) == list && type({}) == map && type(type(1)) == type",
    "timestamp('2024-02-29T23:30:00Z').getDate('+01:00') == 1 && duration('90m').getHours() == 1",
    "timestamp('2024-01-01T00:00:00Z') + duration('1.5s') == timestamp('2024-01-01T00:00:01.5Z')",
    "string(duration('1h')) == '3600s' && string(timestamp('2024-01-01T00:00:00Z')) == '2024-01-01T00:00:00Z'",
    "int('12') == 12 && uint(3) == 3u && double('1e3') == 1000.0 && string(1.5) == '1.5' && bool('t')",
    "bytes('ä') == b'\\xc3\\xa4' && b'ä'.size() == 2 && string(b'a') == 'a'",
    "'a-b-c'.split('-', 2) == ['a', 'b-c'] && 'äbc'.substring(1, 2) == 'b' && 'abca'.lastIndexOf('a') == 3",
    "'aXbX'.replace('X', 'y', 1) == 'aybX' && 'ab'.replace('', '-') == '-a-b-' && ' a '.trim() == 'a'",
    "'%s|%d|%.1f|%x|%b|%o'.format([[1, 'a'], 5, 1234.5, 'hi', 5, 8]) == '[1, \"a\"]|5|1,234.5|6869|101|10'",
    "'foo123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]', 1) == ['1'] && 'ab'.matches('^a')",
    "[3, 1, 2].sort() == [1, 2, 3] && ['bb', 'a'].sortBy(x, x.size()) == ['a', 'bb'] && [1, 2].sum() == 3",
    "[1, 1, 2].distinct() == [1, 2] && lists.range(2) == [0, 1] && [[1], [2, 3]].flatten() == [1, 2, 3]",
    "[1, 2, 3].slice(1, 3) == [2, 3] && [1, 2].first() == optional.of(1) && [1, 2].isSorted()",
    "sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])",
    "quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0 && quantity('2').sub(1) == quantity('1')",
    "ip('2001:db8::1').family() == 6 && cidr('10.0.0.5/8').masked() == cidr('10.0.0.0/8') && !isIP('1.2.3')",
    "cidr('192.168.0.0/24').containsIP('192.168.0.9') && !cidr('10.0.0.0/8').containsCIDR('11.0.0.0/16')",
    "url('https://u@h:8/a b?q=1&q=2').getQuery()['q'] == ['1', '2'] && url('https://h/a b').getEscapedPath() == '/a%20b'",
    "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && isSemver('v1.2', true) && !isSemver('v1.2')",
    "string(1e20) == '1e+20' && string(1234567.5) == '1.2345675e+06' && string(0.5) == '0.5'",
    "'%s'.format([[duration('1s'), type(1)]]) == '[duration(\"1s\"), int]' && '%.0f'.format([2.5]) == '2'",
    "'%e'.format([1234.5]) == '1.234500×10⁰³'",
    "format.dns1123Label().validate('a').orValue(['bad']) == ['bad'] && format.named('nope') == optional.none()",
  ];
  for (const expression of expressions) assert.deepEqual(run(expression).value, true, expression);
});

Deno.test("what goes wrong while evaluating", () => {
  const errors: [string, string][] = [
    ["9223372036854775807 + i > 1", "integer overflow"],
    ["i / 0 == 1", "division by zero"],
    ["uint(0) - 1u == 1u", "unsigned integer overflow"],
    ["d.z == 1", "no such key: z"],
    ["l[5] == 'a'", "index out of bounds: 5"],
    ["d.a[0] + 'x' == 'x'", "no such overload"],
    ["d.a.nope == 1", "unsupported index type 'string' in list"],
    ["optional.none().value() == 1", "optional.none() dereference"],
    ["'a'.substring(2) == ''", "index out of range: 2"],
    [
      "quantity(s) == quantity('1')",
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      "ip('1.2.3') == ip('1.2.3.4')",
      'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    ],
    ["int(s) == 1", "type conversion error from 'string' to 'int'"],
    ["l.max() == d.a.max()", "no such overload"],
    ["-d.a[2] == 1", "no such overload"],
    ["int(d.a) == 1", "no such overload: int(list)"],
    ["d.a[0].all(x, true)", "got 'types.Int', expected iterable type"],
    ["duration('2540400h') + duration('2540400h') == duration('1s')", "integer overflow"],
    ["cidr('10.0.0.0/8').containsIP('zz')", "no such overload"],
  ];
  for (const [expression, error] of errors) assert.equal(run(expression).error, error, expression);
});

Deno.test("issues are told as the real server tells them", () => {
  const issues: [string, string][] = [
    [
      "s ==",
      "1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | s ==\n | ....^",
    ],
    ["s.size() > 1)", "1:13: Syntax error: extraneous input ')' expecting <EOF>\n | s.size() > 1)\n | ............^"],
    [
      "has(s",
      "1:5: invalid argument to has() macro\n | has(s\n | ....^\nERROR: <input>:1:6: Syntax error: missing ')' at '<EOF>'\n | has(s\n | .....^",
    ],
    [
      "i == for)",
      "1:6: reserved identifier: for\n | i == for)\n | .....^\nERROR: <input>:1:9: Syntax error: extraneous input ')' expecting <EOF>\n | i == for)\n | ........^",
    ],
    ["slef == 'a'", "1:1: undeclared reference to 'slef' (in container '')\n | slef == 'a'\n | ^"],
    ["'ä' == i", "1:5: found no matching overload for '_==_' applied to '(string, int)'\n | 'ä' == i\n | .．..^"],
    ["s.size() > 0 && i", "1:17: expected type 'bool' but found 'int'\n | s.size() > 0 && i\n | ................^"],
    ["i.size() > 0", "1:7: found no matching overload for 'size' applied to 'int.()'\n | i.size() > 0\n | ......^"],
    ["s.foo", "1:2: type 'string' does not support field selection\n | s.foo\n | .^"],
    ["l.all(1, true)", "1:7: argument must be a simple name\n | l.all(1, true)\n | ......^"],
    [
      "i.all(x, true)",
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | i.all(x, true)\n | ^",
    ],
    [
      "duration('x') == duration('1s')",
      "1:10: invalid duration argument\n | duration('x') == duration('1s')\n | .........^",
    ],
    [
      "'%d'.format(['a']) == ''",
      "1:14: error during formatting: decimal clause can only be used on integers, was given string\n | '%d'.format(['a']) == ''\n | .............^",
    ],
    ["[1, 'a'] == []", "1:5: expected type 'int' but found 'string'\n | [1, 'a'] == []\n | ....^"],
    ["if == 1", "1:1: reserved identifier: if\n | if == 1\n | ^"],
    ["99999999999999999999 == 1", "1:1: invalid int literal\n | 99999999999999999999 == 1\n | ^"],
    ["Foo{a: 1}", "1:4: undeclared reference to 'Foo' (in container '')\n | Foo{a: 1}\n | ...^"],
  ];
  for (const [expression, issue] of issues) assert.equal(issuesOf(expression), `ERROR: <input>:${issue}`, expression);
});

Deno.test("deep nesting is refused without overflowing the stack", () => {
  const deep = `${"(".repeat(100_000 / 4)}1${")".repeat(100_000 / 4)}`;
  assert.match(issuesOf(deep), /expression recursion limit exceeded: 250/);
  assert.match(issuesOf(`${"1+".repeat(300)}1 == 1`), /expression recursion limit exceeded: 250/);
});

Deno.test("costs follow the published model", () => {
  const costs: [string, number][] = [
    ["i > 1", 2],
    ["d.a[0] == 1", 4],
    ["has(d.a)", 1],
    ["s in ['a', 'b']", 1],
    ["l.all(x, x != 'z')", 12],
    ["l.map(x, x).size() == 2", 30],
    ["true ? i == 1 : false", 2],
    ["s.contains('b')", 2],
  ];
  for (const [expression, cost] of costs) assert.equal(run(expression).cost, cost, expression);
});

Deno.test("an evaluation ends when it costs too much", () => {
  const program = compileExpression("l.all(x, l.all(y, l.all(z, x != y + z)))", environment).program();
  const outcome = program.evaluate(() => dynamicValue(Array.from({ length: 100 }, (_, i) => `${i}`)), 10_000);
  assert.equal(outcome.error, "operation cancelled: actual cost limit exceeded");
});
