/** Nobody holds a connection by not reading or not asking; who reads steadily may be slow. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { after, test } from "node:test";
import { limitSilence } from "./limit-silence.ts";

const MS_MAX = 200;
/** More than the kernels on both sides take. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);
const SMALL = Buffer.alloc(60 * 1024);

/** Those that ended before all was sent. */
const cutOff = new WeakSet<net.Socket>();
const server = createServer((request, response) => {
  request.socket.unanswered = (request.socket.unanswered ?? 0) + 1;
  response.once("close", () => {
    request.socket.unanswered = (request.socket.unanswered ?? 1) - 1;
    if (!response.writableFinished) cutOff.add(request.socket);
  });
  if (request.url === "/never") return;
  request.socket.isEnding = request.url === "/last";
  response.end(request.url === "/large" ? LARGE : SMALL);
});
limitSilence(server, MS_MAX);
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;

/** Reads nothing until it is told to. */
async function ask(...paths: string[]): Promise<{ client: net.Socket; ended: Promise<string> }> {
  const connection = once(server, "connection");
  const client = net.connect({ port, host: "127.0.0.1" }).pause();
  client.on("error", () => undefined);
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  const [socket] = (await connection) as [net.Socket];
  const ended = once(socket, "close").then(() =>
    cutOff.has(socket) ? "cut off" : "all was taken",
  );
  return { client, ended };
}

test("a large answer that nobody reads is cut off, and its client hears so", async () => {
  const { client, ended } = await ask("/large");
  assert.equal(await ended, "cut off");
  const told = once(client, "error");
  client.resume();
  assert.equal((await told)[0].code, "ECONNRESET");
});

test("so are many small ones that were asked for ahead", async () => {
  const { client, ended } = await ask(...Array.from({ length: 400 }, () => "/small"));
  assert.equal(await ended, "cut off");
  client.destroy();
});

test("so is a large one behind small ones", async () => {
  const { client, ended } = await ask("/small", "/large");
  assert.equal(await ended, "cut off");
  client.destroy();
});

test("who reads steadily gets all of it, though it takes several times as long", async () => {
  const { client, ended } = await ask("/large");
  const began = performance.now();
  const reading = setInterval(() => client.read(4 * 1024 * 1024) ?? client.read(), MS_MAX / 4);
  const how = await ended;
  clearInterval(reading);
  assert.equal(how, "all was taken");
  assert(performance.now() - began > 2 * MS_MAX);
  client.destroy();
});

test("a connection on which nothing is asked is closed; one that waits for us is not", async () => {
  const waiting = await ask("/never");
  const idle = await ask("/small");
  idle.client.resume();
  assert.equal(await idle.ended, "all was taken");
  assert.equal(waiting.client.destroyed, false);
  assert.equal(await Promise.race([waiting.ended, Promise.resolve("still there")]), "still there");
  waiting.client.destroy();
});

test("who is about to hear a last word is left to whoever says it", async () => {
  const ending = await ask("/last");
  const idle = await ask("/small");
  for (const { client } of [ending, idle]) client.resume();
  await idle.ended;
  assert.equal(await Promise.race([ending.ended, Promise.resolve("still there")]), "still there");
  ending.client.destroy();
});

/** It asks nothing and is not silent, as a client does that would hold its connection for ever. */
function sendEmptyLines(client: net.Socket): NodeJS.Timeout {
  return setInterval(() => client.write("\r\n"), MS_MAX / 2);
}

test("a connection on which nothing but empty lines come is closed", async () => {
  const { client, ended } = await ask("/small");
  client.resume();
  const sending = sendEmptyLines(client);
  assert.equal(await ended, "all was taken");
  clearInterval(sending);
  client.destroy();
});

test("who sends empty lines and reads nothing is cut off", async () => {
  const { client, ended } = await ask("/large");
  const sending = sendEmptyLines(client);
  assert.equal(await ended, "cut off");
  clearInterval(sending);
  client.destroy();
});
