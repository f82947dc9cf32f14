// Which of several classes is the default one.
import type { KubeObject } from "../../machinery/types.ts";

/** Of the classes with one of these annotations the youngest, of equally old ones the first by name. */
export function defaultClassOf(classes: readonly KubeObject[], annotations: readonly string[]): KubeObject | undefined {
  const marked = classes.filter((c) => annotations.some((a) => c.metadata.annotations?.[a] === "true"));
  return marked.sort((a, b) => {
    const [x, y] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
    return x === y ? (a.metadata.name! < b.metadata.name! ? -1 : 1) : x > y ? -1 : 1;
  })[0];
}
