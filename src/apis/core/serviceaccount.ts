// Service accounts.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME } from "../columns.ts";
import type { ServiceAccount } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type ServiceAccountObject = KubeObject & ServiceAccount;

export const serviceAccount: KindDefinition<ServiceAccountObject> = {
  gvk: { group: "", version: "v1", kind: "ServiceAccount" },
  resource: "serviceaccounts",
  returnsDeletedObject: true,
  columns: [NAME, AGE],
};
