// CSI drivers: what a storage driver can do.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field, validateImmutable } from "../../machinery/validation/mod.ts";
import { AGE, boolean, NAME, text } from "../columns.ts";
import type { CSIDriver, CSIDriverSpec, StorageV1TokenRequest as TokenRequest } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type DriverObject = KubeObject & CSIDriver;

const GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];
const LIFECYCLES = ["Persistent", "Ephemeral"];
const MIN_TOKEN_SECONDS = 600;
const MIN_UPDATE_SECONDS = 10;

function setDefaults(object: DriverObject): void {
  const spec = object.spec ??= {};
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ["Persistent"];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

/** VolumeLimitScaling is off: its field is kept only where the stored driver has it. */
function dropDisabled({ spec }: DriverObject, old?: DriverObject): void {
  if (old?.spec?.preventPodSchedulingIfMissing === undefined) delete spec?.preventPodSchedulingIfMissing;
}

function checkSpec(spec: CSIDriverSpec, at: Field): void {
  const { fsGroupPolicy, tokenRequests = [], serviceAccountTokenInSecrets: inSecrets } = spec;
  if (fsGroupPolicy !== undefined && !GROUP_POLICIES.includes(fsGroupPolicy)) {
    at.child("fsGroupPolicy").notSupported(fsGroupPolicy, GROUP_POLICIES);
  }
  checkTokens(tokenRequests, at.child("tokenRequests"));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!LIFECYCLES.includes(mode)) at.child("volumeLifecycleModes").notSupportedInOrder(mode, LIFECYCLES);
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < MIN_UPDATE_SECONDS) {
    at.child("nodeAllocatableUpdatePeriodSeconds").invalid(period, "must be greater than or equal to 10 seconds");
  }
  if (inSecrets !== undefined && tokenRequests.length === 0) {
    at.child("serviceAccountTokenInSecrets").invalid(
      inSecrets,
      "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
    );
  }
}

function checkTokens(requests: readonly TokenRequest[], at: Field): void {
  const seen = new Set<string>();
  requests.forEach(({ audience = "", expirationSeconds: seconds }, i) => {
    if (seen.has(audience)) return at.index(i).child("audience").duplicate(audience);
    seen.add(audience);
    if (seconds === undefined) return;
    const field = at.index(i).child("expirationSeconds");
    if (seconds < MIN_TOKEN_SECONDS) field.invalid(seconds, "may not specify a duration less than 10 minutes");
    if (seconds > 2 ** 32) field.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  });
}

const IN_SECRETS_ADVICE = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true " +
  "to prevent possible logging of tokens in volume attributes";

function warnings({ spec }: DriverObject, old?: DriverObject): string[] {
  const changed = !old || !deepEqual(spec?.tokenRequests, old.spec?.tokenRequests);
  const advised = changed && spec?.tokenRequests?.length && spec.serviceAccountTokenInSecrets === undefined;
  return advised ? [IN_SECRETS_ADVICE] : [];
}

export const csiDriver: KindDefinition<DriverObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "CSIDriver" },
  resource: "csidrivers",
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  setDefaults,
  prepareForCreate: (object) => dropDisabled(object),
  prepareForUpdate(object, old) {
    dropDisabled(object, old);
    // Changes count, although a new driver has no generation yet.
    if (!deepEqual(object.spec, old.spec)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: ({ spec = {} }) => collect((root) => checkSpec(spec, root.child("spec"))),
  validateUpdate: ({ spec = {} }, { spec: before = {} }) =>
    collect((root) => {
      const at = root.child("spec");
      checkSpec(spec, at);
      validateImmutable({ now: spec.attachRequired, before: before.attachRequired }, at.child("attachedRequired"));
      validateImmutable(
        { now: spec.volumeLifecycleModes, before: before.volumeLifecycleModes },
        at.child("volumeLifecycleModes"),
      );
    }),
  warningsOnCreate: (object) => warnings(object),
  warningsOnUpdate: warnings,
  columns: [
    NAME,
    boolean("AttachRequired", "Whether volumes are attached.", (o) => o.spec?.attachRequired ?? true),
    boolean("PodInfoOnMount", "Whether mounts tell of the pod.", (o) => o.spec?.podInfoOnMount ?? false),
    boolean("StorageCapacity", "Whether capacity is published.", (o) => o.spec?.storageCapacity ?? false),
    text(
      "TokenRequests",
      "Audiences of tokens.",
      ({ spec }) => spec?.tokenRequests ? spec.tokenRequests.map((t) => t.audience ?? "").join(",") : "<unset>",
    ),
    boolean(
      "RequiresRepublish",
      "Whether volumes are published over and over.",
      (o) => o.spec?.requiresRepublish ?? false,
    ),
    text("Modes", "Lives of volumes.", (o) => (o.spec?.volumeLifecycleModes ?? []).join(",") || "<none>"),
    AGE,
  ],
};
