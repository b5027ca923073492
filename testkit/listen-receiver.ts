/**
 * A merchant's receiver as a process of its own, for tests that kill it: it verifies each delivery,
 * writes it down, and then acknowledges it, but for some that it refuses.
 * Arguments: port, file to write to, secret, seed.
 */

import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { Webhook } from "standardwebhooks";
import { randomNumbers } from "./random-numbers.ts";

export interface Received {
  readonly at: number;
  readonly id: string;
  readonly sequence: number;
  readonly record: string;
  readonly digest: string;
  readonly status: 200 | 500;
}

const REFUSED_SHARE = 0.02;

function serve([port, file = "", secret = "", seed]: readonly string[]): void {
  const chance = randomNumbers(Number(seed));
  const webhook = new Webhook(secret);
  http
    .createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const headers = request.headers as Record<string, string>;
      const { id, sequence, meta } = webhook.verify(body, headers) as {
        id: string;
        sequence: number;
        meta: { transaction_id: string };
      };
      const status = chance(1) < REFUSED_SHARE ? 500 : 200;
      const digest = createHash("sha256").update(body).digest("hex");
      const record = meta.transaction_id;
      const line: Received = { at: Date.now(), id, sequence, record, digest, status };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      response.writeHead(status).end();
    })
    .listen(Number(port), "127.0.0.1");
}

if (process.argv[1] === import.meta.filename) serve(process.argv.slice(2));
