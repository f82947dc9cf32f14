// Which container of a pod a log, exec or attach means.
import type { Pod } from "../../apis/core/pod.ts";
import { containersOf } from "../../apis/core/pod_spec/visit.ts";
import { badRequestError } from "../../machinery/errors.ts";

/** The container's name. Throws 400 when there is none of that name, or none is named and the pod has several. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const pod = metadata.name;
  const names = containersOf(spec ?? { containers: [] }).map(({ name = "" }) => name);
  if (wanted !== "") {
    if (names.includes(wanted)) return wanted;
    throw badRequestError(`container ${wanted} is not valid for pod ${pod}`);
  }
  const containers = spec?.containers ?? [];
  if (containers.length === 1) return containers[0].name ?? "";
  const choice = containers.length === 0 ? "" : `, choose one of: [${names.join(" ")}]`;
  throw badRequestError(`a container name must be specified for pod ${pod}${choice}`);
}
