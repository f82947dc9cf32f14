// What gRPC says of an error, for people.
import { grpcCodeName, grpcCodeOf } from "./codes.ts";
import type { ServiceError } from "./grpc.d.ts";

/** The message alone, without the code in front and without the note of how the address was resolved when there is none. */
export function grpcMessageOf(error: unknown): string {
  const { details, message } = error as ServiceError;
  return (details || message).replace(/\.? *Resolution note: *$/, "");
}

/** The same as Go's client words it, with the code by name. */
export function rpcErrorOf(error: unknown): string {
  return `rpc error: code = ${grpcCodeName(grpcCodeOf(error))} desc = ${grpcMessageOf(error)}`;
}
