/**
 * The merchants of the run: made before the weather begins, with money and bank details, then
 * signed in and given keys and endpoints through the API as anybody.
 */

import { DEMO_PASSWORD } from "../../src/demo-world.ts";
import { readConfig } from "../../src/infra/config.ts";
import type { Database } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { readFields } from "../../src/kit/fields/field.ts";
import { createAccount } from "../../src/modules/accounts/create-account.ts";
import { createPasswords } from "../../src/modules/accounts/passwords.ts";
import { foreignBank } from "../../src/modules/user/foreign-bank.ts";
import { localBank } from "../../src/modules/user/local-bank.ts";
import { insertBank } from "../../src/modules/user/write-bank.ts";
import { FOREIGN_BANK, JM_BANK, TT_BANK } from "../../testkit/banks.ts";
import { fund } from "../../testkit/books.ts";
import type { Fleet } from "./receivers.ts";
import type { AnswerWatch } from "./traffic/answer-watch.ts";
import type { Merchant } from "./traffic/client.ts";
import type { Diary } from "./traffic/diary.ts";
import type { Answered, Wire, WireRequest } from "./traffic/wire.ts";

const PASSWORD = "soak battery staple";
const FUNDS = "90000000.00";
const SCOPES =
  "svc-user-all svc-withdrawals-all svc-transactions-all svc-trusted-cards-all svc-links-all";
const MAIN_SCOPES = `${SCOPES} svc-accounts-all`;
const LOCAL_BANKS = { TT: TT_BANK, JM: JM_BANK };
/** Not every event: a merchant's endpoint has a pace of its own, and the feed has them all. */
const EVENTS = ["payment.success", "payment.refunded", "withdrawal.completed", "webhook.test"];

type Blank = Omit<Merchant, "token" | "key" | "kid" | "endpointId">;

export async function makeMerchants(
  db: Database,
  count: number,
  config = readConfig({ PASSWORD_HASHING: "floor" }),
): Promise<Blank[]> {
  const passwords = createPasswords(config.passwords, createLog({ level: "silent" }));
  const password = await passwords.digest(PASSWORD);
  const made: Blank[] = [];
  for (let turn = 0; turn < count; turn++) {
    const countryCode = turn % 3 === 2 ? "JM" : "TT";
    const currency = countryCode === "TT" ? "TTD" : "JMD";
    const email = `soak-${turn + 1}@example.com`;
    const accountNumber = await db.transaction(async (tx) => {
      const number = await createAccount(tx, {
        accountType: "BUSINESS",
        countryCode,
        email,
        firstName: "Soak",
        lastName: `merchant ${turn + 1}`,
        // Only a main merchant pays others.
        isMainMerchant: countryCode === "TT",
        isVerified: true,
        password,
      });
      const account = { accountNumber: number, countryCode } as const;
      const local = readFields(localBank.fields, LOCAL_BANKS[countryCode]);
      await insertBank({ config }, tx, account, localBank, local);
      const foreign = readFields(foreignBank.fields, FOREIGN_BANK);
      await insertBank({ config }, tx, account, foreignBank, foreign);
      return number;
    });
    await fund(db, accountNumber, `${FUNDS} ${currency}`, "sandbox");
    made.push({ accountNumber, email, password: PASSWORD, countryCode, currency });
  }
  return made;
}

interface Ways {
  readonly wire: Wire;
  readonly diary: Diary;
  readonly fleet: Fleet;
  readonly watch: AnswerWatch;
}

export async function settleIn(blank: Blank, turn: number, ways: Ways): Promise<Merchant> {
  const { wire, diary, fleet, watch } = ways;
  const say = (asked: WireRequest) => answerTo(wire, asked);
  const token = await signIn(ways, blank, SCOPES);
  const keyFields = { environment: "sandbox", scopes: SCOPES, name: "first" };
  const made = await say({ method: "POST", path: "/auth/keys", json: keyFields, token });
  const station = fleet.open(blank.accountNumber, turn);
  const json = { url: station.url, environment: "sandbox", events: EVENTS, description: "first" };
  const endpoint = await say({ method: "POST", path: "/webhooks", json, token });
  station.secret = endpoint.data.secret;
  diary.secrets.add(made.data.key).add(blank.password).add(endpoint.data.secret);
  const { kid, key } = made.data;
  watch.alive.add(key);
  watch.owners.set(key, blank.accountNumber);
  return { ...blank, token, key, kid, endpointId: endpoint.data.id };
}

type Door = Pick<Ways, "wire" | "watch">;

/** The main merchant of the demo world, which may open accounts. */
export async function signInMainMerchant(door: Door): Promise<Merchant> {
  const who = {
    email: "merchant@example.com",
    password: DEMO_PASSWORD,
    accountNumber: "1234567890",
  };
  return {
    ...who,
    countryCode: "TT",
    currency: "TTD",
    token: await signIn(door, who, MAIN_SCOPES),
    key: "",
    kid: "",
    endpointId: "",
  };
}

/** Once the clock has been moved, the sign-ins of the beginning may be over (after 12 hours). */
export async function signInAnew(door: Door, main: Merchant, others: readonly Merchant[]) {
  const again = async (me: Merchant, scopes: string) => {
    door.watch.alive.delete(me.token);
    me.token = await signIn(door, me, scopes);
  };
  await again(main, MAIN_SCOPES);
  await Promise.all(others.map((me) => again(me, SCOPES)));
}

export async function signIn(
  { wire, watch }: Door,
  { email, password, accountNumber }: Pick<Merchant, "email" | "password" | "accountNumber">,
  scopes: string,
): Promise<string> {
  const form = { email, password, scopes };
  const { access_token: token } = await answerTo(wire, {
    method: "POST",
    path: "/auth/tokens",
    form,
  });
  watch.alive.add(token);
  watch.owners.set(token, accountNumber);
  return token;
}

async function answerTo(wire: Wire, asked: WireRequest): Promise<Answered["body"]> {
  const { answer } = await wire.insist(asked);
  if (answer?.body === undefined || answer.status >= 300)
    throw new Error(`${asked.method} ${asked.path} answered ${answer?.status} ${answer?.text}`);
  return answer.body;
}
