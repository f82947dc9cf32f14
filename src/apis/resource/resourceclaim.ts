// Resource claims: devices that somebody asks for and holds (KEP-4381, dynamic resource allocation).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, validateImmutable } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { ResourceClaim } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import { internalForm } from "../internal_form.ts";
import { loadLanguage } from "../expressions.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { setClaimDefaults, setTolerationDefaults } from "./claim_defaults.ts";

const specRules = new LaterModule(() => import("./claim_spec.ts"));
const statusRules = new LaterModule(() => import("./claim_status.ts"));

type ClaimObject = KubeObject & ResourceClaim;

function stateText({ metadata, status }: ClaimObject): string {
  const deleted = metadata.deletionTimestamp !== undefined, words = deleted ? ["deleted"] : [];
  if (status?.allocation) {
    words.push("allocated");
    if (status.reservedFor?.length) words.push("reserved");
  } else if (!deleted) words.push("pending");
  return words.join(",");
}

export const resourceClaim: KindDefinition<ClaimObject> = {
  gvk: { group: "resource.k8s.io", version: "v1", kind: "ResourceClaim" },
  resource: "resourceclaims",
  async load({ spec }) {
    await Promise.all([specRules.load(), statusRules.load()]);
    if (specRules.module.hasExpressions(spec)) await loadLanguage();
  },
  returnsDeletedObject: true,
  setDefaults({ spec, status }: ClaimObject) {
    setClaimDefaults(spec);
    for (const { tolerations } of status?.allocation?.devices?.results ?? []) setTolerationDefaults(tolerations);
  },
  checksMetadata: true,
  validate: (claim) =>
    collect((root) => {
      checkMeta(claim, root, { namespaced: true });
      specRules.module.checkClaimSpec(claim.spec ?? {}, root.child("spec"));
    }),
  validateUpdate: (claim, old) =>
    collect((root) => {
      checkMeta(claim, root, { namespaced: true });
      checkMetaUpdate(claim, old, root);
      const [now, before] = [claim, old].map(({ spec }) => internalForm("ResourceClaimSpec", spec));
      validateImmutable({ now, before }, root.child("spec"));
    }),
  columns: [NAME, text("State", "Whether its devices are allocated.", stateText), AGE],
  statusResetFields: [["metadata"], ["spec"]],
  subresources: {
    status: {
      prepareForUpdate: ({ status = {} }, { status: before = {} }) =>
        statusRules.module.dropDeallocated(status, before),
      validateUpdate: (claim, old) =>
        collect((root) => statusRules.module.checkClaimStatus(claim, old, root.child("status"))),
    },
  },
};
