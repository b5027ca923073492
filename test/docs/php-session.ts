/**
 * PHP as WebAssembly. It has no network, so `http://` leads through the test; all else, hashes and
 * parsing among them, is PHP's own.
 */

// @ts-expect-error: the package has no types
import { getPHPLoaderModule } from "@php-wasm/node-8-4";
import * as universal from "@php-wasm/universal";
import { type BridgedRequest, bridge, type Session } from "./session.ts";

/** Pieces are evaluated in one request, one after the other, so that they share what they make. */
const MAIN = `<?php
class Bridge {
  public $context;
  private string $body = '';
  private int $at = 0;
  function stream_open($url) {
    $http = stream_context_get_options($this->context)['http'] ?? [];
    $this->body = post_message_to_js(json_encode(['url' => $url, 'http' => $http]));
    return true;
  }
  function stream_read($count) {
    $part = substr($this->body, $this->at, $count);
    $this->at += strlen($part);
    return $part;
  }
  function stream_eof() { return $this->at >= strlen($this->body); }
  function stream_stat() { return []; }
}
stream_wrapper_unregister('http');
stream_wrapper_register('http', 'Bridge');
for ($piece = ''; ; ) {
  ob_start();
  try { eval($piece); } catch (Throwable $problem) { echo "\\nfailed: $problem"; }
  $piece = post_message_to_js(json_encode(['said' => ob_get_clean()]));
  if ($piece === 'stop') break;
}`;

interface Php {
  onMessage(answer: (text: string) => Promise<string>): void;
  run(what: { code: string }): Promise<unknown>;
  exit(): void;
}

/** What is used of the package, whose own types cannot be read from here. */
const { PHP, loadPHPRuntime } = universal as unknown as {
  PHP: new (runtime: number) => Php;
  loadPHPRuntime(loader: unknown): Promise<number>;
};

export async function openPhp(): Promise<Session> {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
  let next = Promise.withResolvers<string>();
  let said = Promise.withResolvers<string>();
  php.onMessage(async (text: string) => {
    const message = JSON.parse(text);
    if (message.url !== undefined) return (await bridge(requestOf(message))).body;
    said.resolve(message.said);
    const piece = await next.promise;
    next = Promise.withResolvers();
    return piece;
  });
  const running = php.run({ code: MAIN });
  running.catch((error) => said.reject(error));
  await said.promise;
  return {
    async run(code) {
      said = Promise.withResolvers();
      next.resolve(code);
      const text = await said.promise;
      if (/failed: |(?:Warning|Fatal error|Deprecated): /.test(text)) throw new Error(text);
      return text;
    },
    async close() {
      next.resolve("stop");
      await running;
      php.exit();
    },
  };
}

function requestOf({ url, http }: { url: string; http: Record<string, unknown> }): BridgedRequest {
  const lines = ([http.header ?? []].flat() as string[]).map((line) => {
    const [name = "", ...value] = line.split(": ");
    return [name, value.join(": ")];
  });
  return {
    url,
    method: String(http.method ?? "GET"),
    headers: Object.fromEntries(lines),
    body: http.method === "GET" ? undefined : String(http.content ?? ""),
  };
}
