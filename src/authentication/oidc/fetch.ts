// Fetches over HTTPS from servers that one authority vouches for.

export type FetchFrom = (url: string | URL, init: RequestInit) => Promise<Response>;

/** @param pem "" for the system's authorities */
export function fromOneAuthority(pem: string): FetchFrom {
  if (pem === "") return (url, init) => fetch(url, init);
  let client: Deno.HttpClient | undefined;
  return (url, init) => {
    client ??= Deno.createHttpClient({ caCerts: pem.match(CERTIFICATE) ?? [] });
    return fetch(url, { ...init, client } as RequestInit);
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
