/**
 * What everybody else notices of an attack with pictures: the latency of an authenticated read at a
 * steady rate, while nothing else happens and while bombs are uploaded as fast as they are refused.
 */

import { say } from "../../scripts/tool/say.ts";
import { demoSignIn } from "../../test/support/ask.ts";
import { pictureForm, SLOW_SVG, useBomb } from "../../test/support/pictures.ts";
import { fire } from "../support/autocannon.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const READS_PER_SECOND = 200;
const CONNECTIONS = 8;
const ATTACKERS = ["merchant@", "merchant.jm@", "main.jm@", "merchant.bb@", "person@"];
const BOMBS = [SLOW_SVG, useBomb(10, 8)];

export const pictures: Scene = { name: "pictures", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const tokens = await Promise.all(ATTACKERS.map((name) => signIn(stage, `${name}example.com`)));
  const idle: number[] = [];
  const attacked: number[] = [];
  let bombsRefused = 0;
  for (let turn = 1; turn <= pace.rounds; turn++) {
    idle.push(await readP99(stage, pace.seconds));
    const attack = startAttack(stage, tokens);
    attacked.push(await readP99(stage, pace.seconds));
    bombsRefused += await attack.end();
    const figures = `${round(idle.at(-1) ?? 0)} and ${round(attacked.at(-1) ?? 0)} ms`;
    say(`round ${turn} of ${pace.rounds}: p99 of reads, idle and under attack, ${figures}`);
  }
  // Of each round, so that a slow minute of the machine slows both.
  const measured = median(attacked.map((ms, round) => ms / (idle[round] ?? Number.NaN)));
  const what = "p99 of reads while bombs are uploaded";
  return {
    figures: { idleP99Ms: median(idle), attackedP99Ms: median(attacked), bombsRefused },
    goals: [{ what, measured, unit: "× idle", goal: { below: 2 } }],
  };
}

async function signIn(stage: Stage, email: string): Promise<string> {
  const signedIn = await stage.service.ask("/auth/tokens", demoSignIn(email, "svc-user-create"));
  return signedIn.body.access_token;
}

async function readP99(stage: Stage, seconds: number): Promise<number> {
  const { p99Ms } = await fire({
    url: `${stage.service.url}/auth/whoami`,
    connections: CONNECTIONS,
    seconds,
    perSecond: READS_PER_SECOND,
    headers: { authorization: `Bearer ${stage.token}` },
  });
  return p99Ms;
}

function startAttack(stage: Stage, tokens: readonly string[]): { end(): Promise<number> } {
  let isOver = false;
  let refused = 0;
  const attackers = tokens.flatMap((token) => BOMBS.map((bomb) => ({ token, bomb })));
  const attacks = attackers.map(async ({ token, bomb }) => {
    while (!isOver) {
      const { raw } = pictureForm(bomb);
      const answer = await stage.service.ask("/user/picture", { method: "POST", token, raw });
      if (answer.status === 400) refused++;
      else if (answer.status !== 503) throw new Error(`a bomb was answered ${answer.status}`);
    }
  });
  return {
    async end() {
      isOver = true;
      await Promise.all(attacks);
      return refused;
    },
  };
}
