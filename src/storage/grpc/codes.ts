// Codes of gRPC's answers by the names that metrics have for them (https://grpc.io/docs/guides/status-codes/).

const NAMES = [
  "OK",
  "Canceled",
  "Unknown",
  "InvalidArgument",
  "DeadlineExceeded",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "ResourceExhausted",
  "FailedPrecondition",
  "Aborted",
  "OutOfRange",
  "Unimplemented",
  "Internal",
  "Unavailable",
  "DataLoss",
  "Unauthenticated",
];

/** Of an error of gRPC, or of one that was made out of such; undefined for others. */
export function grpcCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === "number" ? code : grpcCodeOf(error.cause);
}

export function grpcCodeName(code: number | undefined): string {
  return NAMES[code ?? 2] ?? "Unknown";
}
