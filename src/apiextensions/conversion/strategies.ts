// The strategies of conversion that a CustomResourceDefinition may choose.
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import { type Converter, NONE } from "./mod.ts";

export function converterOf(_crd: CustomResourceDefinition): Converter {
  return NONE;
}
