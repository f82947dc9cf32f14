// The order of API versions.

const KUBE_VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const STABILITY = ["alpha", "beta", undefined];

/** Stable versions before beta before alpha, later ones first; names of another form come last, by the alphabet. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [KUBE_VERSION.exec(a), KUBE_VERSION.exec(b)];
  if (x === null || y === null) return x === y ? (a < b ? -1 : a > b ? 1 : 0) : x === null ? 1 : -1;
  return STABILITY.indexOf(y[2]) - STABILITY.indexOf(x[2]) || Number(y[1]) - Number(x[1]) ||
    Number(y[3] ?? 0) - Number(x[3] ?? 0);
}
