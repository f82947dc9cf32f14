// Which objects belong to which node: its pods, what they name, the volumes of their claims and the secrets of those.
// Kept as counts by object, so that a question is one or two look-ups however many pods there are.
import type { KubeObject } from "../../machinery/types.ts";
import { visitPodReferences, visitVolumeSecrets } from "./references.ts";

/** `secrets/default/token`; cluster scoped objects have no namespace: `persistentvolumes//data`. */
export function objectKey(resource: string, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

interface PodEntry {
  node: string;
  /** Changes with what the pod names. */
  version: string;
  /** Keys of what it names. */
  references: ReadonlySet<string>;
}

interface VolumeEntry {
  claim: string;
  secrets: readonly string[];
}

/** How many pods of each node name an object. */
type Users = Map<string, number>;

export class NodeGraph {
  readonly #pods = new Map<string, PodEntry>();
  readonly #users = new Map<string, Users>();
  readonly #volumes = new Map<string, VolumeEntry>();
  /** Secret → volumes that need it. */
  readonly #secretVolumes = new Map<string, Set<string>>();
  /** Objects of one node each: volume attachments and resource slices. */
  readonly #owners = new Map<string, string>();

  /** Pods without a node name nothing yet. */
  putPod(pod: KubeObject): void {
    const key = keyOf("pods", pod), node: string = pod.spec?.nodeName ?? "";
    const version = versionOf(pod), before = this.#pods.get(key);
    if (before?.node === node && before.version === version) return;
    this.deletePod(pod);
    if (node === "") return;
    const references = new Set<string>();
    const namespace = pod.metadata.namespace ?? "";
    visitPodReferences(pod, (resource, name) => references.add(objectKey(resource, namespace, name)));
    this.#pods.set(key, { node, version, references });
    for (const reference of references) this.#count(reference, node, 1);
  }

  deletePod(pod: KubeObject): void {
    const key = keyOf("pods", pod), entry = this.#pods.get(key);
    if (entry === undefined) return;
    this.#pods.delete(key);
    for (const reference of entry.references) this.#count(reference, entry.node, -1);
  }

  #count(key: string, node: string, change: 1 | -1): void {
    const users: Users = this.#users.get(key) ?? new Map();
    const count = (users.get(node) ?? 0) + change;
    if (count > 0) users.set(node, count);
    else users.delete(node);
    if (users.size > 0) this.#users.set(key, users);
    else this.#users.delete(key);
  }

  putVolume(volume: KubeObject): void {
    this.deleteVolume(volume);
    const key = keyOf("persistentvolumes", volume), claim = volume.spec?.claimRef;
    if (!claim) return;
    const secrets: string[] = [];
    visitVolumeSecrets(volume, (namespace, name) => secrets.push(objectKey("secrets", namespace, name)));
    const claimKey = objectKey("persistentvolumeclaims", claim.namespace ?? "", claim.name ?? "");
    this.#volumes.set(key, { claim: claimKey, secrets });
    for (const secret of secrets) {
      const volumes = this.#secretVolumes.get(secret);
      if (volumes === undefined) this.#secretVolumes.set(secret, new Set([key]));
      else volumes.add(key);
    }
  }

  deleteVolume(volume: KubeObject): void {
    const key = keyOf("persistentvolumes", volume), entry = this.#volumes.get(key);
    if (entry === undefined) return;
    this.#volumes.delete(key);
    for (const secret of entry.secrets) {
      const volumes = this.#secretVolumes.get(secret);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#secretVolumes.delete(secret);
    }
  }

  /** A volume attachment or a resource slice. */
  putOwned(resource: string, object: KubeObject): void {
    const node: string = object.spec?.nodeName ?? "";
    if (node === "") this.deleteOwned(resource, object);
    else this.#owners.set(keyOf(resource, object), node);
  }

  deleteOwned(resource: string, object: KubeObject): void {
    this.#owners.delete(keyOf(resource, object));
  }

  /** Whether an object has to do with a node. @param key see {@link objectKey} */
  relates(node: string, key: string): boolean {
    if (this.#pods.get(key)?.node === node || this.#owners.get(key) === node) return true;
    if (this.#users.get(key)?.has(node)) return true;
    const volume = this.#volumes.get(key);
    if (volume !== undefined) return this.#uses(node, volume);
    for (const name of this.#secretVolumes.get(key) ?? []) {
      if (this.#uses(node, this.#volumes.get(name)!)) return true;
    }
    return false;
  }

  #uses(node: string, { claim }: VolumeEntry): boolean {
    return this.#users.get(claim)?.has(node) ?? false;
  }
}

function keyOf(resource: string, { metadata }: KubeObject): string {
  return objectKey(resource, metadata.namespace ?? "", metadata.name ?? "");
}

/** Of a pod only ephemeral containers and the claims made for it can add names; most updates change neither. */
function versionOf({ metadata, spec, status }: KubeObject): string {
  const claims = status?.resourceClaimStatuses, extended = status?.extendedResourceClaimStatus;
  return JSON.stringify([metadata.uid, spec?.ephemeralContainers?.length ?? 0, claims, extended]);
}
