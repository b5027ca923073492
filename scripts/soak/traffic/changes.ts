/**
 * Things of which there is one, changed again and again: bank details, a key's name, an endpoint's
 * description, the picture, the phone. One client writes each, so it knows what must stand there.
 */

import { fixture } from "../../../testkit/pictures.ts";
import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

const PICTURES = ["baseline-libjpeg.jpg", "24-bit-imagemagick.bmp"];
const BOUNDARY = "----windward-soak";
export const NO_PICTURE = "none";
export const A_PICTURE = "a picture";

interface Change {
  nameOf(client: Client): string;
  asked(client: Client, value: string): Pick<WireRequest, "method" | "path" | "json">;
  readonly kind: string;
  /** The key is one of the sandbox, which changes nothing that live shares. */
  readonly isByTokenOnly?: true;
}

export const localBankOf = ({ me }: Pick<Client, "me">) => `local bank of ${me.accountNumber}`;
export const foreignBankOf = ({ me }: Pick<Client, "me">) => `foreign bank of ${me.accountNumber}`;
export const keyNameOf = ({ me }: Pick<Client, "me">) => `key ${me.kid}`;
export const endpointOf = ({ me }: Pick<Client, "me">) => `endpoint ${me.endpointId}`;
export const pictureOf = ({ me }: Pick<Client, "me">) => `picture of ${me.accountNumber}`;

const CHANGES: readonly Change[] = [
  {
    kind: "local bank changed",
    nameOf: localBankOf,
    isByTokenOnly: true,
    asked: (_, value) => ({
      method: "PATCH",
      path: "/user/banks/local",
      json: { name_in_bank: value },
    }),
  },
  {
    kind: "foreign bank changed",
    nameOf: foreignBankOf,
    isByTokenOnly: true,
    asked: (_, value) => ({
      method: "PATCH",
      path: "/user/banks/foreign",
      json: { beneficiary_name: value },
    }),
  },
  {
    kind: "key renamed",
    nameOf: keyNameOf,
    isByTokenOnly: true,
    asked: ({ me }, name) => ({ method: "PATCH", path: `/auth/keys/${me.kid}`, json: { name } }),
  },
  {
    kind: "endpoint described",
    nameOf: endpointOf,
    asked: ({ me }, description) => ({
      method: "PATCH",
      path: `/webhooks/${me.endpointId}`,
      json: { description },
    }),
  },
];

export async function changeSomething(client: Client): Promise<boolean> {
  if (!client.isFirst) return false;
  const { chance, diary, me } = client;
  const change = chance.pick(CHANGES);
  const value = client.word();
  const who = change.isByTokenOnly ? { token: me.token } : client.credential();
  const asked: WireRequest = { ...change.asked(client, value), ...who };
  const outcome = await write(client, change.kind, asked);
  expectStatus(client, asked, outcome, [200]);
  const isTold = outcome.answer?.status === 200;
  diary.register(change.nameOf(client), "").sent(value, { isTold, unsure: outcome.unsure });
  return true;
}

/** A picture is there or not; what a lost answer did is seen by the next one. */
export async function changePicture(client: Client): Promise<boolean> {
  if (!client.isFirst) return false;
  const { chance, diary, me } = client;
  const known = diary.register(pictureOf(client), NO_PICTURE);
  const isThere = known.told === A_PICTURE;
  const method = isThere ? chance.pick(["PATCH", "DELETE"] as const) : "POST";
  const raw = {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: formOf(chance.pick(PICTURES)),
  };
  const asked: WireRequest = {
    method,
    path: "/user/picture",
    token: me.token,
    ...(method === "DELETE" ? {} : { raw }),
  };
  const outcome = await write(client, `picture ${method}`, asked);
  expectStatus(client, asked, outcome, [200, 201, 400, 409]);
  const status = outcome.answer?.status ?? 0;
  const meant = method === "DELETE" ? NO_PICTURE : A_PICTURE;
  known.sent(meant, { isTold: status === 200 || status === 201, unsure: outcome.unsure });
  // Refused after a lost answer: the lost one had worked.
  if (status === 409 || (status === 400 && method === "DELETE"))
    known.sent(meant, { isTold: true, unsure: 1 });
  else if (status === 400) known.sent(NO_PICTURE, { isTold: true, unsure: 1 });
  return true;
}

function formOf(name: string): Buffer {
  const head =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="picture"; filename="${name}"\r\n` +
    "content-type: application/octet-stream\r\n\r\n";
  return Buffer.concat([Buffer.from(head), fixture(name), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** The one limit that is in the way here, so that it can be watched. */
export async function changePhone(client: Client): Promise<boolean> {
  const { me, chance, diary, wire } = client;
  const digits = String(chance.between(1_000, 9_999));
  const phone = me.countryCode === "TT" ? `+1868622${digits}` : `+1876922${digits}`;
  const asked: WireRequest = {
    method: "PATCH",
    path: "/user/phone",
    json: { phone },
    token: me.token,
  };
  const answer = await wire.send(asked);
  if (answer?.status !== 200) return answer?.status === 429;
  diary.acknowledge("phone changed");
  const changes = diary.phoneChanges.get(me.accountNumber) ?? [];
  changes.push({ beganAt: answer.beganAt, endedAt: answer.endedAt });
  diary.phoneChanges.set(me.accountNumber, changes);
  return true;
}
