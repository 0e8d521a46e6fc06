import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { protocol, type Session } from "electron";
import type { MediaDesk } from "./media";

/** The page is served under a scheme of its own: unlike file:// it has an origin that can be checked. */
export const scheme = "kingfisher";
export const pageOrigin = `${scheme}://app`;
export const pageUrl = `${pageOrigin}/index.html`;

/**
 * Scripts only from our own files: no inline script, no eval. Styles may be inline because the dialog and menu
 * primitives position themselves with style attributes.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
  ".glb": "model/gltf-binary",
  ".wasm": "application/wasm",
  ".wav": "audio/wav",
};

/** Must run before the application is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

/** The file under `root` that an address of the page names; null when it names none of ours. */
export function fileOfUrl(root: string, url: string): string | null {
  const { protocol: asked, host, pathname } = new URL(url);
  if (asked !== `${scheme}:` || host !== "app") return null;
  const path = normalize(join(root, decodeURIComponent(pathname)));
  return path.startsWith(root + sep) ? path : null;
}

/** Serves the built page to `session`. */
export function servePage(session: Session, root: string, media: MediaDesk): void {
  session.protocol.handle(scheme, async (request) => {
    const played = request.method === "GET" ? media.answer(request.url, request.headers.get("range")) : null;
    if (played !== null) return played;
    const file = request.method === "GET" ? fileOfUrl(root, request.url) : null;
    const body = file === null ? null : await readFile(file).catch(() => null);
    if (file === null || body === null) return new Response("Not found", { status: 404 });
    return new Response(new Uint8Array(body), {
      headers: {
        "content-type": mediaTypes[extname(file)] ?? "application/octet-stream",
        "content-security-policy": contentSecurityPolicy,
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
      },
    });
  });
}
