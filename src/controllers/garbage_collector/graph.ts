// Who owns whom: a graph of every object that has owners or is one, kept by uid.
import type { ServedResource } from "../../registry/resource.ts";
import type { OwnerReference } from "../../machinery/types.ts";
import type { Item } from "../../storage/interface.ts";

export interface Node {
  uid: string;
  resource: ServedResource;
  namespace: string;
  name: string;
  owners: readonly OwnerReference[];
  deleting: boolean;
  finalizers: readonly string[];
}

const NONE: readonly never[] = [];

/** The node of an item. Only what may matter to the graph is parsed: most objects have no owners and no finalizers. */
export function nodeOf(resource: ServedResource, item: Item): Node | undefined {
  const uid = uidOf(item.text);
  if (uid === undefined) return undefined;
  const text = item.text;
  const plain = !text.includes('"ownerReferences"') && !text.includes('"deletionTimestamp"');
  const metadata = plain ? undefined : item.object().metadata;
  return {
    uid,
    resource,
    namespace: item.fields["metadata.namespace"] ?? "",
    name: item.fields["metadata.name"],
    owners: metadata?.ownerReferences ?? NONE,
    deleting: metadata?.deletionTimestamp !== undefined,
    finalizers: metadata?.finalizers ?? NONE,
  };
}

/** The first uid of an object's text is its own, since metadata comes first and name and namespace hold no quotes. */
function uidOf(text: string): string | undefined {
  const start = text.indexOf('"uid":"');
  if (start < 0) return undefined;
  return text.slice(start + 7, text.indexOf('"', start + 7));
}

/** Nodes by uid, and for each owner's uid the nodes that name it. */
export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** Nodes that name this uid as an owner, whether the owner exists or not. */
  dependents(uid: string): Node[] {
    return [...this.#dependents.get(uid) ?? []].flatMap((d) => this.#nodes.get(d) ?? []);
  }

  /** Uids that nodes name as their owners' and that are nobody's here. */
  missingOwners(): string[] {
    return [...this.#dependents.keys()].filter((uid) => !this.#nodes.has(uid));
  }

  /** The nodes that were seen in this resource. */
  of(resource: ServedResource): Node[] {
    return [...this.#nodes.values()].filter((node) => node.resource === resource);
  }

  put(node: Node): void {
    this.#unlink(this.#nodes.get(node.uid));
    this.#nodes.set(node.uid, node);
    for (const owner of node.owners) {
      let dependents = this.#dependents.get(owner.uid);
      if (dependents === undefined) this.#dependents.set(owner.uid, dependents = new Set());
      dependents.add(node.uid);
    }
  }

  remove(uid: string): void {
    this.#unlink(this.#nodes.get(uid));
    this.#nodes.delete(uid);
  }

  #unlink(node: Node | undefined): void {
    for (const owner of node?.owners ?? []) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(node!.uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
