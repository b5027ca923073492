/**
 * The merchants' own servers: one for each, good or bad in its own way. They remember every byte;
 * one that "duplicates" takes what it is sent and drops the line, so that it is sent again.
 */

import { type Behaviour, type Receiver, startReceiver } from "../../testkit/receivers.ts";

const SLOW_MS = 400;
const slow: Behaviour = (_request, response) =>
  void setTimeout(() => response.writeHead(204).end(), SLOW_MS);
const WAYS: readonly { name: string; how: Behaviour }[] = [
  { name: "good", how: "well" },
  { name: "good", how: "well" },
  { name: "slow", how: slow },
  { name: "good", how: "well" },
  { name: "failing", how: 500 },
  { name: "good", how: "well" },
  { name: "hanging", how: "hangs" },
  { name: "good", how: "well" },
  { name: "duplicating", how: "resets" },
  { name: "good", how: "well" },
];

export interface Station {
  readonly accountNumber: string;
  readonly url: string;
  readonly way: string;
  readonly receiver: Receiver;
  secret: string;
}

export interface Fleet {
  readonly stations: readonly Station[];
  /** Gives a merchant its receiver. */
  open(accountNumber: string, turn: number): Station;
  /** The weather is over: all are well. */
  mend(): void;
  close(): Promise<void>;
}

export async function startFleet(count: number): Promise<Fleet> {
  const receivers = await Promise.all(
    Array.from({ length: count }, async (_, turn) => {
      const { name, how } = WAYS[turn % WAYS.length] ?? { name: "good", how: "well" };
      return { name, receiver: await startReceiver(how) };
    }),
  );
  const stations: Station[] = [];
  return {
    stations,
    open(accountNumber, turn) {
      const one = receivers[turn];
      if (one === undefined) throw new Error("there is no receiver for this merchant");
      const { name: way, receiver } = one;
      const station = { accountNumber, url: receiver.url, way, receiver, secret: "" };
      stations.push(station);
      return station;
    },
    mend() {
      for (const { receiver } of receivers) receiver.behave("well");
    },
    async close() {
      await Promise.all(receivers.map(({ receiver }) => receiver.close()));
    },
  };
}
