// Warnings of finalizers whose names may clash with those of others.
import type { KubeObject } from "../machinery/types.ts";
import { isQualifiedName } from "../machinery/validation/mod.ts";

const STANDARD = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** @param old the object before the update: only what is new is told of */
export function finalizerWarnings(object: KubeObject, old?: KubeObject): string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = new Set((object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer)));
  return [...added].sort().flatMap((name) => problemsOf(name).map((what) => `metadata.finalizers: "${name}": ${what}`));
}

function problemsOf(name: string): string[] {
  const problems = [...isQualifiedName(name)];
  if (name.includes("/") || STANDARD.has(name)) return problems;
  const including = name.includes(".") ? " including a path (/)" : "";
  problems.push(
    `prefer a domain-qualified finalizer name${including} to avoid accidental conflicts with other finalizer writers`,
  );
  return problems;
}
