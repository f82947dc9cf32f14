// DeleteOptions: of the body when there is one, of the query otherwise.
import { decode, DecodeError } from "../machinery/codec/decode.ts";
import { badRequestError } from "../machinery/errors.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { StructType } from "../machinery/schema/model.ts";
import { type Json, type JsonObject, parseApiVersion } from "../machinery/types.ts";
import type { DeleteOptions } from "../registry/rest.ts";
import { readBody } from "./body.ts";
import { negotiateInput } from "./negotiation.ts";
import { decodeDeleteOptions, validateDeleteOptions } from "./options.ts";
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
    if (error instanceof BodySyntaxError || error instanceof DecodeError) throw badRequestError(error.message);
    throw error;
  }
}

function decodeDocument(value: Json): DeleteOptions {
  const document = value ?? {};
  if (typeof document !== "object" || Array.isArray(document)) {
    throw badRequestError(`couldn't get version/kind; json parse error: ${typeof document} is no object`);
  }
  const apiVersion = typeof document.apiVersion === "string" ? document.apiVersion : "meta.k8s.io/v1";
  const gv = parseApiVersion(apiVersion);
  if (gv === undefined) throw badRequestError(`unexpected GroupVersion string: ${apiVersion}`);
  const kind = typeof document.kind === "string" && document.kind !== "" ? document.kind : "DeleteOptions";
  if (kind !== "DeleteOptions") {
    throw badRequestError(
      gv.group === "meta.k8s.io" || META_KINDS.has(kind)
        ? `converting (${gv.version}.${kind}) to (v1.DeleteOptions): unknown conversion`
        : `no kind ${JSON.stringify(kind)} is registered for version ${
          JSON.stringify(apiVersion)
        } in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const { kind: _kind, apiVersion: _apiVersion, ...options } = decode(deleteOptionsType(), document).object;
  const { metadata: _metadata, ...rest } = options;
  return rest as DeleteOptions;
}

/** Kinds that every version knows. */
const META_KINDS = new Set(["CreateOptions", "UpdateOptions", "PatchOptions", "GetOptions", "ListOptions", "Status"]);

function deleteOptionsType(): StructType {
  return builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions")!;
}
