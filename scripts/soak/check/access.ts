/** Who may do what: nothing after a revocation, nothing of anybody else, nothing too often. */

import { PHONE_LIMIT } from "../settings.ts";
import type { WireRequest } from "../traffic/wire.ts";
import type { Check } from "./evidence.ts";

/** No request that began after a revocation was answered is accepted. */
export const deadCredentialsStayDead: Check = async ({ diary }) => ({
  looked: diary.tried.get("uses of dead credentials") ?? 0,
  wrong: diary.seenWrong.get("dead credentials") ?? [],
});

/** Nobody reads or is sent what belongs to another account or environment. */
export const nobodySeesWhatIsAnothers: Check = async ({ diary, fleet }) => {
  const wrong = [...(diary.seenWrong.get("foreign records") ?? [])];
  let received = 0;
  for (const { accountNumber, receiver } of fleet.stations)
    for (const { id, body } of receiver.received) {
      received += 1;
      const { meta } = JSON.parse(body);
      if (meta.account_number !== accountNumber || meta.environment !== "sandbox")
        wrong.push(`${id} of ${meta.account_number} was sent to ${accountNumber}`);
    }
  return { looked: received + (diary.tried.get("reads of what is another's") ?? 0), wrong };
};

const MINUTE_MS = 60_000;
const BURST = 32;

/**
 * A limit counts once for all processes. Windows are forgotten when PostgreSQL crashes (their
 * table is not logged, by choice) and moved by a clock step, so only stretches without either count
 * here; at the end, in calm, a burst over all processes meets the limit.
 */
export const limitsCountOnceForAll: Check = async ({ diary, weather, wire, merchants }) => {
  const wrong: string[] = [];
  let looked = 0;
  const breaks = weather.forgotten;
  const isWhole = (from: number, until: number) =>
    breaks.every((one) => one.until < from || one.from > until);
  for (const [account, changes] of diary.phoneChanges)
    for (const first of changes) {
      looked += 1;
      const within = changes.filter(
        ({ beganAt, endedAt }) => beganAt >= first.beganAt && endedAt < first.beganAt + MINUTE_MS,
      );
      const last = Math.max(...within.map(({ endedAt }) => endedAt));
      if (within.length > PHONE_LIMIT && isWhole(first.beganAt, last))
        wrong.push(`${account}: ${within.length} changes within a minute`);
    }
  const [me] = merchants;
  if (me === undefined) return { looked, wrong: ["there is no merchant"] };
  const json = { phone: me.countryCode === "TT" ? "+18686221234" : "+18769221234" };
  const asked: WireRequest = { method: "PATCH", path: "/user/phone", json, token: me.token };
  // Twice, where no answer came: the checks before this one take so long that kept connections
  // have been closed meanwhile.
  const ask = async (slot: number) =>
    (await wire.send(asked, slot)) ?? (await wire.send(asked, slot));
  const burst = Array.from({ length: BURST }, (_, turn) => ask(turn % wire.slots));
  const answers = await Promise.all(burst);
  const accepted = answers.filter((answer) => answer?.status === 200).length;
  if (accepted === 0 || accepted > PHONE_LIMIT)
    wrong.push(`${accepted} of a burst of ${BURST} were accepted`);
  for (const answer of answers)
    if (answer?.status !== 200 && answer?.status !== 429)
      wrong.push(`one of the burst was answered ${answer?.status} ${answer?.text}`);
  return { looked: looked + BURST, wrong };
};
