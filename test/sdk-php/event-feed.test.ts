/**
 * The guarantee: the feed of the PHP package hands out every event in order, also when the process
 * is killed at any moment: at least once, and again only the one that was not written down.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { mintKey } from "../../testkit/credentials.ts";
import { findPhp, runPhp, scriptOf } from "../../testkit/php.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { openFeed } from "../sdk/consumer-support.ts";
import { startWire } from "../sdk/support.ts";

const service = await startService();
const wire = await startWire(service.url);
const folder = await mkdtemp(path.join(tmpdir(), "windward-php-feed-"));
after(async () => {
  await wire.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const FEED = `
  $windward = new Windward\\Windward($facts['url'], $facts['apiKey']);
  $feed = new Windward\\EventFeed($windward, $facts['account'], 'sandbox', $facts['cursor']);`;
const LOGGED = `${FEED}
  $feed->run(function (Windward\\Event $event) use ($facts): void {
    file_put_contents($facts['log'], "{$event->sequence} {$event->id}\\n", FILE_APPEND);
    usleep($facts['workMs'] * 1000);
  });`;

let facts: Record<string, string | number>;
let feed: Awaited<ReturnType<typeof openFeed>>;
let files = 0;
beforeEach(async () => {
  feed = await openFeed(service);
  const { key: apiKey } = await mintKey(service.ctx, feed, ["svc-user-retrieve"]);
  files += 1;
  const [cursor, log] = ["cursor", "log"].map((name) => path.join(folder, `${name}-${files}`));
  const account = feed.accountNumber;
  facts = { url: wire.url, apiKey, account, cursor: cursor ?? "", log: log ?? "", workMs: 0 };
  await writeFile(String(facts.log), "");
  wire.forget();
});

const logged = () =>
  readFileSync(String(facts.log), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" ") as [sequence: string, id: string]);

/** After so many more events. Gives whether it came to its end before it was killed. */
async function runAndKill(afterEvents: number): Promise<boolean> {
  const wanted = logged().length + afterEvents;
  const child = spawn(await findPhp(), ["-r", scriptOf(LOGGED)], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(JSON.stringify(facts));
  const ended = once(child, "exit");
  await until(() => child.exitCode !== null || logged().length >= wanted, "it goes on", 60);
  // At any moment of the next one.
  await sleep(Math.random() * 10);
  child.kill("SIGKILL");
  const [code] = await ended;
  return code === 0;
}

describe("the feed in PHP", () => {
  test("hands out everything once, in order, over several pages, and then only what is new", async () => {
    const events = await feed.grow(230);
    const expected = events.map(({ sequence, id }) => [String(sequence), id]);
    await runPhp(LOGGED, facts);
    assert.deepEqual(logged(), expected);
    const more = await feed.grow(2);
    wire.fate("/events", "middle", { status: 503 });
    await runPhp(LOGGED, facts);
    assert.deepEqual(
      logged().slice(230),
      more.map(({ sequence, id }) => [String(sequence), id]),
    );
  });

  test("misses nothing when it is killed again and again", async (t) => {
    const events = await feed.grow(150);
    facts = { ...facts, workMs: 5 };
    let kills = 0;
    while (!(await runAndKill(randomInt(1, 30)))) kills += 1;
    t.diagnostic(`${kills} kills`);
    const ids = new Map(events.map(({ sequence, id }) => [sequence, id]));
    let last = 0;
    for (const [text, id] of logged()) {
      const sequence = Number(text);
      assert(sequence === last || sequence === last + 1, `${sequence} after ${last}`);
      assert.equal(id, ids.get(sequence));
      last = sequence;
    }
    assert.equal(last, 150);
    assert(logged().length <= 150 + kills, "only what was not written down comes again");
  });

  test("hands out an event again when its handler threw", async () => {
    await feed.grow(3);
    const code = `${FEED}
      $seen = [];
      for ($run = 1; $run <= 2; $run += 1) {
        try {
          $feed->run(function (Windward\\Event $event) use (&$seen, $run): void {
            $seen[] = $event->sequence;
            if ($run === 1 && $event->sequence === 2) throw new LogicException('not now');
          });
        } catch (LogicException) {}
      }
      echo implode(' ', $seen);`;
    assert.equal(await runPhp(code, facts), "1 2 2 3");
  });

  const refusals: [what: string, change: (facts: object) => object, message: RegExp][] = [
    ["a file that holds no number", (all) => all, /does not hold a number\. Delete it/],
    ["another account", (all) => ({ ...all, account: "9" }), /came to the feed of 9 \(sandbox\)/],
    ["a cursor beyond the end", (all) => all, /The feed ends with 1, but .+ has got to 7\./],
  ];
  for (const [at, [what, change, message]] of refusals.entries())
    test(`refuses ${what}`, async () => {
      await feed.grow(1);
      const texts = ["no", "0", "7"];
      await writeFile(String(facts.cursor), texts[at] ?? "");
      await assert.rejects(runPhp(LOGGED, change(facts) as Record<string, string>), message);
      assert.deepEqual(logged(), []);
    });

  test("is used by one process at a time", async () => {
    const code = `$held = new Windward\\CursorFile($facts['cursor']); ${LOGGED}`;
    await assert.rejects(runPhp(code, facts), /Another process is using .+ Run one at a time/);
  });
});
