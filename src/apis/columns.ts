// Columns that most kinds have, and how cells are put together.
import { age } from "../machinery/duration.ts";
import type { Json, KubeObject } from "../machinery/types.ts";
import type { LabelSelector } from "../machinery/validation/labels.ts";
import type { Container } from "../facts/generated/types.ts";
import type { Column } from "./kind.ts";
import { labelSelectorText } from "./label_selector_text.ts";

export const NAME: Column<KubeObject> = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name of the object, unique among its kind and namespace.",
  cell: (object) => object.metadata.name ?? "",
};

export const AGE: Column<KubeObject> = {
  name: "Age",
  type: "string",
  description: "Time since the object was created.",
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

/** A column of text that is always shown. */
export function text<T>(name: string, description: string, cell: (object: T, now: number) => Json): Column<T> {
  return { name, type: "string", description, cell };
}

export function integer<T>(name: string, description: string, cell: (object: T) => number): Column<T> {
  return { name, type: "integer", description, cell };
}

export function boolean<T>(name: string, description: string, cell: (object: T) => boolean): Column<T> {
  return { name, type: "boolean", description, cell };
}

/** The same column, shown with `-o wide` only. */
export function wide<T>(column: Column<T>): Column<T> {
  return { ...column, priority: 1 };
}

/** `a, b, c + 2 more...`: the first few of a list. */
export function firstOf(list: readonly string[], max: number): string {
  if (list.length <= max) return list.join(",");
  return `${list.slice(0, max).join(",")} + ${list.length - max} more...`;
}

/** Names and addresses of load balancers, sorted, each once. */
export function loadBalancerAddresses(status: { ingress?: { ip?: string; hostname?: string }[] } | undefined): string {
  const addresses = (status?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...new Set(addresses)].sort().join(",");
}

/** `RWO,ROX`: access modes of volumes in short. */
export function accessModes(modes: readonly string[] | undefined): string {
  const short: [string, string][] = [
    ["ReadWriteOnce", "RWO"],
    ["ReadOnlyMany", "ROX"],
    ["ReadWriteMany", "RWX"],
    ["ReadWriteOncePod", "RWOP"],
  ];
  return short.filter(([mode]) => modes?.includes(mode)).map(([, s]) => s).join(",");
}

/** Names and images of containers. */
export function containerColumns<T>(
  containers: (object: T) => readonly Container[] | undefined | null,
): readonly Column<T>[] {
  const join = (object: T, member: "name" | "image") =>
    (containers(object) ?? []).map((c) => c[member] ?? "").join(",");
  return [
    text("Containers", "Names of the template's containers.", (object) => join(object, "name")),
    text("Images", "Images of the template's containers.", (object) => join(object, "image")),
  ];
}

/** Which pods belong to an object; wide. */
export function selectorColumn<T>(selector: (object: T) => LabelSelector | null | undefined): Column<T> {
  const cell = (object: T) => labelSelectorText(selector(object) ?? {}) || "<none>";
  return wide(text("Selector", "Which pods belong to the object.", cell));
}

interface Replicated {
  spec?: { replicas?: number };
  status?: { replicas?: number; readyReplicas?: number };
}

/** How many pods are wanted, there and ready. */
export function replicaColumns<T extends Replicated>(): readonly Column<T>[] {
  return [
    integer<T>("Desired", "How many pods are wanted.", ({ spec }) => spec?.replicas ?? 0),
    integer<T>("Current", "How many pods there are.", ({ status }) => status?.replicas ?? 0),
    integer<T>("Ready", "How many pods are ready.", ({ status }) => status?.readyReplicas ?? 0),
  ];
}
