/** Requests to a proxy from addresses of their own, and how it refuses them. */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

interface Sent {
  readonly from?: string;
  readonly headers?: Record<string, string>;
}

/** On a connection of its own, from an address of its own. */
export async function get(
  url: string,
  { from = "127.0.0.1", headers = {} }: Sent = {},
): Promise<Answer> {
  const request = http.get(url, { agent: false, localAddress: from, headers });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

export function expectRefusal(answer: Answer, status: number, message: string): void {
  assert.equal(answer.status, status);
  assert.deepEqual(JSON.parse(answer.text), { message });
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.match(answer.headers["x-request-id"]?.toString() ?? "", /^[0-9a-f-]{36}$/);
}
