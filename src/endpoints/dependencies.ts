// What the verbs need from the server around them.
import type { AdmissionChain } from "../admission/interface.ts";
import type { Authorizer } from "../authorization/interface.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { RequestMeasures } from "./measures.ts";

export interface EndpointDependencies {
  admission: AdmissionChain;
  /** Asked again when a PUT or an apply creates. */
  authorizer: Authorizer;
  metrics: Metrics;
  measures: RequestMeasures;
  /** Bytes of a request body. */
  maxBodyBytes: number;
  /** Seconds: watches that do not say how long they last get between this and its double. */
  minRequestTimeoutSeconds: number;
}
