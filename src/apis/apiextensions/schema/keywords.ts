// Which keywords a CRD's schema may have where, and what they may say; one walk over every schema in it.
import { emptyMember } from "../../../machinery/empty_members.ts";
import { Field } from "../../../machinery/validation/mod.ts";
import type { FieldError } from "../../../machinery/field_error.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import { itemsByPosition, type JsonSchema, schemaIn } from "./json_schema.ts";
import { requireType, validateLists } from "./lists.ts";
import { type RuleChecker, type SchemaNode, validateRuleFields } from "./rules.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const MAP_TYPES = ["atomic", "granular"];

/** Whether values can have such a type. */
export function isKnownType(type: string): boolean {
  return TYPES.includes(type);
}

const META_FIELDS = new Set(["metadata", "kind", "apiVersion"]);

/** What older CRDs may go on doing. */
export interface KeywordOptions {
  requireKnownTypes: boolean;
  requireAtomicSets: boolean;
  requireSoundMapKeys: boolean;
  /** Looks at the rules of every schema that is sound; undefined when the whole is not. */
  rules?: RuleChecker;
}

/** What depends on the way to a schema. */
interface Place {
  /** Why there may be no default. */
  noDefaults?: string;
  /** Inside of metadata, kind or apiVersion of a resource. */
  insideMeta: boolean;
  /** The outermost schema below which elements of two revisions cannot be told to be the same. */
  uncorrelatable?: Field;
}

/** Errors of keywords, then those of rules. */
export function validateKeywords(schema: JsonSchema, at: Field, options: KeywordOptions): void {
  const ruleErrors: FieldError[] = [];
  const walk = new Walk(options, ruleErrors);
  walk.visit(schema, at, { insideMeta: false }, { schema, parent: undefined, edge: { kind: "root" } });
  options.rules?.finish(Field.root(ruleErrors, at.text));
  at.add(ruleErrors);
}

class Walk {
  readonly #options: KeywordOptions;
  readonly #ruleErrors: FieldError[];

  constructor(options: KeywordOptions, ruleErrors: FieldError[]) {
    this.#options = options;
    this.#ruleErrors = ruleErrors;
  }

  /** @param node undefined under junctors, where no rule is looked at */
  visit(schema: JsonSchema, at: Field, place: Place, node: SchemaNode | undefined): void {
    const before = at.count;
    this.#validateOwn(schema, at, place);
    this.#visitInside(schema, at, place, node);
    validateExtensions(schema, at);
    validateLists(schema, at, this.#options);
    const rules = schema["x-kubernetes-validations"] ?? [];
    if (rules.length === 0) return;
    validateRuleFields(schema, rules, at.child("x-kubernetes-validations"));
    // What a rule would see is only known of sound schemas.
    if (node === undefined || at.count > before) return;
    this.#options.rules?.check(
      { ...node, uncorrelatable: place.uncorrelatable?.text },
      Field.root(this.#ruleErrors, at.child("x-kubernetes-validations").text),
    );
  }

  #validateOwn(schema: JsonSchema, at: Field, place: Place): void {
    const { type } = schema;
    if (this.#options.requireKnownTypes && type && !isKnownType(type)) at.child("type").notSupported(type, TYPES);
    if (schema.default !== undefined && place.noDefaults !== undefined) {
      at.child("default").forbidden(`must not be set ${place.noDefaults}`);
    }
    for (const keyword of UNSUPPORTED) {
      if (isSet(schema, keyword)) at.child(keyword).forbidden(`${keyword} is not supported`);
    }
    if (type === "null") {
      at.child("type").forbidden("type cannot be set to null, use nullable as an alternative");
    }
    if (itemsByPosition(schema).length > 0) {
      at.child("items").forbidden("items must be a schema object and not an array");
    }
    if (place.insideMeta && schema["x-kubernetes-embedded-resource"]) {
      at.child("x-kubernetes-embedded-resource").forbidden("must not be used inside of resource meta");
    }
    if (schema.uniqueItems) {
      at.child("uniqueItems").forbidden(
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      );
    }
  }

  #visitInside(schema: JsonSchema, at: Field, place: Place, node: SchemaNode | undefined): void {
    this.#visitMembers(schema, at, place, node);
    if (schema.not) this.visit(schema.not, at.child("not"), place, undefined);
    for (const junctor of ["allOf", "oneOf", "anyOf"] as const) {
      schema[junctor]?.forEach((s, i) => this.visit(s, at.child(junctor).index(i), place, undefined));
    }
    for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
      this.visit(definition, at.child("definitions").key(name), place, undefined);
    }
    const elements = schema["x-kubernetes-list-type"] === "map" ? place : uncorrelatable(place, at);
    const items = itemsOf(schema), edge = { kind: "items" } as const;
    if (items) this.visit(items, at.child("items"), elements, node && { schema: items, parent: node, edge });
    itemsByPosition(schema).forEach((s, i) =>
      this.visit(s, at.child("items").index(i), elements, node && { schema: s, parent: node, edge })
    );
    for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
      const inside = schemaIn(dependency);
      if (inside) this.visit(inside, at.child("dependencies").key(name), place, undefined);
    }
  }

  #visitMembers(schema: JsonSchema, at: Field, place: Place, node: SchemaNode | undefined): void {
    const { additionalProperties: additional, properties = {} } = schema, inside = schemaIn(additional);
    if (additional !== undefined) {
      const field = at.child("additionalProperties");
      // Together they would not say whether a field is known.
      if (Object.keys(properties).length > 0 && additional !== true) {
        field.forbidden("additionalProperties and properties are mutual exclusive");
      }
      const noDefaults = "inside additionalProperties applying to object metadata";
      const values = place.insideMeta ? { ...place, noDefaults } : place;
      const edge = { kind: "additionalProperties" } as const;
      if (inside) this.visit(inside, field, values, node && { schema: inside, parent: node, edge });
    }
    const { "x-kubernetes-map-type": mapType = "granular" } = schema;
    // A member is found by its name, also where the map is written as a whole.
    const members = MAP_TYPES.includes(mapType) ? place : uncorrelatable(place, at);
    const isRoot = node?.edge.kind === "root";
    const isResource = isRoot || schema["x-kubernetes-embedded-resource"];
    for (const name in properties) {
      let member = members;
      if (isResource && META_FIELDS.has(name)) {
        member = { ...members, insideMeta: true };
        if (isRoot) member.noDefaults = `in top-level ${name}`;
      }
      const property = properties[name], edge = { kind: "property", name } as const;
      this.visit(
        property,
        at.child("properties").key(name),
        member,
        node && { schema: property, parent: node, edge },
      );
    }
  }
}

function uncorrelatable(place: Place, at: Field): Place {
  return place.uncorrelatable === undefined ? { ...place, uncorrelatable: at } : place;
}

const UNSUPPORTED = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] as const;

function isSet(schema: JsonSchema, keyword: typeof UNSUPPORTED[number]): boolean {
  const value = schema[keyword];
  if (keyword === "id") return value !== undefined && value !== "";
  if (keyword === "patternProperties" || keyword === "definitions") return Object.keys(value ?? {}).length > 0;
  return value !== undefined || keyword === "dependencies" && emptyMember(schema, keyword) !== undefined;
}

function validateExtensions(schema: JsonSchema, at: Field): void {
  const { type, "x-kubernetes-map-type": mapType } = schema;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    at.child("x-kubernetes-preserve-unknown-fields").invalid(false, "must be true or undefined");
  }
  if (mapType === undefined) return;
  requireType(type, "object", "x-kubernetes-map-type", at);
  if (!MAP_TYPES.includes(mapType)) at.child("x-kubernetes-map-type").notSupportedInOrder(mapType, MAP_TYPES);
}
