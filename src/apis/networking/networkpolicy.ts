// Network policies: which traffic pods may have.
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  type Field,
  isPortName,
  isPortNumber,
  parseCIDR,
  validateLabelSelector,
  validateLegacyCIDR,
  warningsForCIDR,
} from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { labelSelectorText } from "../label_selector_text.ts";

type PolicyObject = KubeObject & NetworkPolicy;

const PROTOCOLS = ["TCP", "UDP", "SCTP"];
const TYPES = ["Ingress", "Egress"];

/** The two directions of traffic, each with the member that names the other side. */
function rulesOf(spec: NetworkPolicySpec): [direction: "ingress" | "egress", peers: "from" | "to", rules: Rule[]][] {
  return [
    ["ingress", "from", (spec.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from }))],
    ["egress", "to", (spec.egress ?? []).map(({ ports, to }) => ({ ports, peers: to }))],
  ];
}

interface Rule {
  ports?: NetworkPolicyPort[];
  peers?: NetworkPolicyPeer[];
}

/** What old policies may keep although it would be refused in new ones. */
interface Options {
  allowInvalidValues: boolean;
  /** CIDRs of the stored object. */
  cidrs: readonly string[];
}

function optionsOf(old: NetworkPolicySpec | undefined): Options {
  const blocks = old === undefined
    ? []
    : rulesOf(old).flatMap(([, , rules]) =>
      rules.flatMap(({ peers = [] }) => peers.flatMap((peer) => peer.ipBlock ?? []))
    );
  return {
    allowInvalidValues: collect((at) => validateLabelSelector(old?.podSelector, at)).length > 0,
    cidrs: blocks.flatMap(({ cidr = "", except = [] }) => [cidr, ...except]),
  };
}

function checkSpec(spec: NetworkPolicySpec, at: Field, options: Options): void {
  validateLabelSelector(spec.podSelector, at.child("podSelector"), options);
  for (const [direction, member, rules] of rulesOf(spec)) {
    rules.forEach(({ ports = [], peers = [] }, i) => {
      const field = at.child(direction).index(i);
      ports.forEach((port, j) => checkPort(port, field.child("ports").index(j)));
      peers.forEach((peer, j) => checkPeer(peer, field.child(member).index(j), options));
    });
  }
  const types = spec.policyTypes ?? [], field = at.child("policyTypes");
  if (types.length > TYPES.length) return field.invalid(types, "may not specify more than two policyTypes");
  types.forEach((type, i) => {
    if (!TYPES.includes(type)) field.index(i).notSupportedInOrder(type, TYPES);
  });
}

function checkPort({ protocol, port, endPort }: NetworkPolicyPort, at: Field): void {
  if (protocol !== undefined && !PROTOCOLS.includes(protocol)) {
    at.child("protocol").notSupportedInOrder(protocol, PROTOCOLS);
  }
  const field = at.child("port"), end = at.child("endPort");
  if (typeof port === "number") {
    field.invalidEach(port, isPortNumber(port));
    if (endPort === undefined) return;
    if (endPort < port) end.invalid(port, "must be greater than or equal to `port`");
    end.invalidEach(endPort, isPortNumber(endPort));
  } else {
    const missing = port === undefined ? "`port` is not specified" : "`port` is non-numeric";
    if (endPort !== undefined) end.invalid(endPort, `may not be specified when ${missing}`);
    if (port !== undefined) field.invalidEach(port, isPortName(port));
  }
}

function checkPeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, at: Field, options: Options): void {
  validateLabelSelector(podSelector, at.child("podSelector"), options);
  validateLabelSelector(namespaceSelector, at.child("namespaceSelector"), options);
  if (ipBlock) checkBlock(ipBlock, at.child("ipBlock"), options);
  if (!podSelector && !namespaceSelector && !ipBlock) at.required("must specify a peer");
  else if (ipBlock && (podSelector || namespaceSelector)) {
    at.forbidden("may not specify both ipBlock and another peer");
  }
}

function checkBlock({ cidr = "", except = [] }: IPBlock, at: Field, { cidrs }: Options): void {
  if (cidr === "") return at.child("cidr").required();
  validateLegacyCIDR(cidr, at.child("cidr"), { old: cidrs });
  const block = parseCIDR(cidr);
  if (block === undefined) return;
  except.forEach((hole, i) => {
    const field = at.child("except").index(i), network = parseCIDR(hole);
    validateLegacyCIDR(hole, field, { old: cidrs });
    if (network === undefined) return;
    // The part of the hole that the block's prefix covers must be the block itself.
    const covered = parseCIDR(`${network.address.text}/${block.prefix}`);
    const inside = network.family === block.family && covered?.text === block.text;
    if (!inside || block.prefix >= network.prefix) field.invalid(hole, "must be a strict subset of `cidr`");
  });
}

function warnings({ spec = {} }: PolicyObject): string[] {
  return rulesOf(spec).flatMap(([direction, member, rules]) =>
    rules.flatMap(({ peers = [] }, i) =>
      peers.flatMap(({ ipBlock }, j) => {
        const at = `spec.${direction}[${i}].${member}[${j}].ipBlock`;
        if (!ipBlock) return [];
        const holes = (ipBlock.except ?? []).flatMap((cidr, k) => warningsForCIDR(cidr, `${at}.except[${k}]`));
        return [...warningsForCIDR(ipBlock.cidr ?? "", `${at}.cidr`), ...holes];
      })
    )
  );
}

export const networkPolicy: KindDefinition<PolicyObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" },
  resource: "networkpolicies",
  generation: true,
  setDefaults({ spec }) {
    if (!spec) return;
    for (const [, , rules] of rulesOf(spec)) {
      for (const { ports = [] } of rules) for (const port of ports) port.protocol ??= "TCP";
    }
    if (spec.policyTypes?.length) return;
    spec.policyTypes = spec.egress?.length ? ["Ingress", "Egress"] : ["Ingress"];
  },
  validate: ({ spec = {} }) => collect((root) => checkSpec(spec, root.child("spec"), optionsOf(undefined))),
  validateUpdate: ({ spec = {} }, old) => collect((root) => checkSpec(spec, root.child("spec"), optionsOf(old.spec))),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns: [
    NAME,
    text(
      "Pod-Selector",
      "Pods that it is about.",
      ({ spec }) => labelSelectorText(spec?.podSelector ?? {}) || "<none>",
    ),
    AGE,
  ],
};
