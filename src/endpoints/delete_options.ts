// DeleteOptions: of the body when there is one, of the query otherwise.
import { decode, DecodeError } from "../machinery/codec/decode.ts";
import { badRequestError } from "../machinery/errors.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { StructType } from "../machinery/schema/model.ts";
import { apiVersionOf, type GroupVersionKind, type Json, type JsonObject } from "../machinery/types.ts";
import type { DeleteOptions } from "../registry/rest.ts";
import { readBody } from "./body.ts";
import { JSON_TYPE, negotiateInput } from "./negotiation.ts";
import { decodeDeleteOptions, validateDeleteOptions } from "./options.ts";
import { NO_TYPE_META, TypeMetaError, typeMetaOf } from "../machinery/codec/type_meta.ts";
import type { Scope } from "./scope.ts";
import { BodySyntaxError, parseBody } from "./serialize.ts";

/** The checked options, and as an object with its kind for admission. Throws 400, 415 and 422. */
export async function readDeleteOptions(scope: Scope): Promise<{ options: DeleteOptions; object: JsonObject }> {
  const body = await readBody(scope.c.req.raw, scope.deps.maxBodyBytes);
  const options = body.length === 0 ? decodeDeleteOptions(scope.query) : await decodeBody(scope, body);
  validateDeleteOptions(options);
  return { options, object: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...options as JsonObject } };
}

async function decodeBody(scope: Scope, body: Uint8Array): Promise<DeleteOptions> {
  const mediaType = negotiateInput(scope.headers);
  try {
    return decodeDocument((await parseBody(body, mediaType)).value);
  } catch (error) {
    if (error instanceof BodySyntaxError) {
      throw badRequestError(mediaType === JSON_TYPE ? NO_TYPE_META + error.message : error.message);
    }
    throw error instanceof DecodeError || error instanceof TypeMetaError ? badRequestError(error.message) : error;
  }
}

const DEFAULTS: GroupVersionKind = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" };

function decodeDocument(value: Json): DeleteOptions {
  const gvk = typeMetaOf(value, DEFAULTS);
  const { version, kind } = gvk;
  if (kind !== "DeleteOptions") {
    throw badRequestError(
      META_KINDS.has(kind)
        ? `converting (${version}.${kind}) to (v1.DeleteOptions): unknown conversion`
        : `no kind ${JSON.stringify(kind)} is registered for version ${
          JSON.stringify(apiVersionOf(gvk))
        } in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const { kind: _kind, apiVersion: _apiVersion, ...options } = decode(deleteOptionsType(), value).object;
  const { metadata: _metadata, ...rest } = options;
  return rest as DeleteOptions;
}

/** Kinds that every version knows. */
const META_KINDS = new Set(["CreateOptions", "UpdateOptions", "PatchOptions", "GetOptions", "ListOptions", "Status"]);

function deleteOptionsType(): StructType {
  return builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions")!;
}
