import assert from "node:assert/strict";
import { HpackDecoder, HpackError } from "./decoder.ts";
import { HpackEncoder } from "./encoder.ts";

function decode(decoder: HpackDecoder, hex: string | Uint8Array): string[] {
  const fields: string[] = [];
  const block = typeof hex === "string" ? Uint8Array.fromHex(hex) : hex;
  decoder.decode(block, ({ name, value }) => fields.push(`${name}: ${value}`));
  return fields;
}

// RFC 7541, appendices C.3 and C.4: three requests on one connection, plainly and in Huffman's code.
const EXAMPLES = {
  plain: [
    "828684410f7777772e6578616d706c652e636f6d",
    "828684be58086e6f2d6361636865",
    "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
  ],
  huffman: [
    "828684418cf1e3c2e5f23a6ba0ab90f4ff",
    "828684be5886a8eb10649cbf",
    "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
  ],
};

for (const [name, blocks] of Object.entries(EXAMPLES)) {
  Deno.test(`the specification's requests are read: ${name}`, () => {
    const decoder = new HpackDecoder(4096);
    const start = [":method: GET", ":scheme: http", ":path: /"], authority = ":authority: www.example.com";
    assert.deepEqual(decode(decoder, blocks[0]), [...start, authority]);
    assert.deepEqual(decode(decoder, blocks[1]), [...start, authority, "cache-control: no-cache"]);
    assert.deepEqual(decode(decoder, blocks[2]), [
      ":method: GET",
      ":scheme: https",
      ":path: /index.html",
      authority,
      "custom-key: custom-value",
    ]);
  });
}

Deno.test("fields fall off a table that is full, in both directions alike", () => {
  const encoder = new HpackEncoder(), decoder = new HpackDecoder(4096);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 200; i++) {
      const fields = [["content-type", "application/json"], ["x-number", String(i)], [
        "x-text",
        "ä".repeat(i),
      ]] as const;
      const expected = fields.map(([name, value]) => `${name}: ${value}`);
      assert.deepEqual(decode(decoder, encoder.encode(200 + i, fields)), [`:status: ${200 + i}`, ...expected]);
    }
  }
});

Deno.test("what was said before is one byte", () => {
  const encoder = new HpackEncoder(), fields = [["content-type", "application/json"]] as const;
  assert.equal(encoder.encode(200, fields).length, 1 + 1 + 1 + "application/json".length);
  assert.equal(encoder.encode(200, fields).length, 2);
});

Deno.test("a client that wants a smaller table is told that it has it, also of the smallest in between", () => {
  const encoder = new HpackEncoder(), decoder = new HpackDecoder(4096), fields = [["x", "y"]] as const;
  decode(decoder, encoder.encode(200, fields));
  encoder.setMaxTableSize(0);
  encoder.setMaxTableSize(100);
  const block = encoder.encode(200, fields).slice();
  assert.deepEqual([...block.subarray(0, 3)], [0x20, 0x20 | 31, 100 - 31]);
  assert.deepEqual(decode(decoder, block), [":status: 200", "x: y"]);
});

Deno.test("blocks that are none are refused", () => {
  const refused = {
    "an index of nothing": "80",
    "an index beyond both tables": "be",
    "a name beyond both tables": "7e0161",
    "a string that is cut off": "400a6375",
    "a number that is cut off": "ff",
    "a number without end": "ffffffffffffffffff",
    "a table larger than offered": "3fe21f",
    "a table size behind a field": "823f00",
    "the end of a string in a string": "00 0161 84ffffffff".replaceAll(" ", ""),
    "padding that is none": "00 0161 8100".replaceAll(" ", ""),
    "padding longer than a byte": "00 0161 821fff".replaceAll(" ", ""),
  };
  for (const [what, hex] of Object.entries(refused)) {
    assert.throws(() => decode(new HpackDecoder(4096), hex), HpackError, what);
  }
});
