// Where a proxied request goes to: what stands in place of the object's name.
import ipaddr from "ipaddr.js";

/** `name`, `name:port` or `scheme:name:port`. */
export interface ProxyTarget {
  scheme: "http" | "https";
  name: string;
  /** A number or the name of a port; "" for the object's own. */
  port: string;
}

/** Undefined when it is none. */
export function parseProxyTarget(text: string): ProxyTarget | undefined {
  const parts = text.split(":");
  const [scheme, name, port] = parts.length === 3 ? parts : ["", parts[0], parts[1] ?? ""];
  if (parts.length > 3 || name === "") return undefined;
  if (scheme !== "" && scheme !== "http" && scheme !== "https") return undefined;
  return { scheme: scheme === "https" ? "https" : "http", name, port };
}

/** What must not be reached through the server: itself, its own links, groups of hosts. */
const PRIVATE_TO_THE_SERVER = new Set(["unspecified", "loopback", "linkLocal", "multicast", "broadcast"]);

/** Whether an address is one of a single host beyond this one and its links. */
export function isGlobalUnicast(address: string): boolean {
  return ipaddr.isValid(address) && !PRIVATE_TO_THE_SERVER.has(ipaddr.process(address).range());
}
