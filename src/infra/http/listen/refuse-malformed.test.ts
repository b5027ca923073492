/** Those who are late are told so one by one, and each once. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, mock, test } from "node:test";
import { refuseMalformed } from "./refuse-malformed.ts";

const immediates: (() => void)[] = [];
const nextTurn = () => immediates.shift()?.();

beforeEach(() => {
  immediates.length = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(globalThis, "setImmediate", (work: () => void) => immediates.push(work));
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** As much of a socket as is looked at. */
class Connection extends EventEmitter {
  writable = true;
  destroyed = false;
  isReading = true;
  isLeftUnread: boolean | undefined;
  isEnding: boolean | undefined;
  readonly heard: string[] = [];

  pause(): void {
    this.isReading = false;
  }

  end(words: string): void {
    this.heard.push(words.slice("HTTP/1.1 ".length, words.indexOf("\r")));
    this.writable = false;
  }

  destroy(): void {
    this.destroyed = true;
  }
}

function refuse(connection: Connection, code: string): Connection {
  refuseMalformed(Object.assign(new Error(), { code }), connection as unknown as Socket);
  return connection;
}

const late = (connection = new Connection()) => refuse(connection, "ERR_HTTP_REQUEST_TIMEOUT");

test("of two that are late together, the second is told with the next turn", () => {
  const [one, two] = [late(), late()];
  assert.deepEqual([one.heard, two.heard], [[], []]);
  nextTurn();
  assert.deepEqual([one.heard, two.heard], [["408 Request Timeout"], []]);
  nextTurn();
  assert.deepEqual([one.heard, two.heard], [["408 Request Timeout"], ["408 Request Timeout"]]);
});

test("who is late is not read while it waits to be told, so that it cannot finish", () => {
  const { isReading, isEnding } = late();
  assert.deepEqual([isReading, isEnding], [false, true]);
  nextTurn();
});

test("who was left unread was not late, even if it is read again by the time it is told", () => {
  const connection = new Connection();
  connection.isLeftUnread = true;
  late(connection);
  connection.isLeftUnread = false;
  nextTurn();
  assert.deepEqual(connection.heard, ["503 Service Unavailable"]);
});

test("who has gone meanwhile is told nothing", () => {
  const connection = late();
  connection.writable = false;
  nextTurn();
  assert.deepEqual([connection.heard, connection.destroyed], [[], true]);
});

test("half a second after it was told its connection is gone", () => {
  const connection = late();
  nextTurn();
  mock.timers.tick(499);
  assert.equal(connection.destroyed, false);
  mock.timers.tick(1);
  assert.equal(connection.destroyed, true);
});

for (const [code, told] of [
  ["HPE_INVALID_METHOD", "400 Bad Request"],
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
] as const)
  test(`${code} is told at once: ${told}`, () => {
    assert.deepEqual(refuse(new Connection(), code).heard, [told]);
  });

test("a connection that was reset is told nothing", () => {
  const { heard, destroyed } = refuse(new Connection(), "ECONNRESET");
  assert.deepEqual([heard, destroyed], [[], true]);
});
