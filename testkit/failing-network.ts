/**
 * The way between a browser and the service, which fails where a test says: at the card form, that
 * is at a POST of a payment page. Everything else passes, so that the page can still ask.
 */

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `before`: nothing of the form arrives. `during`: half of it. `after`: all of it, and no answer.
 * `in the answer`: half of the answer. `hanging`: all of it, and the answer never ends.
 * `stuck`: nothing arrives, and nobody says so.
 */
export type Failure = "before" | "during" | "after" | "in the answer" | "hanging" | "stuck";

export interface FailingNetwork {
  readonly url: string;
  /** From now on, at every card form. */
  fail(failure: Failure | undefined): void;
  /** How many card forms have come by whole, whatever became of them. */
  forms(): number;
  /** How many the service has answered, also where that answer is lost. */
  answered(): number;
  close(): Promise<void>;
}

export async function startFailingNetwork(servicePort: number): Promise<FailingNetwork> {
  let failure: Failure | undefined;
  const counts = { forms: 0, answered: 0 };

  const server = http.createServer(async (request, response) => {
    const isForm = request.method === "POST" && /^\/checkout\/[^/]+$/.test(request.url ?? "");
    const fails = isForm ? failure : undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (isForm) counts.forms += 1;
    if (fails === "stuck") return;
    if (fails === "before") return void request.socket.destroy();
    const { method, url: path, headers } = request;
    const onward = http.request({ host: "127.0.0.1", port: servicePort, method, path, headers });
    onward.on("error", () => request.socket.destroy());
    if (fails === "during") {
      onward.write(body.subarray(0, body.length / 2), () => {
        onward.destroy();
        request.socket.destroy();
      });
      return;
    }
    onward.end(body);
    const [answer]: http.IncomingMessage[] = await once(onward, "response");
    if (answer === undefined) return;
    const parts: Buffer[] = [];
    for await (const chunk of answer) parts.push(chunk);
    if (isForm) counts.answered += 1;
    if (fails === "after") return void request.socket.destroy();
    if (fails === "hanging") return;
    const whole = Buffer.concat(parts);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fails !== "in the answer") return void response.end(whole);
    response.write(whole.subarray(0, whole.length / 2), () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(next) {
      failure = next;
    },
    forms: () => counts.forms,
    answered: () => counts.answered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
