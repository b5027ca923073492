/**
 * What the tests of the SDK share: a wire between it and the service that loses requests or answers
 * when told to, and remembers what went over it.
 */

import http from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request: a faked answer, or lost before, after or in the middle of its own. */
type Fate =
  | "before"
  | "after"
  | "middle"
  | { readonly status: number; readonly headers?: Record<string, string> };

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Wire {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** As `POST /webhooks`, without those that sign in. */
  calls(): string[];
  /** Of the next requests to this path, in turn. */
  fate(path: string, ...fates: readonly Fate[]): void;
  /** As if nothing had been sent and told. */
  forget(): void;
  close(): Promise<void>;
}

export async function startWire(serviceUrl: string): Promise<Wire> {
  const requests: WireRequest[] = [];
  const fates: { path: string; fate: Fate }[] = [];

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const { method = "", url = "", headers } = request;
    const bytes = Buffer.concat(await request.toArray());
    requests.push({ method, path: url, headers, body: bytes.toString() });
    const index = fates.findIndex(({ path }) => url.split("?")[0] === path);
    const fate = index === -1 ? undefined : fates.splice(index, 1)[0]?.fate;
    if (fate === "before") return void request.socket.destroy();
    if (typeof fate === "object") {
      const type = { "content-type": "application/json" };
      return void response.writeHead(fate.status, { ...type, ...fate.headers }).end("{}");
    }
    const answer = await passOn(serviceUrl + url, { method, headers }, bytes);
    if (fate === "after") return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers);
    if (fate === undefined) return void response.end(answer.body);
    response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy());
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    calls: () =>
      requests
        .filter(({ path }) => !path.startsWith("/auth/tokens"))
        .map(({ method, path }) => `${method} ${path}`),
    fate(path, ...next) {
      fates.push(...next.map((fate) => ({ path, fate })));
    },
    forget() {
      requests.length = 0;
      fates.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(
  url: string,
  { method, headers }: Pick<WireRequest, "method" | "headers">,
  sent: Buffer,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, async (response) => {
      const parts = await response.toArray().catch(reject);
      const status = response.statusCode ?? 0;
      resolve({ status, headers: response.headers, body: Buffer.concat(parts ?? []) });
    });
    request.once("error", reject);
    request.end(sent);
  });
}
