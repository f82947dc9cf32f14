// Horizontal pod autoscalers: how many replicas a workload has, by metrics. Stored as autoscaling/v2.
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, NAME, text } from "../columns.ts";
import type * as v2 from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { KindDefinition } from "../kind.ts";
import type { ReferenceOptions } from "./metrics.ts";
import { metricsText } from "./metrics_text.ts";
import { fromV1, toV1, withoutRoundTrip } from "./v1_conversion.ts";

const rules = new LaterModule(() => import("./metrics.ts"));

type HorizontalPodAutoscaler = KubeObject & v2.HorizontalPodAutoscaler;

const DEFAULT_METRICS: readonly v2.MetricSpec[] = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
];

/** What an autoscaler does that says nothing else. */
const SCALE_UP: v2.HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, { type: "Percent", value: 100, periodSeconds: 15 }],
};
const SCALE_DOWN: v2.HPAScalingRules = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

function setDefaults({ metadata, spec }: HorizontalPodAutoscaler): void {
  const own = withoutRoundTrip(metadata.annotations);
  if (own === undefined) delete metadata.annotations;
  else metadata.annotations = own;
  if (!spec) return;
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) spec.metrics = structuredClone([...DEFAULT_METRICS]);
  const { behavior } = spec;
  if (!behavior) return;
  behavior.scaleUp = { ...structuredClone(SCALE_UP), ...behavior.scaleUp };
  behavior.scaleDown = { ...structuredClone(SCALE_DOWN), ...behavior.scaleDown };
}

interface SpecOptions {
  /** A workload may only be scaled to zero where it could be before. */
  lowestMinReplicas: number;
  target: ReferenceOptions;
  objects: ReferenceOptions;
}

function optionsFor({ spec = {} }: HorizontalPodAutoscaler, old?: HorizontalPodAutoscaler): SpecOptions {
  const target = spec.scaleTargetRef ?? {}, before = old?.spec?.scaleTargetRef ?? {};
  const objects = { allowEmptyGroup: true };
  const sameTarget = old !== undefined && before.apiVersion === target.apiVersion && before.kind === target.kind;
  const invalidBefore = old?.spec?.metrics?.some(({ type, object }) =>
    type === "Object" && object && rules.module.apiVersionProblem(object.describedObject ?? {}, objects) !== undefined
  );
  return {
    lowestMinReplicas: old?.spec?.minReplicas === 0 ? 0 : 1,
    target: {
      allowInvalidVersion: sameTarget,
      allowEmptyGroup: !sameTarget && target.kind === "ReplicationController",
    },
    objects: { ...objects, allowInvalidVersion: invalidBefore ?? false },
  };
}

function validateSpec(spec: v2.HorizontalPodAutoscalerSpec, at: Field, options: SpecOptions): void {
  const { minReplicas, maxReplicas = 0 } = spec, { lowestMinReplicas: lowest } = options;
  const max = at.child("maxReplicas");
  if (minReplicas !== undefined && minReplicas < lowest) {
    at.child("minReplicas").invalid(minReplicas, `must be greater than or equal to ${lowest}`);
  }
  if (maxReplicas === 0) max.required("must be set and greater than 0");
  else if (maxReplicas < 0) max.invalid(maxReplicas, "must be greater than or equal to 1");
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    max.invalid(maxReplicas, "must be greater than or equal to `minReplicas`");
  }
  rules.module.validateReference(spec.scaleTargetRef ?? {}, at.child("scaleTargetRef"), options.target);
  rules.module.validateMetrics(spec.metrics ?? [], at.child("metrics"), minReplicas, options.objects);
  if (spec.behavior) rules.module.validateBehavior(spec.behavior, at.child("behavior"));
}

export const horizontalPodAutoscaler: KindDefinition<HorizontalPodAutoscaler> = {
  gvk: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
  resource: "horizontalpodautoscalers",
  load: () => rules.load(),
  columns: [
    NAME,
    text("Reference", "What is scaled.", ({ spec }) => {
      const { kind = "", name = "" } = spec?.scaleTargetRef ?? {};
      return `${kind}/${name}`;
    }),
    text(
      "Targets",
      "Metrics as they are and as they should be.",
      ({ spec, status }) => metricsText(spec?.metrics ?? [], status?.currentMetrics ?? []),
    ),
    text("MinPods", "How many replicas there are at least.", ({ spec }) => String(spec?.minReplicas ?? "<unset>")),
    {
      ...integer<HorizontalPodAutoscaler>(
        "MaxPods",
        "How many replicas there are at most.",
        ({ spec }) => spec?.maxReplicas ?? 0,
      ),
      type: "string",
    },
    {
      ...integer<HorizontalPodAutoscaler>(
        "Replicas",
        "How many replicas there are.",
        ({ status }) => status?.currentReplicas ?? 0,
      ),
      type: "string",
    },
    AGE,
  ],
  setDefaults,
  validate: (object) => collect((root) => validateSpec(object.spec ?? {}, root.child("spec"), optionsFor(object))),
  validateUpdate: (object, old) =>
    collect((root) => validateSpec(object.spec ?? {}, root.child("spec"), optionsFor(object, old))),
  // Objects of version 1 get the defaults of the stored version as well.
  canonicalize: setDefaults,
  subresources: {
    status: {
      validateUpdate: ({ status = {} }) =>
        collect((root) => {
          for (const member of ["currentReplicas", "desiredReplicas"] as const) {
            validateNonnegative(status[member], root.child("status", member));
          }
        }),
    },
  },
  conversions: {
    "autoscaling/v1": {
      fromStored: toV1,
      toStored: fromV1,
      setDefaults({ spec }) {
        if (spec) spec.minReplicas ??= 1;
      },
    },
  },
};
