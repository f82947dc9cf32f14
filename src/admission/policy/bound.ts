// The bindings under which a policy is about a request, each with the parameters that it names.
import type { Policy } from "../../apis/admissionregistration/policies.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes } from "../interface.ts";
import { type Match, matchRequest } from "../matching/match.ts";
import type { KindReader, PluginContext } from "../plugins/context.ts";
import { criteriaOf } from "./criteria.ts";
import type { Binding, PolicyHook } from "./hooks.ts";
import { collectParams, ConfigurationError, paramReader } from "./params.ts";

export interface Bound<B extends Binding> {
  readonly binding: B;
  /** As what the policy sees the request. */
  readonly match: Match;
  /** The policy is to run once for each; undefined stands for none. */
  readonly params: readonly (KubeObject | undefined)[];
}

/** @param misconfigured told of what makes no sense in the policy, or in one of its bindings */
export async function* boundTo<P extends Policy, B extends Binding>(
  { policy: { spec = {} }, bindings }: PolicyHook<P, B>,
  attributes: AdmissionAttributes,
  context: PluginContext,
  misconfigured: (message: string, binding?: B) => void,
): AsyncGenerator<Bound<B>> {
  const match = await matchRequest(criteriaOf(spec.matchConstraints ?? {}), attributes, context);
  if (match === undefined) return;
  let reader: KindReader | undefined;
  try {
    reader = paramReader(spec.paramKind, context);
  } catch (e) {
    return misconfigured(`failed to configure policy: ${configurationProblem(e)}`);
  }
  for (const binding of bindings) {
    const { matchResources, paramRef } = binding.spec ?? {};
    if (matchResources && await matchRequest(criteriaOf(matchResources), attributes, context) === undefined) continue;
    let params;
    try {
      params = await collectParams(reader, paramRef, attributes.namespace);
    } catch (e) {
      misconfigured(`failed to configure binding: ${configurationProblem(e)}`, binding);
      continue;
    }
    yield { binding, match, params };
  }
}

/** Throws what is no {@link ConfigurationError}. */
function configurationProblem(e: unknown): string {
  if (e instanceof ConfigurationError) return e.message;
  throw e;
}
