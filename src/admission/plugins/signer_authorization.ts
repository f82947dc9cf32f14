// Who may do what in the name of a signer of certificates.
import type { Authorizer } from "../../authorization/interface.ts";
import type { UserInfo } from "../../authentication/interface.ts";

/** Asks for the signer, then for every signer of its domain (`example.com/*`). */
export async function mayUseSigner(
  authorizer: Authorizer,
  user: UserInfo,
  { verb, signer }: { verb: "approve" | "sign" | "attest"; signer: string },
): Promise<boolean> {
  for (const name of [signer, `${signer.split("/")[0]}/*`]) {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      isResourceRequest: true,
      namespace: "",
      apiGroup: "certificates.k8s.io",
      apiVersion: "*",
      resource: "signers",
      subresource: "",
      name,
      path: "",
    });
    if (decision === "allow") return true;
  }
  return false;
}
