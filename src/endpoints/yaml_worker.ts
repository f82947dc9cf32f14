// The thread that reads long YAML.
import { parseYaml, YamlError } from "../machinery/yaml/mod.ts";
import type { YamlAnswer, YamlRequest } from "./yaml_thread.ts";

export function runYamlReader(): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<YamlRequest>) => void;
    postMessage(message: YamlAnswer): void;
  };
  scope.onmessage = async ({ data }) => scope.postMessage(await answer(data));
}

async function answer({ id, text }: YamlRequest): Promise<YamlAnswer> {
  try {
    return { id, parsed: await parseYaml(text) };
  } catch (error) {
    if (error instanceof YamlError) return { id, problem: error.message };
    throw error;
  }
}
