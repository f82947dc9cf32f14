// Links in what a proxied server answers: those that begin at its root are led through the proxy.
import { lookUp } from "../../machinery/look_up.ts";
/** A page behind the proxy. */
export interface ProxiedPage {
  /** What the client's path has before the page's own: `/api/v1/namespaces/x/services/y/proxy`. */
  prefix: string;
  /** The hosts by which the page is known: the backend's own and the one that the client asked. */
  hosts: readonly string[];
}

/** Attributes with links, by element. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  applet: ["codebase"],
  area: ["href"],
  audio: ["src"],
  base: ["href"],
  blockquote: ["cite"],
  body: ["background"],
  button: ["formaction"],
  command: ["icon"],
  del: ["cite"],
  embed: ["src"],
  form: ["action"],
  frame: ["longdesc", "src"],
  head: ["profile"],
  html: ["manifest"],
  iframe: ["longdesc", "src"],
  img: ["longdesc", "src", "usemap"],
  input: ["src", "usemap", "formaction"],
  ins: ["cite"],
  link: ["href"],
  object: ["classid", "codebase", "data", "usemap"],
  q: ["cite"],
  script: ["src"],
  source: ["src"],
  video: ["poster", "src"],
};

const LINK = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?(\/[^?#]*)?(.*)$/is;

/** A link of the page as the client has to follow it. Links to other hosts and relative ones stay as they are. */
export function rewriteLink(link: string, { prefix, hosts }: ProxiedPage): string {
  const match = LINK.exec(link);
  const [, host = "", path, rest] = match ?? [];
  if (path === undefined || (host !== "" && !hosts.includes(host))) return link;
  return path.startsWith(prefix) ? path + rest : prefix + path + rest;
}

/** Content-Encodings of pages that are unpacked and packed again. */
const ENCODINGS: Readonly<Record<string, CompressionFormat>> = { gzip: "gzip", deflate: "deflate-raw" };

/** The body of an HTML page with its links rewritten; as it is when its encoding is not known. */
export async function rewritePage(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  encoding: string,
  page: ProxiedPage,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  if (encoding === "") return streamOf(await rewriteHtml(await new Response(body).text(), page));
  const format = lookUp(ENCODINGS, encoding);
  if (format === undefined) return body;
  const text = await new Response(body.pipeThrough(new DecompressionStream(format))).text();
  return streamOf(await rewriteHtml(text, page)).pipeThrough(new CompressionStream(format));
}

function streamOf(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Response(text).body!;
}

/** Everything but the start tags of elements with links stays as it is. */
async function rewriteHtml(html: string, page: ProxiedPage): Promise<string> {
  const { RewritingStream } = await import("parse5-html-rewriting-stream");
  const rewriter = new RewritingStream();
  rewriter.on("startTag", (tag, raw) => {
    const links = lookUp(LINKS, tag.tagName);
    if (links === undefined) return rewriter.emitRaw(raw);
    for (const attribute of tag.attrs) {
      if (links.includes(attribute.name)) attribute.value = rewriteLink(attribute.value, page);
    }
    rewriter.emitStartTag(tag);
  });
  let rewritten = "";
  rewriter.on("data", (text) => rewritten += text);
  return await new Promise((resolve, reject) => {
    rewriter.on("end", () => resolve(rewritten)).on("error", reject);
    rewriter.end(html);
  });
}
