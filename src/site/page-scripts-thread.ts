/** Runs in a thread of its own (see `page-scripts.ts`): makes the scripts of one page and ends. */

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";

const ENTRY = new URL("../../web/verify/page.ts", import.meta.url);
const IMPORT = /(?<=\bfrom ")(\.{1,2}\/[\w./-]+)\.ts(?=")/g;

/** No request goes to another server: no fonts, proxy, telemetry or assistant. */
const VIEWER_SETTINGS = {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

interface Reply {
  header(): Reply;
  send(body: string): string;
}
interface PluginHost {
  route(route: { url: string; handler(request: undefined, reply: Reply): string }): void;
}
type Plugin = (host: PluginHost, options: object, done: () => void) => void;

/**
 * Scalar's browser bundle. The package that holds it alone is a Fastify plugin, so the plugin is
 * registered with a host that calls the handler of the script.
 */
async function referenceScript(): Promise<Uint8Array> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const reply: Reply = { header: () => reply, send: (body) => body };
  let bundle = "";
  const host: PluginHost = {
    route({ url, handler }) {
      if (url.endsWith(".js")) bundle = handler(undefined, reply);
    },
  };
  const options = { configuration: { url: VIEWER_SETTINGS.url } };
  (plugin as unknown as Plugin)(host, options, () => {});
  if (bundle === "") throw new Error("the viewer's package has no script");
  // The viewer replaces the text that can be read until it runs.
  return gzipSync(`${bundle}
document.querySelector(".plain")?.remove();
Scalar.createApiReference("#reference", ${JSON.stringify(VIEWER_SETTINGS)});
`);
}

/** The verifier's entry and all that it imports, without types, as modules of one folder. */
function verifyScripts(): Map<string, string> {
  const scripts = new Map<string, string>();
  const files = new Map<string, string>();
  const add = (file: URL): void => {
    const name = moduleName(file.pathname);
    const known = files.get(name);
    if (known === file.pathname) return;
    if (known !== undefined) throw new Error(`${known} and ${file.pathname} are both ${name}`);
    files.set(name, file.pathname);
    const script = stripTypeScriptTypes(readFileSync(file, "utf8"));
    const flat = script.replace(IMPORT, (target) => `./${moduleName(target)}`);
    scripts.set(name, flat.replace(/[ \t]+$/gm, ""));
    for (const [target] of script.matchAll(IMPORT)) add(new URL(target, file));
  };
  add(ENTRY);
  return scripts;
}

function moduleName(file: string): string {
  return `${path.basename(file, ".ts")}.js`;
}

parentPort?.postMessage(workerData === "verify" ? verifyScripts() : await referenceScript());
