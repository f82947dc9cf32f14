// Flags about proxies that say in headers who a request is from.
import { X509Certificate } from "node:crypto";
import type { CABundle, RequestHeaderConfig } from "../../server/config.ts";
import type { OptionContext, OptionsOf } from "../flags/group.ts";
import { flag } from "../flags/kinds.ts";
import { fileTrouble, problem } from "./problems.ts";

export const requestHeaderFlags = {
  "requestheader-allowed-names": flag.strings("Names of the proxies that may speak for others; any when empty."),
  "requestheader-client-ca-file": flag.string("Authorities of the proxies that may speak for others, PEM."),
  "requestheader-extra-headers-prefix": flag.strings(
    "What headers with extra data begin with; X-Remote-Extra- for instance.",
  ),
  "requestheader-group-headers": flag.strings("Headers that name groups; X-Remote-Group for instance."),
  "requestheader-uid-headers": flag.strings("Headers that hold the user's UID; X-Remote-Uid for instance."),
  "requestheader-username-headers": flag.strings("Headers that name the user; X-Remote-User for instance."),
};

export type RequestHeaderOptions = OptionsOf<typeof requestHeaderFlags>;

/** @param clientCA --client-ca-file: its certificates must not be the proxies', unless these are named */
export function validateRequestHeader(o: RequestHeaderOptions, clientCA: string, context: OptionContext): string[] {
  const empty = Object.entries(o).flatMap(([name, value]) =>
    typeof value === "string"
      ? []
      : value.filter((entry) => entry.trim() === "").map((entry) => problem(name, entry, "empty value"))
  );
  const proxies = o["requestheader-client-ca-file"];
  const problems = [...empty, ...validateBundle("requestheader-client-ca-file", proxies, context)];
  if (problems.length > 0 || proxies === "" || clientCA === "" || o["requestheader-allowed-names"].length > 0) {
    return problems;
  }
  const own = certificatesOf(clientCA, context);
  if (!certificatesOf(proxies, context).some((pem) => own.includes(pem))) return [];
  return [
    "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; " +
    "--requestheader-allowed-names must be specified to ensure regular client certificates cannot set " +
    "authenticating proxy headers for arbitrary users",
  ];
}

/** Each certificate of a bundle in the same form. */
function certificatesOf(file: string, { files }: OptionContext): string[] {
  return blocksOf(files.read(file)).map((pem) => new X509Certificate(pem).fingerprint256);
}

function blocksOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}

/** A bundle of authorities that a flag names. */
export function validateBundle(flag: string, file: string, { files }: OptionContext): string[] {
  if (file === "") return [];
  try {
    const certificates = blocksOf(files.read(file));
    if (certificates.length === 0) return [problem(flag, file, "holds no PEM certificate")];
    for (const pem of certificates) new X509Certificate(pem);
    return [];
  } catch (e) {
    return [fileTrouble(flag, file, e)];
  }
}

export function requestHeaderConfig(
  o: RequestHeaderOptions,
  clientCA: CABundle | undefined,
): RequestHeaderConfig | undefined {
  return clientCA && {
    clientCA,
    allowedNames: o["requestheader-allowed-names"],
    usernameHeaders: o["requestheader-username-headers"],
    uidHeaders: o["requestheader-uid-headers"],
    groupHeaders: o["requestheader-group-headers"],
    extraHeadersPrefix: o["requestheader-extra-headers-prefix"],
  };
}
