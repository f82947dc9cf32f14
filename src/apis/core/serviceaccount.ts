// Service accounts: who pods are to the API.
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import { AGE, NAME } from "../columns.ts";
import type { ServiceAccount } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";

type AccountObject = KubeObject & ServiceAccount;

const MOUNTABLE_SECRETS = "kubernetes.io/enforce-mountable-secrets";

/** Of the references to secrets only the names count: they are of the same namespace. */
function keepNames(account: AccountObject): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => ({ name }));
}

function warnings(account: AccountObject, old?: AccountObject): string[] {
  const has = (object?: AccountObject) => MOUNTABLE_SECRETS in (object?.metadata.annotations ?? {});
  if (!has(account) || has(old)) return [];
  return [
    `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access ` +
    "to mounted secrets",
  ];
}

export const serviceAccount: KindDefinition<AccountObject> = {
  gvk: { group: "", version: "v1", kind: "ServiceAccount" },
  resource: "serviceaccounts",
  returnsDeletedObject: true,
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
  validateUpdate: (account) => collect((root) => checkMeta(account, root, { namespaced: true })),
  warningsOnCreate: (account) => warnings(account),
  warningsOnUpdate: (account, old) => warnings(account, old),
  columns: [NAME, AGE],
};
