/** A load of orders, each with an id of its own, by a process of its own. */

import { randomBytes } from "node:crypto";
import { askAgain, type Burst, type BurstResult } from "./ask-again.ts";
import { answerApart, runApart } from "./run-apart.ts";

interface Orders extends Burst {
  /** All but the order's id. */
  readonly order: object;
  /** Of those who ask, one after the other; absent: nobody signs in. */
  readonly tokens?: readonly string[];
}

export function postOrders(orders: Orders): Promise<BurstResult> {
  return runApart(import.meta.url, orders);
}

async function run(orders: Orders): Promise<BurstResult> {
  return askAgain(orders, requestMaker(orders));
}

function requestMaker({ url, order, tokens = [] }: Orders): () => string {
  const { pathname, host } = new URL(url);
  const mark = randomBytes(6).toString("hex");
  let asked = 0;
  return () => {
    asked += 1;
    const body = JSON.stringify({ ...order, order_id: `o-${mark}-${asked}` });
    const token = tokens[asked % tokens.length];
    const credential = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    return (
      `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${credential}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
}

await answerApart(import.meta.main, run);
