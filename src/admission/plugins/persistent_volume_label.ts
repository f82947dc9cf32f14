// PersistentVolumeLabel: asked cloud providers for the zones of volumes. Kubernetes dropped it with the providers that were
// built in; a server without any, as this one, never had something to ask.
import type { AdmissionPlugin } from "../interface.ts";

export function persistentVolumeLabel(): AdmissionPlugin {
  return { name: "PersistentVolumeLabel", handles: () => false };
}
