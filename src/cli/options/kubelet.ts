// Kubelet client flags: how the server reaches the kubelets, for logs, exec and proxies of nodes.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import { validateBundle } from "./auth_request_header.ts";
import { validatePair } from "./certificate_pair.ts";
import { oneOf, problem } from "./problems.ts";

const ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

const flags = {
  "kubelet-certificate-authority": flag.string(
    "Authorities of the kubelets' certificates, PEM; not checked if not given.",
  ),
  "kubelet-client-certificate": flag.string("Certificate that is shown to kubelets, PEM."),
  "kubelet-client-key": flag.string("Private key of --kubelet-client-certificate, PEM."),
  "kubelet-preferred-address-types": flag.strings("Which addresses of a node to use, the preferred type first."),
  "kubelet-timeout": flag.duration("How long a kubelet may take until it is reached."),
};

export const kubelet = optionGroup({
  name: "Kubelet client",
  flags,
  validate(o, context) {
    const authority = o["kubelet-certificate-authority"];
    const cert = o["kubelet-client-certificate"], key = o["kubelet-client-key"];
    const problems = [
      ...authority === "" ? [] : validateBundle("kubelet-certificate-authority", authority, context),
      ...o["kubelet-preferred-address-types"].flatMap((type) =>
        oneOf("kubelet-preferred-address-types", type, ADDRESS_TYPES)
      ),
    ];
    if (cert !== "" && key === "") {
      problems.push(problem("kubelet-client-certificate", cert, "--kubelet-client-key is missing"));
    } else if (key !== "" && cert === "") {
      problems.push(problem("kubelet-client-key", key, "--kubelet-client-certificate is missing"));
    } else if (cert !== "") {
      const names = ["kubelet-client-certificate", "kubelet-client-key"] as const;
      problems.push(...validatePair({ cert, key, flags: names }, context));
    }
    return problems;
  },
  applyTo(o, config, { files }) {
    const authority = o["kubelet-certificate-authority"];
    const certFile = o["kubelet-client-certificate"], keyFile = o["kubelet-client-key"];
    config.extra.kubelet = {
      certificateAuthority: authority === "" ? undefined : { file: authority, pem: files.read(authority) },
      client: certFile === "" ? undefined : { certFile, keyFile, cert: files.read(certFile), key: files.read(keyFile) },
      preferredAddressTypes: o["kubelet-preferred-address-types"],
      timeout: o["kubelet-timeout"],
    };
  },
});
