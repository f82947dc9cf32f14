// Lists and maps of limited size, as all of resource.k8s.io has them. What is too long is not looked at any further.
import type { Field } from "../../machinery/validation/mod.ts";

export interface ListRules<T> {
  /** No limit unless set. */
  max?: number;
  check?(item: T, at: Field): void;
  /** What may not stand twice in the list. */
  key?(item: T): unknown;
}

export function checkList<T>(list: readonly T[] | undefined, at: Field, { max, check, key }: ListRules<T>): void {
  const items = list ?? [];
  if (max !== undefined && items.length > max) return at.tooMany(items.length, max);
  if (check) items.forEach((item, i) => check(item, at.index(i)));
  if (!key) return;
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const value = key(item), id = JSON.stringify(value);
    if (seen.has(id)) at.index(i).duplicate(value);
    seen.add(id);
  });
}

export interface MapRules<T> {
  max?: number;
  checkKey(key: string, at: Field): void;
  check?(item: T, at: Field): void;
  /** Longer keys are shown without their middle. */
  shownKey: number;
}

export function checkMap<T>(map: Readonly<Record<string, T>> | undefined, at: Field, rules: MapRules<T>): void {
  const entries = Object.entries(map ?? {}), { max } = rules;
  if (max !== undefined && entries.length > max) return at.tooMany(entries.length, max);
  for (const [key, item] of entries) {
    rules.checkKey(key, at);
    rules.check?.(item, at.key(shortened(key, Math.max(rules.shownKey, 16))));
  }
}

function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const rest = max - 3;
  return `${text.slice(0, Math.floor((rest + 1) / 2))}...${text.slice(text.length - Math.floor(rest / 2))}`;
}
