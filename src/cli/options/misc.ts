// Misc flags: what belongs to kube-apiserver alone.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import type { ExtraConfig } from "../../server/config.ts";
import { signingKeyOf } from "../../authentication/service_accounts/pem.ts";
import { fileTrouble, oneOf, portInRange, problem } from "./problems.ts";
import { firstServiceAddress, validateServiceRanges } from "./service_ranges.ts";

const RECONCILERS = ["lease", "master-count", "none"] as const;

const flags = {
  "allow-privileged": flag.bool("Allow privileged containers."),
  "enable-logs-handler": flag.bool("Serve logs at /logs.", {
    default: "false",
    only: ["false"],
    deprecated: "Log handler functionality is deprecated.",
  }),
  "endpoint-reconciler-type": flag.string(
    "How the endpoints of the service 'kubernetes' are kept: lease, master-count or none.",
  ),
  "event-ttl": flag.duration("How long events are kept."),
  "kubernetes-service-node-port": flag.int("Node port of the service 'kubernetes'; 0 makes it a ClusterIP service."),
  "service-account-signing-key-file": flag.string("Private key that signs service account tokens, PEM."),
  "service-cluster-ip-range": flag.string(
    "Range of service addresses as CIDR; two of different families with a comma between.",
  ),
  "service-node-port-range": flag.portRange("Ports for services of type NodePort."),
};

export const misc = optionGroup({
  name: "Misc",
  flags,
  unenforced: {
    "allow-privileged": "privileged containers are never refused",
  },
  validate(o, { files }) {
    const range = o["service-node-port-range"], nodePort = o["kubernetes-service-node-port"];
    const keyFile = o["service-account-signing-key-file"];
    const problems = [
      ...validateServiceRanges(o["service-cluster-ip-range"]),
      ...portInRange("kubernetes-service-node-port", nodePort, 0),
      ...oneOf("endpoint-reconciler-type", o["endpoint-reconciler-type"], RECONCILERS),
    ];
    if (o["event-ttl"] <= 0) problems.push(problem("event-ttl", `${o["event-ttl"] / 1000}s`, "must be positive"));
    if (nodePort > 0 && (nodePort < range.first || nodePort > range.last)) {
      const why = `is not in --service-node-port-range=${range.first}-${range.last}`;
      problems.push(problem("kubernetes-service-node-port", nodePort, why));
    }
    if (keyFile === "") problems.push("--service-account-signing-key-file is a required flag");
    else {
      try {
        signingKeyOf(files.read(keyFile));
      } catch (e) {
        problems.push(fileTrouble("service-account-signing-key-file", keyFile, e));
      }
    }
    return problems;
  },
  applyTo(o, config) {
    const { extra } = config;
    const ranges = o["service-cluster-ip-range"].split(",").map((range) => range.trim());
    extra.allowPrivileged = o["allow-privileged"];
    extra.endpointReconciler = o["endpoint-reconciler-type"] as ExtraConfig["endpointReconciler"];
    extra.eventTtl = o["event-ttl"];
    extra.kubernetesServiceNodePort = o["kubernetes-service-node-port"];
    extra.serviceClusterIPRanges = ranges;
    extra.apiServerServiceIP = firstServiceAddress(ranges[0]);
    extra.serviceNodePortRange = o["service-node-port-range"];
  },
});
