// Calls of webhooks: how they are made is read once there is a webhook.
import { later } from "../../later.ts";

export const invocationOf = later(async () => (await import("./call.ts")).invocationOf);
export const callHook = later(async () => (await import("./call.ts")).callHook);
