// Words that every JavaScript object has a member for (`constructor`) are to clients words like any other.
import assert from "node:assert/strict";
import { startServer } from "./support/server.ts";

/** A word that no table has, and words that no table has but every object. */
const NOWHERE = "nowhere", WORDS = ["constructor", "__proto__", "hasOwnProperty", "valueOf"];

const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";
const NAMESPACE = "/api/v1/namespaces/default";

type Try = (word: string) => { method?: string; path: string; type?: string; body?: unknown };

const TRIES: Readonly<Record<string, Try>> = {
  method: (word) => ({ method: word, path: `${NAMESPACE}/pods` }),
  "scope of a quota": (word) => ({
    path: `${NAMESPACE}/resourcequotas`,
    body: { metadata: { name: "q" }, spec: { hard: { pods: "1" }, scopes: [word] } },
  }),
  "type of a metric": (word) => ({
    path: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    body: {
      metadata: { name: "h" },
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        metrics: [{ type: word }],
      },
    },
  }),
  "type of a secret": (word) => ({
    path: `${NAMESPACE}/secrets?dryRun=All`,
    body: { metadata: { name: "s" }, type: word },
  }),
  "label of a field selector": (word) => ({ method: "GET", path: `${NAMESPACE}/pods?fieldSelector=${word}%3Dx` }),
  "name of a component": (word) => ({ method: "GET", path: `/api/v1/componentstatuses/${word}` }),
  "operation of a JSON patch": (word) => ({
    method: "PATCH",
    path: "/api/v1/namespaces/default",
    type: "application/json-patch+json",
    body: [{ op: word, path: "/metadata/labels/x", value: "1" }],
  }),
  "name of a flow schema": (word) => ({
    path: `${FLOW}/flowschemas?dryRun=All`,
    body: {
      metadata: { name: word },
      spec: { matchingPrecedence: 500, priorityLevelConfiguration: { name: "exempt" } },
    },
  }),
  "name of a priority level": (word) => ({
    path: `${FLOW}/prioritylevelconfigurations?dryRun=All`,
    body: {
      metadata: { name: word },
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    },
  }),
};

/** Words that are no names are refused for that. */
function isName(word: string): boolean {
  return /^[a-z]+$/.test(word);
}

Deno.test("words that JavaScript's objects know are no others to the tables", async () => {
  const server = await startServer();
  const answerTo = async (request: ReturnType<Try>, word: string) => {
    const { method = "POST", path, type = "application/json", body } = request;
    const response = await server.fetch(path, {
      method,
      headers: { "content-type": type },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { code, message } = await response.json();
    return [response.status, code, message?.replaceAll(word, NOWHERE)];
  };
  for (const [what, request] of Object.entries(TRIES)) {
    const expected = await answerTo(request(NOWHERE), NOWHERE);
    for (const word of WORDS) {
      if (what.startsWith("name of a") && !isName(word)) continue;
      assert.deepEqual(await answerTo(request(word), word), expected, `${what}: ${word}`);
    }
  }
  await server.stop();
});
