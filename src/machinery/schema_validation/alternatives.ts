// allOf, anyOf, oneOf and not.
import { goQuote } from "../go_text.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";
import { compileBranch } from "./compile.ts";
import type { Check, Run } from "./run.ts";

type Found = ReturnType<Run["apart"]>;

/** Of outcomes that all have errors, the first with most checks made. */
function closest(found: readonly Found[]): Found | undefined {
  let best: Found | undefined;
  for (const outcome of found) if (best === undefined || outcome.matches > best.matches) best = outcome;
  return best;
}

export function anyOfCheck({ anyOf }: JSONSchema): Check | undefined {
  if (!anyOf?.length) return undefined;
  const checks = anyOf.map(compileBranch);
  return (value, run, before) => {
    const failed: Found[] = [];
    for (const check of checks) {
      const found = run.apart(() => check(value, run, before));
      if (found.errors.length === 0) return run.take(found);
      failed.push(found);
    }
    run.addGeneral(`${goQuote(run.place)} must validate at least one schema (anyOf)`);
    run.take(closest(failed)!);
  };
}

export function oneOfCheck({ oneOf }: JSONSchema): Check | undefined {
  if (!oneOf?.length) return undefined;
  const checks = oneOf.map(compileBranch);
  return (value, run, before) => {
    const found = checks.map((check) => run.apart(() => check(value, run, before)));
    const valid = found.filter(({ errors }) => errors.length === 0);
    if (valid.length === 1) return run.take(valid[0]);
    const why = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
    run.addGeneral(`${goQuote(run.place)} must validate one and only one schema (oneOf). ${why}`);
    if (valid.length === 0) run.take(closest(found)!);
  };
}

export function allOfCheck({ allOf }: JSONSchema): Check | undefined {
  if (!allOf?.length) return undefined;
  const checks = allOf.map(compileBranch);
  return (value, run, before) => {
    let valid = 0;
    for (const check of checks) {
      const found = run.apart(() => check(value, run, before));
      if (found.errors.length === 0) valid++;
      run.take(found);
    }
    if (valid === checks.length) return;
    run.addGeneral(
      `${goQuote(run.place)} must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`,
    );
  };
}

export function notCheck({ not }: JSONSchema): Check | undefined {
  if (!not) return undefined;
  const check = compileBranch(not);
  return (value, run, before) => {
    const { errors } = run.apart(() => check(value, run, before));
    if (errors.length === 0) run.addGeneral(`${goQuote(run.place)} must not validate the schema (not)`);
  };
}
