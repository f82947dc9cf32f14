// The rules of pods as other kinds need them: those that make pods, or say what pods and nodes say.
export { validatePodAnnotations } from "./annotations.ts";
export { dropDisabledFields } from "./gates.ts";
export { podOptions } from "./options.ts";
export { validateTolerations } from "./scheduling.ts";
export { validatePodTemplate, validateRunsForever, validateSelectorMatches } from "./template.ts";
export { validateCSIDriverName } from "./volume_sources.ts";
export { deprecatedNodeLabel, hostNameWarning, podWarnings } from "./warnings.ts";
