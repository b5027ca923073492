/** Secrets, pictures and answers. */

import { execFileSync } from "node:child_process";
import sharp from "sharp";
import { sql } from "../../../src/infra/db/query.ts";
import { A_PICTURE, NO_PICTURE, pictureOf } from "../traffic/changes.ts";
import { cardNumbers } from "../traffic/page.ts";
import type { Check } from "./evidence.ts";

/** Of each kind. */
const SECRETS_MAX = 3_000;
const SIDE = 200;

/**
 * No card number, password, token or key in any file of the database or any log; nor the token of a
 * payment page, which stands in answers alone.
 */
export const secretsAreNowhere: Check = async ({ diary, house, db }) => {
  await db.run(sql`checkpoint`);
  const newest = (known: ReadonlySet<string>) => [...known].slice(-SECRETS_MAX);
  const given = [diary.secrets, diary.checkoutTokens].flatMap(newest);
  const secrets = [...cardNumbers(), ...given];
  const said = house.words().join("\n");
  const logged = secrets.filter((one) => said.includes(one)).map((one) => `${one} is in a log`);
  const input = secrets.join("\n");
  const found = house.folders.flatMap((folder) => {
    const args = ["-rlaF", "-f", "-", folder];
    try {
      return execFileSync("grep", args, { input, encoding: "utf8" }).trim().split("\n");
    } catch (error) {
      // 1 is grep's way to say that there is none; anything else is no answer.
      const { status, stderr } = error as { status: number; stderr: string };
      return status === 1 ? [] : [`grep could not look: ${stderr}`];
    }
  });
  return { looked: secrets.length, wrong: [...logged, ...found.map((one) => `found in ${one}`)] };
};

/** A picture is there or not, as it was told, and is our own square. */
export const picturesAreWhole: Check = async ({ db, diary, merchants, wire }) => {
  const rows = await db.rows<{ account_number: string; picture_id: string; bytes: Buffer }>(sql`
    select account_number, picture_id, bytes from pictures`);
  const byOwner = new Map(rows.map((row) => [row.account_number, row]));
  const wrong: string[] = [];
  let looked = 0;
  for (const me of merchants) {
    const known = diary.registers.get(pictureOf({ me }));
    const row = byOwner.get(me.accountNumber);
    const state = row === undefined ? NO_PICTURE : A_PICTURE;
    if (known !== undefined || row !== undefined) looked += 1;
    if (known !== undefined && !known.allows(state))
      wrong.push(`${me.accountNumber} has ${state}, though ${known.told} was acknowledged`);
    if (row === undefined) continue;
    const { width, height } = await sharp(row.bytes).metadata();
    if (width !== SIDE || height !== SIDE) wrong.push(`a picture is ${width} × ${height}`);
    const path = `/pictures/${row.picture_id}`;
    const { answer } = await wire.insist({ method: "GET", path });
    if (answer?.status !== 200) wrong.push(`a picture is answered with ${answer?.status}`);
  }
  return { looked, wrong };
};

/** Every answer was one of the documented ones, and none blamed us for what clients sent. */
export const answersWereDocumented: Check = async ({ watch, diary }) => ({
  looked: watch.checked,
  wrong: [...watch.wrong, ...(diary.seenWrong.get("unexpected answers") ?? [])],
});
