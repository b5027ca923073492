/** Nobody can hold so many connections that others get none; those at work are spared. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { limitConnections } from "./limit-connections.ts";

/** As much of a socket as is looked at. */
class Connection extends EventEmitter {
  readonly remoteAddress: string;
  unanswered: number | undefined;
  destroyed = false;
  /** As of one that is destroyed in the turn of the loop in which others arrive. */
  isSlowToClose = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
    if (!this.isSlowToClose) this.emit("close");
  }
}

function openDoor(settings: Record<string, string> = {}) {
  const server = new EventEmitter();
  limitConnections(server as unknown as Server, readConfig(settings).http);
  const arrive = (address: string, unanswered?: number) => {
    const connection = new Connection(address);
    connection.unanswered = unanswered;
    server.emit("connection", connection);
    return connection;
  };
  const many = (count: number, address: string, unanswered?: number) =>
    Array.from({ length: count }, () => arrive(address, unanswered));
  return { arrive, many };
}

const leftOf = (connections: readonly Connection[]) =>
  connections.filter(({ destroyed }) => !destroyed).length;

test("one address holds as many as are allowed, and others are not affected", () => {
  const { arrive, many } = openDoor();
  assert.equal(leftOf(many(600, "203.0.113.1")), 500);
  assert.equal(arrive("203.0.113.2").destroyed, false);
});

test("when all places are taken, a newcomer gets one of whoever holds the most", () => {
  const { arrive, many } = openDoor();
  const crowd = [400, 400, 500, 400, 200].map((count, at) => many(count, `203.0.113.${at}`));
  const newcomers = Array.from({ length: 50 }, (_, at) => arrive(`198.51.100.${at}`));
  assert.equal(leftOf(newcomers), 50);
  assert.deepEqual(crowd.map(leftOf), [400, 400, 450, 400, 200]);
});

test("whoever holds the most gets nobody else's place", () => {
  const { arrive, many } = openDoor();
  const crowd = Array.from({ length: 5 }, (_, at) => many(380, `203.0.113.${at}`));
  assert.equal(arrive("203.0.113.3").destroyed, true);
  assert.deepEqual(crowd.map(leftOf), [380, 380, 380, 380, 380]);
});

test("an address that holds nearly as many as the largest gets none of its places", () => {
  const { arrive, many } = openDoor();
  const sizes = [410, 400, 380, 360, 350];
  const crowd = sizes.map((count, at) => many(count, `203.0.113.${at}`));
  assert.equal(arrive("203.0.113.2").destroyed, true);
  assert.equal(arrive("203.0.113.4").destroyed, false);
  assert.deepEqual(crowd.map(leftOf), [409, 400, 380, 360, 350]);
});

test("the oldest on which nothing is asked goes first; without one, the oldest", () => {
  const { arrive, many } = openDoor({ CONNECTIONS_PER_ADDRESS_MAX: "2000" });
  const [first, ...busy] = many(1_898, "203.0.113.1", 1);
  const [idle, last] = [arrive("203.0.113.1"), arrive("203.0.113.1", 1)];
  arrive("198.51.100.1");
  assert.deepEqual([idle.destroyed, first?.destroyed, last.destroyed], [true, false, false]);
  arrive("198.51.100.2");
  assert.deepEqual([first?.destroyed, leftOf(busy)], [true, busy.length]);
});

test("many that come in one turn get different places, and no more than there are", () => {
  const { arrive, many } = openDoor({ CONNECTIONS_PER_ADDRESS_MAX: "2000" });
  const crowd = many(1_900, "203.0.113.1", 1);
  for (const connection of crowd) connection.isSlowToClose = true;
  const newcomers = Array.from({ length: 150 }, (_, at) => arrive(`198.51.100.${at}`));
  assert.deepEqual([leftOf(newcomers), leftOf(crowd)], [100, 1_800]);
});

test("a proxy's connections that are at work stay, however many it holds", () => {
  const { arrive, many } = openDoor({ TRUSTED_PROXIES: "10.0.0.0/8" });
  const ofProxy = many(1_900, "10.0.0.1", 1);
  assert.equal(arrive("203.0.113.1").destroyed, true);
  const [one] = ofProxy;
  if (one !== undefined) one.unanswered = 0;
  assert.equal(arrive("203.0.113.1").destroyed, false);
  assert.equal(leftOf(ofProxy), 1_899);
});
