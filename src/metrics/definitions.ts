// Every metric that Kubelith measures: names, types and labels are kube-apiserver's, so that its dashboards work.
import { ACCESS_METRICS } from "./access.ts";
import { ENCRYPTION_METRICS } from "./encryption.ts";
import { STORAGE_METRICS } from "./storage.ts";

export interface MetricDefinition {
  name: string;
  type: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  help: string;
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
}

const RESOURCE = ["verb", "group", "version", "resource", "subresource", "scope", "component"] as const;
const WEBHOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const POLICY = ["error_type", "policy", "policy_binding"] as const;
const POLICY_SECONDS = [5e-7, 0.001, 0.01, 0.1, 1];
const SHORT_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

export const METRICS = {
  requestTotal: {
    name: "apiserver_request_total",
    type: "counter",
    labels: [...RESOURCE, "dry_run", "code"],
    help: "Requests by verb, resource, scope and answer.",
  },
  requestDuration: {
    name: "apiserver_request_duration_seconds",
    type: "histogram",
    labels: [...RESOURCE, "dry_run"],
    help: "Seconds from a request's arrival to its answer.",
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
  },
  longRunning: {
    name: "apiserver_longrunning_requests",
    type: "gauge",
    labels: RESOURCE,
    help: "Watches and other long requests open now.",
  },
  inflight: {
    name: "apiserver_current_inflight_requests",
    type: "gauge",
    labels: ["request_kind"],
    help: "Most requests in flight at once since the last scrape.",
  },
  watchEvents: {
    name: "apiserver_watch_events_total",
    type: "counter",
    labels: ["group", "version", "resource"],
    help: "Events sent to watches.",
  },
  admissionDuration: {
    name: "apiserver_admission_controller_admission_duration_seconds",
    type: "histogram",
    labels: ["name", "operation", "rejected", "type"],
    help: "Seconds spent in an admission plugin.",
    buckets: SHORT_SECONDS,
  },
  admissionStepDuration: {
    name: "apiserver_admission_step_admission_duration_seconds",
    type: "histogram",
    labels: ["operation", "rejected", "type"],
    help: "Seconds spent in all admission plugins together.",
    buckets: SHORT_SECONDS,
  },
  webhookDuration: {
    name: "apiserver_admission_webhook_admission_duration_seconds",
    type: "histogram",
    labels: ["name", "operation", "rejected", "type"],
    help: "Seconds spent in an admission webhook.",
    buckets: WEBHOOK_SECONDS,
  },
  webhookRequests: {
    name: "apiserver_admission_webhook_request_total",
    type: "counter",
    labels: ["code", "name", "operation", "rejected", "type"],
    help: "Calls of admission webhooks by what came of them.",
  },
  webhookRejections: {
    name: "apiserver_admission_webhook_rejection_count",
    type: "counter",
    labels: ["error_type", "name", "operation", "rejection_code", "type"],
    help: "Requests refused because of an admission webhook.",
  },
  webhookFailOpen: {
    name: "apiserver_admission_webhook_fail_open_count",
    type: "counter",
    labels: ["name", "type"],
    help: "Failures of admission webhooks that were ignored.",
  },
  validatingPolicyChecks: {
    name: "apiserver_validating_admission_policy_check_total",
    type: "counter",
    labels: ["enforcement_action", ...POLICY],
    help: "Validations of admission policies by what came of them.",
  },
  validatingPolicyDuration: {
    name: "apiserver_validating_admission_policy_check_duration_seconds",
    type: "histogram",
    labels: ["enforcement_action", ...POLICY],
    help: "Seconds that a validation of an admission policy took.",
    buckets: POLICY_SECONDS,
  },
  mutatingPolicyChecks: {
    name: "apiserver_mutating_admission_policy_check_total",
    type: "counter",
    labels: POLICY,
    help: "Mutations of admission policies by what came of them.",
  },
  mutatingPolicyDuration: {
    name: "apiserver_mutating_admission_policy_check_duration_seconds",
    type: "histogram",
    labels: POLICY,
    help: "Seconds that a mutation of an admission policy took.",
    buckets: POLICY_SECONDS,
  },
  ...ACCESS_METRICS,
  ...STORAGE_METRICS,
  ...ENCRYPTION_METRICS,
  buildInfo: {
    name: "kubernetes_build_info",
    type: "gauge",
    labels: [
      "major",
      "minor",
      "git_version",
      "git_commit",
      "git_tree_state",
      "build_date",
      "go_version",
      "compiler",
      "platform",
    ],
    help: "The version served, as /version tells it.",
  },
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
