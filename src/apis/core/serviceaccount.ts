// Service accounts.
import { path } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { nameIsDNSSubdomain, validateObjectMeta } from "../../machinery/validation/mod.ts";
import { AGE, NAME } from "../columns.ts";
import type { ServiceAccount } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type ServiceAccountObject = KubeObject & ServiceAccount;

const META = {
  namespaced: true,
  validateName: nameIsDNSSubdomain,
  path: path("metadata"),
  standardFinalizers: true,
};
const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

/** Secrets are those of the namespace: of a reference only the name is kept. */
function keepNames(account: ServiceAccountObject): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => name === undefined ? {} : { name });
}

function warnings({ metadata: { annotations } }: ServiceAccountObject, old?: ServiceAccountObject): string[] {
  if (annotations?.[MOUNTABLE] === undefined || old?.metadata.annotations?.[MOUNTABLE] !== undefined) return [];
  return [
    `metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}

export const serviceAccount: KindDefinition<ServiceAccountObject> = {
  gvk: { group: "", version: "v1", kind: "ServiceAccount" },
  resource: "serviceaccounts",
  returnsDeletedObject: true,
  prepareForCreate: keepNames,
  warningsOnCreate: (account) => warnings(account),
  prepareForUpdate: keepNames,
  validateUpdate: ({ metadata }) => validateObjectMeta(metadata, META),
  warningsOnUpdate: (account, old) => warnings(account, old),
  columns: [NAME, AGE],
};
