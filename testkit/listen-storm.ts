/**
 * `windward listen` between a service and a receiver, all three killed at random: for the test of
 * every build and for the soak, which differ in size only.
 *
 * What must hold at the end: each event was acknowledged; of one record none came before an earlier
 * one; what came twice has one id and the same bytes; what the tool wrote down as acknowledged did
 * not come again.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/infra/db/database.ts";
import { createLog } from "../src/infra/log.ts";
import { recordEvents } from "../src/modules/events/record-event.ts";
import { freePort } from "./free-port.ts";
import type { Received } from "./listen-receiver.ts";
import { type Launched, launch, makeFolder, start, UNHINDERED } from "./processes.ts";
import { randomNumbers } from "./random-numbers.ts";
import { until } from "./until.ts";
import { newEvent } from "./webhooks.ts";

export interface StormPlan {
  readonly databaseUrl: string;
  readonly events: number;
  readonly kills: number;
  readonly killEveryMs: { readonly min: number; readonly max: number };
  readonly seed: number;
  /** For what is still to come after the last kill. */
  readonly settleSeconds: number;
  say(line: string): void;
}

const ACCOUNT = { accountNumber: "1234567890", environment: "sandbox" } as const;
const RECORDS = 200;
const EVENTS_AT_ONCE = 20;
const EVENTS_AHEAD = 100;
const WAITING_SHARE = 0.7;
const DELIVERIES_BETWEEN = 10;
const PATIENCE_SECONDS = 10;
const TOOL = path.resolve("sdk/bin/windward.mjs");
const RECEIVER = path.join(import.meta.dirname, "listen-receiver.ts");

export async function runStorm(plan: StormPlan) {
  const began = performance.now();
  const stage = await setStage(plan);
  const hunt = killAtRandom(plan, stage);
  const chance = randomNumbers(plan.seed + 1);
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: plan.databaseUrl, connectionsMax: 2, log });
  try {
    for (let made = 0; made < plan.events; made += EVENTS_AT_ONCE) {
      // Spread over the kills: some die with events under way, and some with more to come.
      await until(
        () => hunt.share() >= (0.95 * (made - EVENTS_AHEAD)) / plan.events,
        "kills go on",
        600,
      );
      const batch = Array.from({ length: Math.min(EVENTS_AT_ONCE, plan.events - made) }, () => {
        const resource = `SB-TT-STORM-${Math.floor(chance(RECORDS))}`;
        return newEvent(ACCOUNT, { resource });
      });
      await db.transaction((tx) => recordEvents(tx, batch));
    }
    await hunt.over;
    plan.say(`${plan.events} events are made, ${plan.kills} processes were killed`);
    const acknowledged = () => new Set(stage.received().filter(isAcknowledged).map(idOf)).size;
    await until(() => acknowledged() >= plan.events, "all is acknowledged", plan.settleSeconds);
    return { ...check(plan, stage), seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    hunt.stop();
    await db.close();
    await stage.end();
  }
}

const isAcknowledged = ({ status }: Received) => status === 200;
const idOf = ({ id }: Received) => id;

type Role = "service" | "tool" | "receiver";

interface Stage {
  restart(role: Role): void;
  received(): readonly Received[];
  /** Ids that the tool reported as written down, with the time at which the report was read. */
  readonly written: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

async function setStage({ databaseUrl, seed }: StormPlan): Promise<Stage> {
  const folder = makeFolder();
  const file = path.join(folder, "received");
  writeFileSync(file, "");
  const [port, receiverPort] = [await freePort(), await freePort()];
  const settings = { ...UNHINDERED, DATABASE_URL: databaseUrl, PORT: `${port}`, LOG_LEVEL: "warn" };
  const env = {
    PATH: process.env.PATH ?? "",
    WINDWARD_URL: `http://127.0.0.1:${port}`,
    XDG_CONFIG_HOME: path.join(folder, "config"),
    XDG_STATE_HOME: path.join(folder, "state"),
    WINDWARD_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  };
  let service: Launched = await start({ settings });
  await login(env);
  const written = new Map<string, number>();
  const target = `http://127.0.0.1:${receiverPort}/`;
  const startTool = () => watchTool(env, target, written);
  const startReceiver = (nth: number) =>
    spawn(process.execPath, [
      ...[RECEIVER, `${receiverPort}`, file, env.WINDWARD_WEBHOOK_SECRET, `${seed + nth}`],
    ]);
  let receiver = startReceiver(0);
  let tool = startTool();
  await until(() => tool.isListening(), "the tool listens");
  let restarts = 0;
  return {
    restart(role) {
      restarts += 1;
      if (role === "service") {
        service.signal("SIGKILL");
        service = launch({ settings });
      } else if (role === "tool") {
        tool.kill();
        tool = startTool();
      } else {
        receiver.kill("SIGKILL");
        receiver = startReceiver(restarts);
      }
    },
    received: readerOf(file),
    written,
    async end() {
      tool.kill();
      receiver.kill("SIGKILL");
      service.signal("SIGKILL");
      await service.ended;
    },
  };
}

async function login(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [TOOL, "login"], { env });
  child.stdin.end("merchant@example.com\nSandbox-2026\n");
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, "the tool signs in");
}

function watchTool(env: Record<string, string>, target: string, written: Map<string, number>) {
  const args = [TOOL, "listen", "--json", "--forward-to", target];
  const child: ChildProcess = spawn(process.execPath, args, { env });
  let [rest, errors, isKilled, isListening] = ["", "", false, false];
  child.stderr?.on("data", (part) => {
    errors += part;
  });
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const said = JSON.parse(line);
      isListening ||= said.listening === true;
      if (said.acknowledged === true) written.set(said.id, Date.now());
    }
  });
  child.once("exit", (code) => {
    if (!isKilled) throw new Error(`the tool ended by itself with ${code}: ${errors}`);
  });
  return {
    isListening: () => isListening,
    kill() {
      isKilled = true;
      child.kill("SIGKILL");
    },
  };
}

/**
 * Most of them once some deliveries came since the last, so that all three are at work; others at
 * once, so that starts are hit, too.
 */
function killAtRandom({ kills, killEveryMs, seed, say }: StormPlan, stage: Stage) {
  const chance = randomNumbers(seed);
  const { min, max } = killEveryMs;
  let [done, isStopped] = [0, false];
  const roles: readonly Role[] = ["service", "tool", "receiver"];
  async function hunt(): Promise<void> {
    while (done < kills && !isStopped) {
      const wanted = stage.received().length + 1 + chance(DELIVERIES_BETWEEN);
      const isEnough = () => isStopped || stage.received().length >= wanted;
      if (chance(1) < WAITING_SHARE)
        await until(isEnough, "deliveries came", PATIENCE_SECONDS).catch(() => {});
      await sleep(min + chance(max - min));
      stage.restart(roles[Math.floor(chance(roles.length))] ?? "tool");
      done += 1;
      if (done % 20 === 0) say(`${done} kills, ${stage.received().length} deliveries`);
    }
  }
  return {
    over: hunt(),
    share: () => done / kills,
    stop() {
      isStopped = true;
    },
  };
}

/** Reads on from where it stopped, because it is asked often. */
function readerOf(file: string): () => readonly Received[] {
  const received: Received[] = [];
  let offset = 0;
  return () => {
    const text = readFileSync(file).subarray(offset).toString();
    const lines = text.slice(0, text.lastIndexOf("\n") + 1);
    offset += Buffer.byteLength(lines);
    received.push(
      ...lines
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
    return received;
  };
}

function check({ events }: StormPlan, stage: Stage) {
  const received = stage.received();
  const byId = Map.groupBy(received, idOf);
  for (const [id, each] of byId) {
    assert.equal(new Set(each.map(({ digest }) => digest)).size, 1, `the same bytes of ${id}`);
    const isAgain = each.some(({ at }) => at > (stage.written.get(id) ?? Number.POSITIVE_INFINITY));
    assert(!isAgain, `${id} came again after it was written down`);
  }
  for (const [record, each] of Map.groupBy(received, (one) => one.record))
    for (const [index, { sequence }] of each.entries())
      assert((each[index - 1]?.sequence ?? 0) <= sequence, `the order of ${record}`);
  const acknowledged = [...byId.values()].filter((each) => each.some(isAcknowledged)).length;
  assert.deepEqual([byId.size, acknowledged], [events, events], "each is acknowledged");
  const refused = received.filter(({ status }) => status === 500).length;
  return { deliveries: received.length, refused, again: received.length - events - refused };
}
