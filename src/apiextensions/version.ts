// One version of a CustomResourceDefinition: how its objects are read, completed and checked. All of it is made when it
// is first needed.
import type { CustomResourceDefinitionVersion, CustomResourceSubresources } from "../facts/generated/types.ts";
import { decode } from "../machinery/codec/decode.ts";
import type { StructType } from "../machinery/schema/model.ts";
import { structuralRoot } from "../machinery/schema/structural.ts";
import { applyDefaults } from "../machinery/codec/structural_defaults.ts";
import type { JSONSchema } from "../machinery/schema/structural_schema.ts";
import { apiVersionOf, type GroupVersionKind, type Json, type KubeObject } from "../machinery/types.ts";
import { hasRules } from "../machinery/cel/schema/has_rules.ts";
import type { RuleValidator } from "../machinery/cel/schema/rule_validator.ts";
import type { Definition, VersionDigest } from "./definition.ts";
import { compileSchema, type SchemaValidator } from "../machinery/schema_validation/mod.ts";
import { type FieldsReader, fieldsReader } from "./selectable_fields.ts";

export class CustomVersion {
  readonly gvk: GroupVersionKind;
  readonly apiVersion: string;
  #spec: CustomResourceDefinitionVersion | undefined;
  #type: StructType | undefined;
  #validator: SchemaValidator | undefined;
  #fieldsOf: { read: FieldsReader | undefined } | undefined;
  #statusValidator: SchemaValidator | undefined;
  #rules: RuleValidator | undefined;

  /** @param read parses the version's part of the CustomResourceDefinition */
  constructor(
    readonly definition: Definition,
    readonly digest: VersionDigest,
    readonly read: () => CustomResourceDefinitionVersion,
  ) {
    this.gvk = { group: definition.group, version: digest.name, kind: definition.kind };
    this.apiVersion = apiVersionOf(this.gvk);
  }

  get spec(): CustomResourceDefinitionVersion {
    return this.#spec ??= this.read();
  }

  get subresources(): CustomResourceSubresources {
    return this.spec.subresources ?? {};
  }

  get schema(): JSONSchema | undefined {
    return this.spec.schema?.openAPIV3Schema as JSONSchema | undefined;
  }

  get type(): StructType {
    return this.#type ??= structuralRoot(this.schema, `${this.apiVersion}.${this.gvk.kind}`);
  }

  get validator(): SchemaValidator {
    return this.#validator ??= compileSchema(this.schema ?? {});
  }

  /** Of the status alone; undefined when the schema does not speak of it. */
  get statusValidator(): SchemaValidator | undefined {
    const status = this.schema?.properties?.status;
    return this.#statusValidator ??= status && compileSchema(status);
  }

  /** The rules of the schema; undefined when it has none, and until {@link loadRules}. */
  get rules(): RuleValidator | undefined {
    return this.#rules;
  }

  /** Brings in the expression language where the schema has rules. */
  async loadRules(): Promise<void> {
    const { schema } = this;
    if (this.#rules !== undefined || schema === undefined || !hasRules(schema)) return;
    const { RuleValidator } = await import("../machinery/cel/schema/rule_validator.ts");
    this.#rules ??= new RuleValidator(schema);
  }

  /** Reads the selectable fields off an object; undefined when there are none. */
  get fieldsOf(): FieldsReader | undefined {
    if (this.#fieldsOf === undefined) this.#fieldsOf = { read: fieldsReader(this.spec.selectableFields ?? []) };
    return this.#fieldsOf.read;
  }

  /** Drops what the schema does not know. Throws a DecodeError unless the object is stored already. */
  prune(object: KubeObject, { isStored = false } = {}): KubeObject {
    const value = object as unknown as Json;
    return decode(this.type, value, { strict: false, lenient: isStored }).object;
  }

  setDefaults(object: KubeObject): void {
    if (this.schema !== undefined) applyDefaults(object as unknown as Json, this.schema);
  }
}
