/**
 * Seals stored cards with the current wrapping key, while the service runs (Decisions 0031, 0044).
 * Each batch is a tx of its own, signed like every action, so that it can be stopped and resumed.
 */

import {
  findOldCards,
  type Place,
  reencryptCards as reencrypt,
  rewrapFingerprintKeys,
} from "../../trusted-cards/reencrypt-cards.ts";
import { cardAlarm, fingerprintAlarm, raiseAlarm } from "../../trusted-cards/vault-alarm.ts";
import { defineAction } from "../command.ts";

const sealed = (done: number) => `${done} cards are sealed with the current key.`;

export const reencryptCards = defineAction({
  name: "reencrypt-cards",
  right: { terminalOnly: "It runs for as long as there are cards, and is watched." },
  about: "seal stored cards with the current wrapping key",
  more:
    "After the new key leads WRAPPING_KEYS on every process. The old one stays on the ring: bank " +
    "details, withdrawals and bank files stay sealed with it. Progress goes to standard error. " +
    "Cards that do not open are named in the log, and the exit code is 1.",
  fields: {},
  example: { given: "", shows: sealed(0), entry: 12 },
  async run(ctx, _input, act) {
    const { count, ...begin } = await findOldCards(ctx);
    const closedKeys = await rewrapFingerprintKeys(ctx);
    for (const accountNumber of closedKeys) await raiseAlarm(ctx, fingerprintAlarm(accountNumber));
    let [done, failed] = [0, 0];
    for (let place: Place = begin; ; ) {
      const { done: batch, ...report } = await act(async (tx) => {
        const made = await reencrypt(ctx, tx, place);
        const detail = { count: made.done, failed: made.unopened.length };
        const failedSoFar = closedKeys.length + failed + made.unopened.length;
        const data = { done: done + made.done, failed: failedSoFar };
        const trouble = data.failed === 0 ? "" : ` ${data.failed} do not open: see the log.`;
        const text = `${sealed(data.done)}${trouble}`;
        return { entry: { action: "cards_reencrypted", detail }, data, text, made };
      });
      const { made } = batch;
      for (const row of made.unopened) await raiseAlarm(ctx, cardAlarm(row));
      done += made.done;
      failed += made.unopened.length;
      ctx.sayProgress(`${done + failed} of ${count} cards`);
      if (made.next === undefined) return { ...report, isBad: failed + closedKeys.length > 0 };
      place = made.next;
    }
  },
});
