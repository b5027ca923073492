/**
 * Seals stored cards with the current wrapping key, while the service runs (Decisions 0031, 0044).
 * Each batch is a tx of its own, signed like every deed, so that it can be stopped and begun again.
 */

import { countOldCards, reencryptCards as reencrypt } from "../trusted-cards/reencrypt-cards.ts";
import { defineAction } from "./command.ts";

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

const said = (done: number) => `${done} cards are sealed with the current key.`;

export const reencryptCards = defineAction({
  name: "reencrypt-cards",
  about: "seal stored cards with the current wrapping key",
  more:
    "After the new key leads WRAPPING_KEYS on every process. The old one stays on the ring: bank " +
    "details, withdrawals and bank files stay sealed with it. Progress goes to standard error. " +
    "Cards that do not open are named in the log, and the exit code is 1.",
  fields: {},
  example: {
    given: "",
    shows: `${said(0)}
Audit entry 12.`,
  },
  async run(ctx, _input, act) {
    const all = await countOldCards(ctx);
    let [done, failed] = [0, 0];
    for (let after = BEFORE_ALL; ; ) {
      const { done: batch, ...report } = await act(async (tx) => {
        const made = await reencrypt(ctx, tx, after);
        const detail = { count: made.done, failed: made.failed };
        const data = { done: done + made.done, failed: failed + made.failed };
        const trouble = data.failed === 0 ? "" : ` ${data.failed} do not open: see the log.`;
        const text = `${said(data.done)}${trouble}`;
        return { entry: { action: "cards_reencrypted", detail }, data, text, made };
      });
      const { made } = batch;
      done += made.done;
      failed += made.failed;
      ctx.sayProgress(`${done + failed} of ${all} cards`);
      if (made.after === undefined) return { ...report, isBad: failed > 0 };
      after = made.after;
    }
  },
});
