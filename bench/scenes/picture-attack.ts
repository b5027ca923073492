/**
 * What honest clients notice of an attack with pictures: how long they wait at a steady rate, while
 * nothing else happens and while bombs are uploaded as fast as they are refused.
 */

import { demoSignIn } from "../../testkit/ask.ts";
import { pictureForm, SLOW_SVG, useBomb } from "../../testkit/pictures.ts";
import { say } from "../../testkit/tool/say.ts";
import {
  failuresOf,
  type HonestClients,
  honestClients,
  p99Of,
  type Sample,
} from "../support/honest-load.ts";
import { round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

/**
 * At a hundred a second, so many of a round's lengths make a 99th hundredth. Once, and not in
 * rounds: bombs that are under way take a quarter of a minute to be refused.
 */
const SAMPLES = 4;
const ATTACKERS = ["merchant@", "merchant.jm@", "main.jm@", "merchant.bb@", "person@"];
const BOMBS = [SLOW_SVG, useBomb(10, 8)];

export const pictures: Scene = { name: "pictures", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const tokens = await Promise.all(ATTACKERS.map((name) => signIn(stage, `${name}example.com`)));
  const honest = await honestClients(stage);
  await honest(pace.warmUpSeconds);
  const alone = await honest(pace.seconds * SAMPLES);
  const attack = startAttack(stage, tokens);
  const [attacked] = await Promise.all([during(honest, pace, attack), attack.lasting]);
  const bombsRefused = attack.refused();
  const failures = failuresOf([...alone, ...attacked]);
  const [idleP99Ms, attackedP99Ms] = [p99Of(alone), p99Of(attacked)];
  const both = `${round(idleP99Ms)} and ${round(attackedP99Ms)} ms`;
  say(`p99 of honest clients, alone and attacked, ${both}`);
  const measured = attackedP99Ms / idleP99Ms;
  const beside = "while bombs are uploaded";
  return {
    figures: { idleP99Ms, attackedP99Ms, bombsRefused, failures },
    goals: [
      { what: `p99 ${beside}`, measured, unit: "× idle", goal: { below: 2 } },
      { what: `failures ${beside}`, measured: failures, unit: "", goal: { below: 1 } },
    ],
  };
}

async function signIn(stage: Stage, email: string): Promise<string> {
  const signedIn = await stage.service.ask("/auth/tokens", demoSignIn(email, "svc-user-create"));
  if (signedIn.status !== 200) throw new Error(`a sign-in was answered ${signedIn.status}`);
  return signedIn.body.access_token;
}

/** Ends the attack, whatever happens. */
async function during(honest: HonestClients, { seconds }: Pace, attack: Attack): Promise<Sample[]> {
  try {
    return await honest(seconds * SAMPLES);
  } finally {
    attack.end();
  }
}

interface Attack {
  end(): void;
  /** Over when it was ended; rejects when a bomb was taken. */
  readonly lasting: Promise<unknown>;
  refused(): number;
}

function startAttack(stage: Stage, tokens: readonly string[]): Attack {
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
    end() {
      isOver = true;
    },
    lasting: Promise.all(attacks),
    refused: () => refused,
  };
}
