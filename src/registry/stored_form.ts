// Objects as kube-apiserver may have stored them: in protobuf, and in other versions of their kind than are kept here.
import { crdFromV1beta1 } from "../apis/apiextensions/v1beta1.ts";
import type { KindDefinition } from "../apis/kind.ts";
import { builtinKind, modelOf } from "../apis/scheme.ts";
import { internalError } from "../machinery/errors.ts";
import { decodeEnvelope, decodeMessage } from "../machinery/protobuf/decode.ts";
import { encodeProtobuf } from "../machinery/protobuf/encode.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import { apiVersionOf, type GroupVersionKind, type KubeObject, parseApiVersion } from "../machinery/types.ts";
import type { StoredForm } from "../storage/mod.ts";

/** Kinds of these groups are kept as JSON by kube-apiserver, too. */
const JSON_ONLY: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** Versions that are stored by others and not known to the schema. */
const UPGRADES: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  "apiextensions.k8s.io/v1beta1": crdFromV1beta1,
};

/**
 * How objects of a kind are read, whoever stored them, and written.
 * @param protobuf whether they are written as protobuf
 */
export function storedForm(stored: GroupVersionKind, definition: KindDefinition, protobuf: boolean): StoredForm {
  const apiVersion = apiVersionOf(stored), type = modelOf(stored);
  return {
    decode(value) {
      const envelope = decodeEnvelope(value);
      if (envelope.kind !== stored.kind) {
        throw internalError(`the storage holds a ${envelope.kind} where a ${stored.kind} belongs`);
      }
      const object = decodeMessage(schemaOf(envelope) ?? type, envelope.raw, envelope);
      // Whoever stored it may have known fewer fields, or have cleared some since it filled in their defaults.
      const own = envelope.apiVersion === apiVersion ? definition : definition.conversions?.[envelope.apiVersion];
      own?.setDefaults?.(object);
      return object;
    },
    encode: protobuf && !JSON_ONLY.has(stored.group) ? (object) => encodeProtobuf(type, object) : undefined,
    upgrade(object) {
      if (object.apiVersion === apiVersion) return undefined;
      const upgrade = UPGRADES[object.apiVersion];
      if (upgrade !== undefined) return upgrade(object);
      const gv = parseApiVersion(object.apiVersion);
      return gv && builtinKind({ ...gv, kind: object.kind }, stored, definition).toStored(object);
    },
  };
}

function schemaOf({ apiVersion, kind }: { apiVersion: string; kind: string }) {
  const gv = parseApiVersion(apiVersion);
  return gv && builtinSchema().typeOfKind({ ...gv, kind });
}
