// CertificateSubjectRestriction: nobody gets a client certificate of the group that may do everything.
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import { ORGANIZATION, parseCertificateRequest } from "../../machinery/pkcs10.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isResource, on, refusal } from "./attributes.ts";
import { SIGNING_REQUESTS } from "./certificate_approval.ts";

const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";

export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: "CertificateSubjectRestriction",
    handles: on("CREATE"),
    looksAt: (attributes) => isResource(attributes, SIGNING_REQUESTS),
    validate(attributes) {
      const { signerName, request } = attributes.object!.spec;
      if (signerName !== CLIENT_SIGNER) return;
      let organizations: readonly string[];
      try {
        organizations = parseCertificateRequest(atob(request ?? "")).subject.get(ORGANIZATION) ?? [];
      } catch (e) {
        throw refusal(attributes, `failed to parse CSR: ${(e as Error).message}`);
      }
      if (!organizations.includes(SYSTEM_MASTERS)) return;
      throw refusal(attributes, `use of ${CLIENT_SIGNER} signer with ${SYSTEM_MASTERS} group is not allowed`);
    },
  };
}
