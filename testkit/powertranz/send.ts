/** How an answer leaves: whole, one byte a second, cut off before its head or in its body. */

import type { ServerResponse } from "node:http";
import type { Manner, Page } from "./fault-kinds.ts";

const DRIP_MS = 1000;

export function send(response: ServerResponse, page: Page, manner: Manner): void {
  if (response.destroyed) return;
  if (manner === "cut") response.socket?.destroy();
  else if (manner === "reset") response.socket?.resetAndDestroy();
  else sendBytes(response, page, manner);
}

function sendBytes(response: ServerResponse, page: Page, manner: Manner): void {
  const bytes = Buffer.from(page.body);
  response.writeHead(page.status, { ...page.headers, "content-length": bytes.length });
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (manner === "drip") drip(response, bytes);
  else if (manner === "whole") response.end(bytes);
  else response.write(half, () => response.socket?.destroy());
}

function drip(response: ServerResponse, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(at, at + 1));
    at += 1;
    if (at < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_MS);
  response.on("close", () => clearInterval(timer));
}
