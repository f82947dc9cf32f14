import assert from "node:assert/strict";
import type { AuthenticationResponse, TokenAuthenticator } from "./interface.ts";
import { tokenCache, type TokenCacheOptions } from "./token_cache.ts";

function setUp(options: Partial<TokenCacheOptions> = {}, inner: Partial<TokenAuthenticator> = {}) {
  const counter = { asked: 0, time: 0 };
  const cache = tokenCache({
    authenticateToken(token) {
      counter.asked++;
      if (token === "bad") throw new Error("wrong");
      return token.startsWith("good") ? { user: { name: token, uid: "", groups: [], extra: {} } } : undefined;
    },
    ...inner,
  }, { successTtl: 100, failureTtl: 0, now: () => counter.time, ...options });
  return { cache, counter };
}

Deno.test("whose a token is stays known for a while", () => {
  const { cache, counter } = setUp();
  for (let i = 0; i < 3; i++) cache.authenticateToken("good", []);
  assert.equal(counter.asked, 1);
  counter.time = 100;
  cache.authenticateToken("good", []);
  assert.equal(counter.asked, 2);
});

Deno.test("other audiences are another question", () => {
  const { cache, counter } = setUp();
  for (const audiences of [[], ["a"], ["b"], ["a", "b"], ["a\nb"], ["a"]]) cache.authenticateToken("good", audiences);
  assert.equal(counter.asked, 5);
});

Deno.test("refusals are remembered only where that is wanted, errors too unless said otherwise", () => {
  const never = setUp(), always = setUp({ failureTtl: 100 }), noErrors = setUp({ failureTtl: 100, errors: false });
  for (const { cache } of [never, always, noErrors]) {
    for (let i = 0; i < 2; i++) {
      assert.equal(cache.authenticateToken("nobody", []), undefined);
      assert.throws(() => cache.authenticateToken("bad", []), /wrong/);
    }
  }
  assert.deepEqual([never, always, noErrors].map(({ counter }) => counter.asked), [4, 2, 3]);
});

Deno.test("a token that is being looked up is looked up once", async () => {
  const answers: ((found: AuthenticationResponse | undefined) => void)[] = [];
  const { cache } = setUp({}, { authenticateToken: () => new Promise((resolve) => answers.push(resolve)) });
  const all = [1, 2, 3].map(() => cache.authenticateToken("good", []));
  assert.equal(answers.length, 1);
  answers[0](undefined);
  assert.deepEqual(await Promise.all(all), [undefined, undefined, undefined]);
});

Deno.test("no more is remembered than there is room for", () => {
  const { cache, counter } = setUp({ size: 2 });
  for (const token of ["good-1", "good-2", "good-3", "good-2", "good-3"]) cache.authenticateToken(token, []);
  assert.equal(counter.asked, 3);
  cache.authenticateToken("good-1", []);
  assert.equal(counter.asked, 4);
});
