/**
 * A connection that was refused is left unread until there is room or its time is up, and nothing
 * that Node does with it in between changes that.
 */

import assert from "node:assert/strict";
import http from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { after, test } from "node:test";
import { createRests } from "../../../src/infra/http/rest-connections.ts";
import { until } from "../../../testkit/until.ts";

const ALONE = { isBehindOthers: false };
/** As its refusal tells it to wait. */
const REST_MS = 1_000;
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

let room = 0;
let ms = 0;
let looks = 0;
const endedAtLook: number[] = [];
const ended: { socket: Socket; isNewcomer: boolean }[] = [];
const rests = createRests({
  room: () => {
    looks += 1;
    return room;
  },
  endUnread(socket, how) {
    endedAtLook.push(looks);
    ended.push({ socket: socket.destroy(), ...how });
  },
  now: () => ms,
});
const heard: Socket[] = [];
const server = http.createServer(({ socket }, response) => {
  heard.push(socket);
  rests.noteRefused(socket, ALONE);
  response.end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => {
  rests.stop();
  server.close();
  server.closeAllConnections();
});

async function severalLooks(): Promise<void> {
  const from = looks;
  await until(() => looks > from + 5, "they were looked at");
}

/** One that has been heard once and rests; those of other tests are gone. */
async function restingClient(): Promise<{ client: Socket; served: Socket }> {
  server.closeAllConnections();
  room = 0;
  heard.length = 0;
  ended.length = 0;
  endedAtLook.length = 0;
  const client = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write(REQUEST);
  await until(() => heard.length === 1, "it is heard");
  const [served = assert.fail()] = heard;
  return { client, served };
}

test("a connection that rests is not read until there is room", async () => {
  const { client, served } = await restingClient();
  client.write(REQUEST);
  await severalLooks();
  assert.deepEqual([heard.length, rests.refusedOf(served)], [1, 1]);
  room = 1;
  await until(() => heard.length === 2, "it is heard");
  client.destroy();
});

test("without room it is read after a second, and rests anew", async () => {
  const { client, served } = await restingClient();
  client.write(REQUEST);
  ms += REST_MS - 1;
  await severalLooks();
  assert.equal(heard.length, 1);
  ms += 1;
  await until(() => heard.length === 2, "it is heard");
  client.write(REQUEST);
  await severalLooks();
  assert.deepEqual([heard.length, rests.refusedOf(served)], [2, 1]);
  client.destroy();
});

test("those in one go are counted together", async () => {
  const { client, served } = await restingClient();
  ms += REST_MS;
  await until(() => rests.refusedOf(served) === 0, "its rest is over");
  client.write(REQUEST.repeat(3));
  await until(() => rests.refusedOf(served) > 0, "they are heard");
  assert.equal(rests.refusedOf(served), 3);
  client.destroy();
});

test("when there is room, the last that was refused is read first", async () => {
  const first = await restingClient();
  const second = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  second.write(REQUEST);
  await until(() => heard.length === 2, "both rest");
  const [, secondServed] = heard;
  for (const client of [first.client, second]) client.write(REQUEST);
  heard.length = 0;
  room = 1;
  await until(() => heard.length >= 1, "one is heard");
  room = 0;
  assert.equal(heard[0], secondServed);
  for (const client of [first.client, second]) client.destroy();
});

test("one that sends ahead is closed after a second, unread", async () => {
  const { client, served } = await restingClient();
  client.on("error", () => {});
  ms += REST_MS;
  await until(() => rests.refusedOf(served) === 0, "its rest is over");
  client.write(REQUEST.repeat(2));
  await until(() => rests.refusedOf(served) === 2, "both are refused");
  const soFar = heard.length;
  client.write(REQUEST);
  ms += REST_MS - 1;
  await severalLooks();
  assert.equal(served.destroyed, false);
  ms += 1;
  await until(() => served.destroyed, "it is closed");
  assert.equal(heard.length, soFar);
  assert.deepEqual(ended, [{ socket: served, isNewcomer: false }]);
});

test("of two that send ahead, one is closed 10 ms after the other", async () => {
  const first = await restingClient();
  const second = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  for (const client of [first.client, second]) client.on("error", () => {});
  second.write(REQUEST);
  await until(() => heard.length === 2, "both rest");
  for (const socket of [...heard]) rests.noteRefused(socket, ALONE);
  ms += REST_MS;
  await until(() => ended.length === 1, "one is closed");
  await severalLooks();
  assert.equal(ended.length, 1);
  ms += 10;
  await until(() => ended.length === 2, "so is the other");
});

test("one that was refused behind others sends ahead, too", async () => {
  const { client, served } = await restingClient();
  client.on("error", () => {});
  ms += REST_MS;
  await until(() => rests.refusedOf(served) === 0, "its rest is over");
  rests.noteRefused(served, { isBehindOthers: true });
  ms += REST_MS;
  await until(() => served.destroyed, "it is closed");
});

test("one on which 32 were refused in one go is not read again, even if there is room", async () => {
  const { client, served } = await restingClient();
  client.on("error", () => {});
  for (let turn = 1; turn < 32; turn++) rests.noteRefused(served, ALONE);
  served.unanswered = 1;
  room = 1;
  client.write(REQUEST);
  await severalLooks();
  assert.equal(heard.length, 1);
  served.unanswered = 0;
  ms += 10;
  await until(() => served.destroyed, "it is closed");
});

test("none is closed while one of its requests is being answered", async () => {
  const { client, served } = await restingClient();
  client.on("error", () => {});
  rests.noteRefused(served, ALONE);
  served.unanswered = 1;
  ms += REST_MS;
  await severalLooks();
  assert.equal(served.destroyed, false);
  served.unanswered = 0;
  await until(() => served.destroyed, "it is closed");
});

test("newcomers are read at once", async () => {
  const receive = (socket: Socket) => rests.noteNewcomer(socket);
  server.once("connection", receive);
  const { client } = await restingClient();
  client.destroy();
});

test("when too many were refused, eight are read every 10 ms, and after a second none", async () => {
  const { served } = await restingClient();
  for (let turn = 0; turn < 10_000; turn++) rests.noteRefused(served, ALONE);
  const newcomers: Socket[] = [];
  const receive = (socket: Socket) => {
    newcomers.push(socket);
    rests.noteNewcomer(socket);
  };
  server.on("connection", receive);
  const { port } = server.address() as AddressInfo;
  for (let turn = 0; turn < 20; turn++)
    net
      .connect(port, "127.0.0.1")
      .on("error", () => {})
      .write(REQUEST);
  await until(() => newcomers.length === 20, "all are there");
  server.off("connection", receive);
  served.destroy();
  await severalLooks();
  const heardAtFirst = heard.length;
  ms += 10;
  await until(() => heard.length === heardAtFirst + 8, "eight are read");
  await severalLooks();
  assert.equal(heard.length, heardAtFirst + 8);
  ms += 1_000;
  await until(() => ended.length >= 2, "they are turned away");
  assert.equal(new Set(endedAtLook).size, ended.length, "one with each look");
  for (const { socket, isNewcomer } of ended) {
    assert(isNewcomer && newcomers.includes(socket));
    assert(!heard.includes(socket));
  }
});

test("one that has gone is forgotten", async () => {
  const { client, served } = await restingClient();
  client.destroy();
  served.destroy();
  await until(() => rests.refusedOf(served) === 0, "nobody keeps it");
});
