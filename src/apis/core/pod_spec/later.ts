// The rules of pods, which nobody reads before something with them is written.
import { LaterModule } from "../../../later.ts";

export const podRules = new LaterModule(() => import("./rules.ts"));
