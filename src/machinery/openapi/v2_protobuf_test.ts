import assert from "node:assert/strict";
import protobuf from "protobufjs";
import { v2Protobuf } from "./v2_protobuf.ts";

/** The part of openapi.v2 that the test looks at (google/gnostic-models). */
const PROTO = `
  syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Document { string swagger = 1; Info info = 2; Paths paths = 8; Definitions definitions = 9; Parameters parameters = 10;
    repeated Security security = 12; }
  message Info { string title = 1; string version = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message PathItem { Operation get = 2; repeated ParametersItem parameters = 9; }
  message Operation { string operation_id = 5; repeated string produces = 6; Responses responses = 9; repeated NamedAny extension = 13; }
  message Responses { repeated NamedResponse code = 1; }
  message NamedResponse { string name = 1; ResponseValue value = 2; }
  message ResponseValue { Response response = 1; Reference reference = 2; }
  message Response { string description = 1; SchemaItem schema = 2; }
  message SchemaItem { Schema schema = 1; }
  message ParametersItem { Parameter parameter = 1; Reference reference = 2; }
  message Parameter { NonBody non_body = 2; }
  message NonBody { Query query = 3; }
  message Query { string in = 2; string name = 4; string type = 6; bool unique_items = 20; }
  message Reference { string ref = 1; }
  message Parameters { repeated NamedParameter additional = 1; }
  message NamedParameter { string name = 1; Parameter value = 2; }
  message Definitions { repeated NamedSchema additional = 1; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Schema { string ref = 1; string format = 2; double maximum = 7; repeated string required = 19; repeated Any enum = 20; Additional additional = 21;
    Strings type = 22; Items items = 23; Definitions properties = 25; }
  message Additional { Schema schema = 1; bool boolean = 2; }
  message Strings { repeated string value = 1; }
  message Items { repeated Schema schema = 1; }
  message Security { repeated NamedStrings additional = 1; }
  message NamedStrings { string name = 1; Strings value = 2; }
`;

Deno.test("a document of OpenAPI v2 in protobuf says what it says in JSON", () => {
  const type = protobuf.parse(PROTO, { keepCase: true }).root.lookupType("Document");
  const bytes = v2Protobuf({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    paths: {
      "/a": {
        get: {
          operationId: "g",
          produces: ["x", "y"],
          responses: { "200": { description: "OK", schema: { $ref: "#/definitions/A" } } },
          "x-kubernetes-action": "list",
        },
        parameters: [{ $ref: "#/parameters/p" }],
      },
    },
    definitions: {
      A: {
        type: "object",
        required: ["b"],
        properties: {
          b: { type: "array", items: { type: "string", enum: ["x"] } },
          c: { type: "number", maximum: 1.5 },
          d: { type: "object", additionalProperties: { type: "integer", format: "int32" } },
          e: { additionalProperties: true },
        },
      },
    },
    parameters: { p: { in: "query", name: "p", type: "boolean", uniqueItems: true } },
    security: [{ Token: [] }],
  });
  const named = (name: string, value: object) => ({ name, value });
  assert.deepEqual(type.toObject(type.decode(bytes)), {
    swagger: "2.0",
    info: { title: "T", version: "1" },
    paths: {
      path: [named("/a", {
        get: {
          operation_id: "g",
          produces: ["x", "y"],
          responses: {
            code: [named("200", { response: { description: "OK", schema: { schema: { ref: "#/definitions/A" } } } })],
          },
          extension: [named("x-kubernetes-action", { yaml: "list\n" })],
        },
        parameters: [{ reference: { ref: "#/parameters/p" } }],
      })],
    },
    definitions: {
      additional: [named("A", {
        type: { value: ["object"] },
        required: ["b"],
        properties: {
          additional: [
            named("b", {
              type: { value: ["array"] },
              items: { schema: [{ type: { value: ["string"] }, enum: [{ yaml: "x\n" }] }] },
            }),
            named("c", { type: { value: ["number"] }, maximum: 1.5 }),
            named("d", {
              type: { value: ["object"] },
              additional: { schema: { type: { value: ["integer"] }, format: "int32" } },
            }),
            named("e", { additional: { boolean: true } }),
          ],
        },
      })],
    },
    parameters: {
      additional: [
        named("p", { non_body: { query: { in: "query", name: "p", type: "boolean", unique_items: true } } }),
      ],
    },
    security: [{ additional: [named("Token", {})] }],
  });
});
