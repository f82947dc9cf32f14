// Warnings about files that several sources of one volume put in the same place.
import type * as v1 from "../../../facts/generated/types.ts";
import { goQuote } from "../../../machinery/go_text.ts";

interface Place {
  path: string;
  /** Which source puts it there; "" when the volume has only one. */
  source: string;
}

function placeText({ path, source }: Place): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}

/** Whether one is the other, or lies in it. */
function overlap(a: Place, b: Place): boolean {
  if (a.path === "" || b.path === "") return false;
  return `${a.path}/`.startsWith(`${b.path}/`) || `${b.path}/`.startsWith(`${a.path}/`);
}

function overlapsAmong(places: readonly Place[]): string[] {
  const trimmed = places.map(({ path, source }) => ({ path: path.replace(/\/+$/, ""), source }));
  return trimmed.flatMap((place, i) =>
    trimmed.slice(0, i).filter((other) => overlap(other, place)).map((other) =>
      `${placeText(place)} with ${placeText(other)}`
    )
  );
}

function placesOf(items: readonly { path?: string }[] | undefined, source = ""): Place[] {
  return (items ?? []).map(({ path = "" }) => ({ path, source }));
}

function projectedPlaces(source: v1.VolumeProjection): Place[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return placesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? "")}`);
  if (secret?.items) return placesOf(secret.items, `Secret ${goQuote(secret.name ?? "")}`);
  if (downwardAPI?.items) return placesOf(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken ? placesOf([serviceAccountToken], "ServiceAccountToken") : [];
}

function volumeOverlaps(volume: v1.Volume): string[] {
  const { name = "", configMap, secret, downwardAPI, projected } = volume;
  const say = (what: string, overlaps: string[]) =>
    overlaps.map((overlap) => `volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`);
  return [
    ...say(`ConfigMap ${goQuote(configMap?.name ?? "")}`, overlapsAmong(placesOf(configMap?.items))),
    ...say(`Secret ${goQuote(secret?.secretName ?? "")}`, overlapsAmong(placesOf(secret?.items))),
    ...say("DownwardAPI", overlapsAmong(placesOf(downwardAPI?.items))),
    ...(projected?.sources ?? []).filter((source) => Object.keys(source).length === 0).map(() =>
      `volume ${goQuote(name)} (Projected) has no sources provided`
    ),
    ...say("Projected", overlapsAmong((projected?.sources ?? []).flatMap(projectedPlaces))),
  ];
}

export function overlapWarnings(volumes: readonly v1.Volume[]): string[] {
  return volumes.flatMap(volumeOverlaps);
}
