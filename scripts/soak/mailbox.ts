/**
 * Where mail arrives: a mail server that is away now and then. It refuses addresses or messages for
 * a while, or does not listen at all; in between it keeps every message that it accepted.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { startSmtpServer, type TestSmtpServer } from "../../testkit/mails.ts";
import type { Chance } from "./random.ts";

const WELL_MS = { min: 1_500, max: 5_000 };
const AWAY_MS = { min: 500, max: 3_000 };
/** A bad moment of the server, so the mail is tried again. */
const NOT_NOW = { code: 451, text: "4.3.0 try again later" };

type Received = TestSmtpServer["received"];

export interface Mailbox {
  readonly url: string;
  received(): Received;
  /** From now on it is there. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

export async function startMailbox(chance: Chance): Promise<Mailbox> {
  let server = await startSmtpServer();
  const { url } = server;
  const port = Number(new URL(url).port);
  const before: Received[number][] = [];
  const stopping = new AbortController();
  const pause = ({ min, max }: typeof WELL_MS) =>
    sleep(chance.between(min, max), undefined, { signal: stopping.signal }).catch(() => {});
  const beAway = {
    "is down": async () => {
      await server.stop();
      before.push(...server.received);
      await pause(AWAY_MS);
      server = await startSmtpServer({ port });
    },
    "takes no address": () => refuse("RCPT"),
    "takes no message": () => refuse("DATA"),
  };
  async function refuse(command: "RCPT" | "DATA"): Promise<void> {
    server.refuse(command, NOT_NOW);
    await pause(AWAY_MS);
    server.refuse(command, undefined);
  }
  const running = (async () => {
    for (;;) {
      await pause(WELL_MS);
      if (stopping.signal.aborted) return;
      await beAway[chance.weigh({ "is down": 1, "takes no address": 1, "takes no message": 1 })]();
    }
  })();
  const mend = () => {
    stopping.abort();
    return running;
  };
  return {
    url,
    received: () => [...before, ...server.received],
    mend,
    async stop() {
      await mend();
      await server.stop();
    },
  };
}
