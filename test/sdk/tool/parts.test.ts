/** The parts of the tool that need neither service nor process. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { readDuration } from "../../../sdk/src/tool/duration.ts";
import { readEventFilter } from "../../../sdk/src/tool/event-names.ts";
import { jsonForTerminal, textForTerminal } from "../../../sdk/src/tool/for-terminal.ts";
import type { FeedItem } from "../../../sdk/src/tool/listen/feed.ts";
import { ListenState } from "../../../sdk/src/tool/listen/listen-state.ts";
import { elementsOf, memberOf } from "../../../sdk/src/tool/listen/raw-json.ts";
import { deliveryHeaders, newSecret } from "../../../sdk/src/tool/listen/sign-delivery.ts";
import { nearest } from "../../../sdk/src/tool/nearest.ts";
import { paintFor } from "../../../sdk/src/tool/paint.ts";
import { writeAll } from "../../../sdk/src/tool/private-file.ts";
import { toolErrorOf } from "../../../sdk/src/tool/tool-error.ts";
import { completePage, submitCard } from "../../../sdk/src/tool/trigger/checkout-page.ts";
import { webhookHeaders } from "../../../src/modules/webhooks/sign-webhook.ts";
import { freePort } from "../../../testkit/free-port.ts";

describe("durations", () => {
  const from = new Date("2026-01-31T12:00:00Z");
  const cases: [string, number][] = [
    ["90s", 90],
    ["3m", 180],
    ["24h", 86_400],
    ["5d", 432_000],
    ["1d12h", 129_600],
    ["1mo", 28 * 86_400],
    ["2mo", 59 * 86_400],
    ["1w", 604_800],
  ];
  for (const [typed, seconds] of cases)
    test(`${typed} is ${seconds} seconds`, () => assert.equal(readDuration(typed, from), seconds));
  for (const typed of ["", "3", "m", "3 m", "-3m", "1y", "0s", "3mm"])
    test(`"${typed}" is none`, () => {
      assert.throws(() => readDuration(typed, from), /not a duration/);
    });
});

describe("what strangers typed, at a terminal,", () => {
  const paint = paintFor({ isTTY: true });
  const typed = "a\u001b[2Jb\u001b]0;title\u0007c\rd\u009b31me\u202ef\tg\nh";

  test("has no control characters left, and our colours stay", () => {
    const { NO_COLOR, TERM } = process.env;
    const isPlain = (NO_COLOR ?? "") !== "" || TERM === "dumb";
    const shown = textForTerminal(`${paint.bad(typed)} ${typed}`);
    const clean = "abcdef\tg\nh";
    const coloured = isPlain ? clean : `\u001b[31m${clean}\u001b[0m`;
    assert.equal(shown, `${coloured} ${clean}`);
  });

  test("is the same data as JSON, without a raw one", () => {
    const json = jsonForTerminal(JSON.stringify({ typed }));
    assert.deepEqual(JSON.parse(json), { typed });
    assert.doesNotMatch(json, /[^\x20-\x7e]/);
  });
});

test("parts of JSON are found as they were written, whatever is in them", () => {
  fc.assert(
    fc.property(fc.array(fc.json()), fc.json(), (items, other) => {
      const data = `[${items.join(" , ")}]`;
      const text = `{ "mes\\u0073age" : ${other}, "data":${data} ,"meta":{"data":[1,"]}"]}}`;
      assert.deepEqual(elementsOf(memberOf(text, "data") ?? ""), items);
      assert.equal(memberOf(text, "message"), other);
      assert.equal(memberOf(text, "nothing"), undefined);
    }),
  );
});

test("a delivery has the headers of the service, which other libraries verify", () => {
  const secret = newSecret();
  const at = new Date();
  const item = { id: "0190a1b2-0000-7000-8000-000000000000", event: "payment.success" };
  const body = '{"note":"é 🎉","total":1.50}';
  const headers = deliveryHeaders({ ...item, body }, { secret, at });
  const theirs = webhookHeaders({ eventId: item.id, ...item, at, body, secrets: [secret] });
  assert.deepEqual(headers, theirs);
  for (const Verifier of [Webhook, SvixWebhook]) new Verifier(secret).verify(body, headers);
});

test("events are chosen by name and pattern, and unknown names get suggestions", () => {
  const isWanted = readEventFilter(["payment.success,trusted_card.*", "webhook.test"]);
  for (const name of ["payment.success", "trusted_card.deleted", "webhook.test"])
    assert(isWanted(name), name);
  for (const name of ["payment.failed", "withdrawal.failed"]) assert(!isWanted(name), name);
  assert(readEventFilter(undefined)("anything.new"), "without a filter all, of any version");
  assert.deepEqual(nearest("aprove", ["hold", "approve", "decline"])[0], "approve");
});

describe("the state of a listener", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-state-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "state.json");
  const item = (position: number): FeedItem => ({
    ...{ feed: "events", position, id: `id-${position}`, key: `id-${position}` },
    ...{ event: "payment.success", record: "r", body: "{}" },
  });

  test("knows after a restart what was read and not acknowledged, and nothing else", async () => {
    const state = await ListenState.open(file);
    assert(state.isNew);
    for (const position of [1, 2, 3, 4]) state.take(item(position), position !== 4);
    await Promise.all([state.acknowledge(item(1)), state.acknowledge(item(3))]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const next = await ListenState.open(file);
    assert(!next.isNew);
    assert.equal(next.feeds.events.read, 4);
    assert.deepEqual([...next.feeds.events.waiting], [[2, "id-2"]]);
    assert.deepEqual(
      next.feeds.events.recent,
      [1, 2, 3, 4].map((position) => [position, `id-${position}`]),
    );
  });

  test("is whole on disk when an acknowledgement has been awaited, however many come", async () => {
    const state = await ListenState.open(file);
    for (let position = 5; position < 205; position += 1) state.take(item(position), true);
    await state.save();
    const all = Array.from({ length: 200 }, (_, index) => item(index + 5));
    await Promise.all(
      all.map(async (each) => {
        await state.acknowledge(each);
        const { events } = JSON.parse(readFileSync(file, "utf8"));
        assert(!events.waiting.some(([position]: [number]) => position === each.position));
      }),
    );
    assert.equal((await ListenState.open(file)).feeds.events.recent.length, 100);
  });

  test("goes back without what came after", async () => {
    const state = await ListenState.open(file);
    state.take(item(300), true);
    await state.moveTo("events", 204);
    const { events } = (await ListenState.open(file)).feeds;
    assert.deepEqual([events.read, [...events.waiting]], [204, [[2, "id-2"]]]);
    assert.deepEqual(events.recent.at(-1), [204, "id-204"]);
  });

  test("an acknowledgement is of one event, not of whichever has its position now", async () => {
    const state = await ListenState.open(file);
    const other = { ...item(205), id: "other", key: "other" };
    state.take(other, true);
    await state.acknowledge(item(205));
    assert.equal((await ListenState.open(file)).feeds.events.waiting.get(205), "other");
    await state.acknowledge(other);
    assert(!(await ListenState.open(file)).feeds.events.waiting.has(205));
  });

  test("a file that is not JSON is named, with what to do", async () => {
    const broken = path.join(folder, "broken.json");
    writeFileSync(broken, "{");
    await assert.rejects(ListenState.open(broken), {
      message: `${broken} is not JSON.`,
      next: /--from-start/,
    });
  });
});

describe("ordinary trouble is an error with what to do next:", () => {
  for (const work of [submitCard, completePage])
    test(`${work.name}, of a payment page that does not answer`, async () => {
      const url = `http://127.0.0.1:${await freePort()}/pay`;
      await assert.rejects(work(url, "4111111111111111"), {
        message: "The payment page does not answer.",
        next: `Open it in a browser: ${url}`,
      });
    });

  test("a full disk, by the file that was being written", async () => {
    const file = "config/windward/logins.json";
    const disk = await open("/dev/full", "w");
    const written = writeAll(disk, { file, text: "{}" }).finally(() => disk.close());
    const error = await written.catch((each: unknown) => each);
    const { message, next, exitCode } = toolErrorOf(error, "");
    assert.deepEqual([message, exitCode], [`${file}: ENOSPC.`, 1]);
    assert.match(next, /room on the disk/);
  });

  test("and so is a mistake of the tool itself, which Node would print with what it read", () => {
    const { message, next } = toolErrorOf(new TypeError("undefined is not a function"), "");
    assert.equal(message, "The tool did not expect this: TypeError: undefined is not a function");
    assert.match(next, /WINDWARD_DEBUG=1/);
  });
});
