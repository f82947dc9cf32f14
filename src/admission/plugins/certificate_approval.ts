// CertificateApproval and CertificateSigning: who decides about a request may do so for its signer.
import { goQuote } from "../../machinery/go_text.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { mayUseSigner } from "./signer_authorization.ts";

export const SIGNING_REQUESTS = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };

export function certificateApproval({ authorizer }: PluginContext): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    handles: on("UPDATE"),
    looksAt: ({ resource, subresource }) => subresource === "approval" && isOf(resource, SIGNING_REQUESTS),
    async validate(attributes) {
      const { oldObject, user } = attributes;
      const signer = oldObject!.spec.signerName;
      if (await mayUseSigner(authorizer, user, { verb: "approve", signer })) return;
      throw refusal(attributes, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
    },
  };
}

export function certificateSigning({ authorizer }: PluginContext): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    handles: on("UPDATE"),
    looksAt: ({ resource, subresource }) => subresource === "status" && isOf(resource, SIGNING_REQUESTS),
    async validate(attributes) {
      const { object, oldObject, user } = attributes;
      const now = object!.status ?? {}, before = oldObject!.status ?? {};
      if (deepEqual(now.certificate, before.certificate) && deepEqual(now.conditions, before.conditions)) return;
      const signer = oldObject!.spec.signerName;
      if (await mayUseSigner(authorizer, user, { verb: "sign", signer })) return;
      throw refusal(attributes, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
    },
  };
}
