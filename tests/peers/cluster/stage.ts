// What a step of the demonstration works with: a server, and a namespace that is the step's own.
import type { Answer, Peer } from "../client.ts";

// deno-lint-ignore no-explicit-any -- objects of every kind
export type Obj = any;

const PATIENCE_MS = 90_000;
const POLL_MS = 100;

export class Stage {
  constructor(readonly peer: Peer, readonly namespace: string) {}

  /** `apps/v1/deployments/web` in the namespace; the core group's resources are called `v1/pods`. */
  path(resource: string): string {
    const parts = resource.split("/"), length = parts[0] === "v1" ? 1 : 2;
    const version = `${length === 1 ? "api" : "apis"}/${parts.slice(0, length).join("/")}`;
    return `/${version}/namespaces/${this.namespace}/${parts.slice(length).join("/")}`;
  }

  /** What the server answers to a request that has to succeed. */
  async must(method: string, path: string, body?: unknown): Promise<Obj> {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : undefined;
    const answer = await this.peer.request(method, path, body, { contentType });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  create(resource: string, object: unknown): Promise<Obj> {
    return this.must("POST", this.path(resource), object);
  }

  /** Asks until the answer is as wanted and gives its body. Throws the last answer when it never is. */
  async until(what: string, path: string, wanted: (body: Obj, answer: Answer) => boolean): Promise<Obj> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.peer.request("GET", path);
      if (answer.status < 500 && wanted(answer.body, answer)) return answer.body;
      if (Date.now() > deadline) throw new Error(`${what}: in vain: ${answer.status} ${answer.text.slice(0, 2000)}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async untilGone(path: string): Promise<void> {
    await this.until(`${path} goes`, path, (_, { status }) => status === 404);
  }
}

export function condition(object: Obj, type: string): string | undefined {
  return object.status?.conditions?.find((c: Obj) => c.type === type)?.status;
}

export function podTemplate(app: string, image = "registry.example/web:1.0", more: Obj = {}): Obj {
  const resources = { requests: { cpu: "100m", memory: "64Mi" } };
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "c", image, resources }], ...more },
  };
}

export function deployment(name: string, replicas: number): Obj {
  return {
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name) },
  };
}

export function byApp(name: string): string {
  return `labelSelector=app%3D${name}`;
}
