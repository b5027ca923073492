/**
 * Seals stored cards with the current wrapping key, while the service runs (Decisions 0031, 0044).
 * Each batch is a tx of its own, signed like every deed, so that it can be stopped and begun again.
 */

import {
  findOldCards,
  type Place,
  type Reencrypted,
  reencryptCards as reencrypt,
  rewrapFingerprintKeys,
} from "../trusted-cards/reencrypt-cards.ts";
import { cardAlarm, fingerprintAlarm, raiseAlarm } from "../trusted-cards/vault-alarm.ts";
import { defineAction } from "./command.ts";

const said = (done: number) => `${done} cards are sealed with the current key.`;

export const reencryptCards = defineAction({
  name: "reencrypt-cards",
  about: "seal stored cards with the current wrapping key",
  more:
    "After the new key leads WRAPPING_KEYS on every process, and before the old one is taken " +
    "out. Progress goes to standard error. Cards that do not open are named in the log, and the " +
    "exit code is 1.",
  fields: {},
  example: {
    given: "",
    shows: `${said(0)}
Audit entry 12.`,
  },
  async run(ctx, _input, act) {
    const { count, ...begin } = await findOldCards(ctx);
    const closedKeys = await rewrapFingerprintKeys(ctx);
    for (const accountNumber of closedKeys) await raiseAlarm(ctx, fingerprintAlarm(accountNumber));
    let [done, failed] = [0, 0];
    for (let place: Place = begin; ; ) {
      let batch: Reencrypted | undefined;
      const report = await act(async (tx) => {
        const made = await reencrypt(ctx, tx, place);
        batch = made;
        const detail = { count: made.done, failed: made.unopened.length };
        const failedSoFar = closedKeys.length + failed + made.unopened.length;
        const data = { done: done + made.done, failed: failedSoFar };
        const trouble = data.failed === 0 ? "" : ` ${data.failed} do not open: see the log.`;
        const text = `${said(data.done)}${trouble}`;
        return { entry: { action: "cards_reencrypted", detail }, data, text };
      });
      const { unopened = [], next } = batch ?? {};
      for (const row of unopened) await raiseAlarm(ctx, cardAlarm(row));
      done += batch?.done ?? 0;
      failed += unopened.length;
      ctx.sayProgress(`${done + failed} of ${count} cards`);
      if (next === undefined) return { ...report, isBad: failed + closedKeys.length > 0 };
      place = next;
    }
  },
});
