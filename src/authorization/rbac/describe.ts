// How a binding is named in reasons.
import { goQuote } from "../../machinery/go_text.ts";
import type { Binding, Subject } from "./index.ts";

/** `ClusterRoleBinding "a" of ClusterRole "b" to Group "c"`. */
export function describeBinding({ name, namespace, roleRef }: Binding, subject: Subject): string {
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const quoted = goQuote(namespace === "" ? name : `${name}/${namespace}`);
  const who = subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace ?? ""}` : subject.name;
  return `${kind} ${quoted} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject.kind} ${goQuote(who)}`;
}
