import assert from "node:assert/strict";
import type { KubeObject } from "../../../machinery/types.ts";
import { contextOf, lookupOf, requestOf } from "../../testing.ts";
import { describe, evaluatePod } from "./evaluate.ts";
import { formatLevelVersion, policyOf } from "./levels.ts";
import { podSecurity } from "./mod.ts";

const GOOD = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

function wrong(spec: Record<string, unknown>, level: "baseline" | "restricted", minor = Infinity, annotations = {}) {
  return describe(evaluatePod({ level, minor }, { metadata: { annotations }, spec }));
}

function container(securityContext: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return { containers: [{ name: "c", securityContext, ...more }] };
}

Deno.test("baseline: each check says what is wrong with which container", () => {
  const cases: [Record<string, unknown>, string][] = [
    [
      container({ capabilities: { add: ["NET_RAW", "CHOWN"] } }),
      'non-default capabilities (container "c" must not include "NET_RAW" in securityContext.capabilities.add)',
    ],
    [
      { containers: [{ name: "a", ports: [{ hostPort: 80 }] }, { name: "b", ports: [{ hostPort: 81 }] }] },
      'hostPort (containers "a", "b" use hostPorts 80, 81)',
    ],
    [{ volumes: [{ name: "v", hostPath: { path: "/" } }] }, 'hostPath volumes (volume "v")'],
    [
      container({}, { livenessProbe: { httpGet: { host: "10.0.0.1" } } }),
      'probe or lifecycle host (container "c" uses probe or lifecycle host "10.0.0.1")',
    ],
    [
      { securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } } },
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
    ],
    [
      { securityContext: { appArmorProfile: { type: "Unconfined" } } },
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
    [
      {
        ...container({ seccompProfile: { type: "Unconfined" } }),
        securityContext: { seccompProfile: { type: "Bad" } },
      },
      'seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Bad", "Unconfined")',
    ],
    [container(GOOD), ""],
  ];
  for (const [spec, expected] of cases) assert.equal(wrong(spec, "baseline"), expected);
});

Deno.test("restricted: what is not said is wrong, and what baseline asks is not asked twice", () => {
  assert.equal(wrong(container(GOOD), "restricted"), "");
  assert.equal(
    wrong({ ...container(GOOD), volumes: [{ name: "v", hostPath: {} }, { name: "n", nfs: {} }] }, "restricted"),
    'restricted volume types (volumes "v", "n" use restricted volume types "hostPath", "nfs")',
  );
  assert.equal(
    wrong(container({ ...GOOD, runAsUser: 0, runAsNonRoot: false }), "restricted"),
    'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "c" must not set runAsUser=0)',
  );
  const windows = { ...container({ runAsNonRoot: true }), os: { name: "windows" } };
  assert.equal(wrong(windows, "restricted"), "");
});

Deno.test("an older version of the policy asks what it asked then", () => {
  const sysctls = { securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } };
  assert.equal(wrong(sysctls, "baseline", 31), "forbidden sysctls (net.ipv4.tcp_rmem)");
  assert.equal(wrong(sysctls, "baseline", 32), "");
  const unmasked = { ...container({ procMount: "Unmasked" }), hostUsers: false };
  assert.match(wrong(unmasked, "baseline", 34), /^procMount/);
  assert.equal(wrong(unmasked, "baseline", 35), "");
  const annotations = { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" };
  assert.match(wrong({}, "baseline", 18, annotations), /^seccompProfile \(forbidden annotation/);
  assert.equal(wrong({}, "baseline", 19, annotations), "");
});

const LATEST = { level: "privileged", minor: Infinity } as const;
const PRIVILEGED = { enforce: LATEST, audit: LATEST, warn: LATEST };

Deno.test("labels give levels and versions; what is enforced is warned about", () => {
  const prefix = "pod-security.kubernetes.io/";
  const { policy, errors } = policyOf(
    { [`${prefix}enforce`]: "baseline", [`${prefix}enforce-version`]: "v1.30" },
    PRIVILEGED,
  );
  assert.deepEqual(errors, []);
  assert.equal(formatLevelVersion(policy.enforce), "baseline:v1.30");
  assert.equal(formatLevelVersion(policy.warn), "baseline:v1.30");
  assert.equal(formatLevelVersion(policy.audit), "privileged:latest");
  const bad = policyOf({ [`${prefix}enforce`]: "no", [`${prefix}warn-version`]: "1.2" }, PRIVILEGED);
  assert.equal(bad.errors.length, 2);
  assert.equal(bad.policy.enforce.level, "restricted");
});

function namespace(labels: Record<string, string>): Partial<KubeObject> {
  const named = Object.entries(labels).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level]);
  return { metadata: { name: "n", labels: Object.fromEntries(named) } };
}

function plugin(labels: Record<string, string>, more: { pods?: Partial<KubeObject>[]; configuration?: unknown } = {}) {
  const lookup = lookupOf({ namespaces: [namespace(labels)], pods: more.pods ?? [] });
  return podSecurity(contextOf({ lookup, configuration: more.configuration as never }));
}

const PRIVILEGED_POD = { spec: container({ privileged: true }) };

Deno.test("a pod is refused, noted or warned about by the mode", async () => {
  const refused = requestOf({ object: PRIVILEGED_POD });
  await assert.rejects(
    async () => await plugin({ enforce: "baseline", audit: "baseline" }).validate!(refused),
    /pods "p" is forbidden: violates PodSecurity "baseline:latest": privileged \(container "c"/,
  );
  assert.match(refused.told.annotations["pod-security.kubernetes.io/audit-violations"], /^would violate PodSecurity/);
  const warned = requestOf({ object: PRIVILEGED_POD });
  await plugin({ warn: "baseline" }).validate!(warned);
  assert.equal(warned.told.warnings.length, 1);
  assert.equal(warned.told.annotations["pod-security.kubernetes.io/enforce-policy"], "privileged:latest");
});

Deno.test("users, namespaces and runtime classes can be exempt", async () => {
  const configuration = {
    apiVersion: "pod-security.admission.config.k8s.io/v1",
    kind: "PodSecurityConfiguration",
    defaults: { enforce: "restricted" },
    exemptions: { usernames: ["admin"], runtimeClasses: ["sandbox"] },
  };
  const exempt = requestOf({ object: PRIVILEGED_POD, user: { name: "admin", uid: "", groups: [], extra: {} } });
  await plugin({}, { configuration }).validate!(exempt);
  assert.deepEqual(exempt.told.annotations, { "pod-security.kubernetes.io/exempt": "user" });
  const spec = { ...PRIVILEGED_POD.spec, runtimeClassName: "sandbox" };
  await plugin({}, { configuration }).validate!(requestOf({ object: { spec } }));
  await assert.rejects(
    async () => await plugin({}, { configuration }).validate!(requestOf({ object: PRIVILEGED_POD })),
    /violates PodSecurity "restricted:latest"/,
  );
  assert.throws(
    () => plugin({}, { configuration: { ...configuration, defaults: { warn: "strict", "audit-version": "x" } } }),
    /\[defaults\.audit-version: Invalid value: "x": .*, defaults\.warn: Invalid value: "strict": must be one of/,
  );
});

Deno.test("a namespace that becomes stricter warns of its pods, one line for each violation", async () => {
  const pods = ["b", "a"].map((name) => ({ metadata: { name, namespace: "n" }, ...PRIVILEGED_POD }));
  const request = requestOf({
    operation: "UPDATE",
    kind: { group: "", version: "v1", kind: "Namespace" },
    resource: { group: "", version: "v1", resource: "namespaces" },
    object: namespace({ enforce: "baseline" }),
    oldObject: { kind: "Namespace", apiVersion: "v1", metadata: { name: "n" } },
    namespace: "n",
  });
  await plugin({}, { pods }).validate!(request);
  assert.deepEqual(request.told.warnings, [
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    "a (and 1 other pod): privileged",
  ]);
});
