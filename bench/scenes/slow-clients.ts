/**
 * What honest clients notice of 2,000 slow ones at the shipped HAProxy: the 99th percentile of
 * reads and payment requests at a steady rate, alone and while heads and bodies are dripped,
 * responses read a byte at a time and connections held for nothing. When each kind is cut is for
 * `test/proxy/haproxy.test.ts` to prove.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Haproxy } from "../../testkit/haproxy.ts";
import { say } from "../../testkit/tool/say.ts";
import { failuresOf, honestClients, p99Of, type Sample } from "../support/honest-load.ts";
import { noteStolenMoments, QUIET_HOST, undisturbed, watch } from "../support/machine.ts";
import { round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { GATHERING_SECONDS, holdSlowSockets } from "../support/slow-sockets.ts";
import { behindProxy, type ProxiedStage } from "../support/stage.ts";

const OF_EACH_KIND = 500;
/** Between being cut and connecting again some are always away. */
const HELD_MIN = 1_800;
/** Until none of them is there any more. */
const SETTLING_MS = 1_000;
/** What is not counted when honest clients begin: the process that measures starts slowly. */
const START_MS = 1_000;

export const slowness: Scene = {
  name: "slow-clients",
  play: (stage, pace) => behindProxy(stage, "slow_clients", (own) => play(own, pace)),
};

async function play(stage: ProxiedStage, pace: Pace): Promise<Outcome> {
  const { proxy, service } = stage;
  // Alone for as long as beside them, in two halves: what the machine does by itself now and then
  // has to have its chance in both.
  const seconds = pace.isQuick ? { idle: 4, attacked: 8 } : { idle: 17, attacked: 34 };
  const honest = await honestClients(stage, proxy.url);
  await honest(pace.warmUpSeconds);
  const moments = noteStolenMoments();
  const before = await honest(seconds.idle);
  const attack = holdSlowSockets({
    url: proxy.url,
    seconds: GATHERING_SECONDS + seconds.attacked + 1,
    ofEachKind: OF_EACH_KIND,
    largePath: "/openapi.json",
  });
  await sleep(GATHERING_SECONDS * 1_000);
  const seen = await watch(service.pid, () => honest(seconds.attacked));
  const held = await connectionsOf(proxy);
  const cuts = await attack;
  await sleep(SETTLING_MS);
  const after = await honest(seconds.idle);
  const isOurs = moments.stop();
  const idle = undisturbed([...withoutStart(before), ...withoutStart(after)], isOurs);
  const attacked = undisturbed(withoutStart(seen.result), isOurs);
  const all = { idle: [...before, ...after], attacked: seen.result };
  const figures = {
    idleP99Ms: p99Of(idle.samples),
    attackedP99Ms: p99Of(attacked.samples),
    counted: { idle: idle.samples.length, attacked: attacked.samples.length },
    p99MsOfAll: { idle: p99Of(all.idle), attacked: p99Of(all.attacked) },
    failures: failuresOf([...all.idle, ...all.attacked]),
    residentMbMax: seen.residentMbMax,
    held,
    cuts,
  };
  const { idleP99Ms, attackedP99Ms, counted } = figures;
  const both = `${round(idleP99Ms)} and ${round(attackedP99Ms)} ms`;
  say(`p99 of honest clients, alone and beside ${held} slow ones: ${both}`);
  say(`of ${counted.idle} and ${counted.attacked} requests while the host left us our processors`);
  const beside = "beside 2,000 slow clients";
  const timesIdle = attackedP99Ms / idleP99Ms;
  const { failures, residentMbMax } = figures;
  return {
    figures,
    goals: [
      { what: `p99 ${beside}`, measured: timesIdle, unit: "× idle", goal: { below: 2 } },
      { what: `failures ${beside}`, measured: failures, unit: "", goal: { below: 1 } },
      { what: `memory ${beside}`, measured: residentMbMax, unit: "MB", goal: { below: 400 } },
      { what: "slow clients held", measured: held, unit: "", goal: { atLeast: HELD_MIN } },
    ],
    ...(idle.isEnough && attacked.isEnough ? {} : { missing: QUIET_HOST }),
  };
}

async function connectionsOf(proxy: Haproxy): Promise<number> {
  return Number(/^CurrConns: (\d+)$/m.exec(await proxy.command("show info"))?.[1]);
}

function withoutStart(samples: readonly Sample[]): Sample[] {
  const beganAt = Math.min(...samples.map(({ at }) => at));
  return samples.filter(({ at }) => at >= beganAt + START_MS);
}
