// The controls of the Pod Security Standards: they are read once a namespace asks for them.
import { LaterModule } from "../../../later.ts";

export const controls = new LaterModule(() => import("./evaluate.ts"));
