/**
 * Authenticated reads beside a bare Fastify route that sends the same JSON: how much of the speed
 * of the framework is left once who calls is asked of the database and every request is counted.
 *
 * The contenders take turns within each round, so that a slow minute of the machine slows all.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { demoSignIn } from "../../test/support/ask.ts";
import { type Burst, type BurstResult, fire } from "../support/autocannon.ts";
import { watch } from "../support/machine.ts";
import { median, round, say } from "../support/report.ts";
import type { Stage } from "../support/stage.ts";

const BARE_FASTIFY = fileURLToPath(new URL("../peers/bare-fastify.ts", import.meta.url));
const CONNECTIONS = 64;
/** Hashing passwords is held to two at a time; more clients would only meet the full queue. */
const SIGN_IN_CONNECTIONS = 8;

export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Long enough for the compiler to have seen what is hot. */
  readonly warmUpSeconds: number;
}

interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly burst: Omit<Burst, "seconds">;
}

export interface Figures extends BurstResult {
  readonly name: string;
  /** Beside the bare route of the same round. */
  readonly timesBare: number;
  readonly residentMbMax: number;
  readonly cpuMicrosPerRequest: number;
}

export async function authenticatedRead(stage: Stage, pace: Pace): Promise<Figures[]> {
  const { body, bare, address } = await startBare(stage);
  try {
    const contenders = contendersOf(stage, { pid: bare.pid ?? 0, address });
    await expectSameBytes(address, body);
    for (const { name, burst } of contenders) {
      say(`warming up: ${name}`);
      await fire({ ...burst, seconds: pace.warmUpSeconds });
    }
    const measured = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]));
    for (let turn = 1; turn <= pace.rounds; turn++) {
      let barePerSecond: number | undefined;
      for (const contender of contenders) {
        const seen = await measure(contender, pace.seconds);
        barePerSecond ??= seen.perSecond;
        const timesBare = seen.perSecond / barePerSecond;
        measured.get(contender.name)?.push({ ...seen, timesBare });
        say(`round ${turn} of ${pace.rounds}: ${contender.name} ${round(seen.perSecond)}/s`);
      }
    }
    return [...measured.values()].map(middle);
  } finally {
    bare.kill();
  }
}

async function startBare(stage: Stage): Promise<{
  body: string;
  bare: ChildProcess;
  address: string;
}> {
  const { text: body } = await stage.service.ask("/auth/whoami", { token: stage.token });
  const bare = spawn(process.execPath, [BARE_FASTIFY, body], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ address }] = await once(bare, "message");
  return { body, bare, address };
}

async function expectSameBytes(address: string, body: string): Promise<void> {
  const answer = await fetch(`${address}/auth/whoami`);
  if ((await answer.text()) !== body) throw new Error("the bare route sends other bytes");
}

function contendersOf(stage: Stage, bare: { pid: number; address: string }): Contender[] {
  const { pid, url } = stage.service;
  const bearer = { headers: { authorization: `Bearer ${stage.token}` } };
  const read = { url: `${url}/auth/whoami`, connections: CONNECTIONS };
  return [
    {
      name: "bare Fastify",
      pid: bare.pid,
      // The same request, down to the header that nobody reads there.
      burst: { ...read, ...bearer, url: `${bare.address}/auth/whoami` },
    },
    {
      name: "whoami, bearer token",
      pid,
      burst: { ...read, ...bearer },
    },
    { name: "whoami, API key", pid, burst: { ...read, headers: { "x-svc-key": stage.key } } },
    {
      name: "sign-in",
      pid,
      burst: {
        url: `${url}/auth/tokens`,
        connections: SIGN_IN_CONNECTIONS,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(demoSignIn().json),
      },
    },
  ];
}

async function measure(
  { name, pid, burst }: Contender,
  seconds: number,
): Promise<Omit<Figures, "timesBare">> {
  const seen = await watch(pid, () => fire({ ...burst, seconds }));
  const requests = seen.result.perSecond * seconds;
  return {
    name,
    ...seen.result,
    residentMbMax: seen.residentMbMax,
    cpuMicrosPerRequest: (seen.cpuSeconds / requests) * 1e6,
  };
}

/** The median of each figure over the rounds; of failures and memory the most. */
function middle(rounds: readonly Figures[]): Figures {
  const of = (pick: (figures: Figures) => number) => rounds.map(pick);
  return {
    name: rounds[0]?.name ?? "",
    timesBare: median(of((one) => one.timesBare)),
    perSecond: median(of((one) => one.perSecond)),
    p50Ms: median(of((one) => one.p50Ms)),
    p99Ms: median(of((one) => one.p99Ms)),
    cpuMicrosPerRequest: median(of((one) => one.cpuMicrosPerRequest)),
    failures: Math.max(...of((one) => one.failures)),
    residentMbMax: Math.max(...of((one) => one.residentMbMax)),
  };
}
