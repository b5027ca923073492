/**
 * Merchants at work in the console: they read, give money back, withdraw, make links and keys and
 * end them, change their business. What a form did is told by where its answer leads.
 */

import { aliveKey, expectDead } from "./access.ts";
import { type Client, expectStatus } from "./client.ts";
import { linkOf, ON } from "./links.ts";
import { type Form, openPage, sendForm, signOut } from "./tab.ts";

const CONSOLE = "/console";
const PAGES = [
  ...["", "/payments", "/payments.csv", "/balance", "/withdrawals", "/links", "/cards", "/me"],
  ...["/developers/keys", "/developers/webhooks", "/developers/events", "/developers/requests"],
  ...["/settings/business", "/settings/members", "/settings/notifications"],
].map((page) => CONSOLE + page);
const KEYS = `${CONSOLE}/developers/keys`;
const LINKS = `${CONSOLE}/links`;
const WITHDRAWALS = `${CONSOLE}/withdrawals`;
const BUSINESS = `${CONSOLE}/settings/business`;
const KEY = /svc_test_[0-9a-f]{18}_[0-9a-f]{64}/;
const AMOUNT = "600.00";

export const businessOf = ({ me }: Pick<Client, "me">) => `business of ${me.accountNumber}`;

export async function useConsole(client: Client): Promise<unknown> {
  const does = { look: 40, refund: 18, withdraw: 14, link: 4, key: 8, business: 14, leave: 2 };
  switch (client.chance.weigh(does)) {
    case "look":
      return look(client);
    case "refund":
      return refund(client);
    case "withdraw":
      return withdraw(client);
    case "link":
      return makeLink(client);
    case "key":
      return makeKey(client);
    case "business":
      return nameBusiness(client);
    case "leave":
      return signOut(client);
  }
}

async function look(client: Client): Promise<void> {
  const { chance, diary, paid } = client;
  const own = paid.filter(({ environment }) => environment === "sandbox");
  const one = own.length > 0 ? [`${CONSOLE}/payments/${chance.pick(own).id}`] : [];
  const path = chance.pick([...PAGES, ...one]);
  const page = await openPage(client, path);
  if (page === undefined) return;
  diary.try("pages of the console");
  expectStatus(client, { method: "GET", path }, { answer: page, unsure: 0 }, [200]);
}

/** The id in the place that an accepted form leads to; undefined when it was not. */
async function act(
  client: Client,
  kind: string,
  { from, form, word }: { from: string; form: Form; word: string },
): Promise<string | undefined> {
  client.diary.onceOnly.add(word);
  const outcome = await sendForm(client, kind, { from, form });
  expectStatus(client, { method: "POST", path: from }, outcome, [303, 409, 422]);
  const { answer } = outcome;
  const [, id] = /\/([\w-]+)\?done=/.exec(String(answer?.headers.location ?? "")) ?? [];
  if (answer?.status === 303 && id !== undefined) client.diary.try("forms of the console");
  return answer?.status === 303 ? id : undefined;
}

export async function refund(client: Client): Promise<void> {
  const { chance, diary } = client;
  const isFit = ({ left, environment }: (typeof client.paid)[number]) =>
    left >= 10 && environment === "sandbox";
  const payment = client.paid.find(isFit);
  if (payment === undefined) return look(client);
  const word = client.word();
  const whole = chance.between(1, 10);
  const form = { amount: `${whole}.00`, reason: word };
  const from = `${CONSOLE}/payments/${payment.id}/refund`;
  payment.left -= whole + 1;
  const id = await act(client, "console: refund", { from, form, word });
  if (id !== undefined)
    diary.formRefunds.set(word, { transactionId: payment.id, amount: form.amount });
}

export async function withdraw(client: Client): Promise<void> {
  const { chance, diary, me } = client;
  const word = client.word();
  const amount = `${chance.between(500, 900)}.00`;
  const form = { amount, currency: me.currency, data: word };
  const from = `${WITHDRAWALS}/new`;
  const id = await act(client, "console: withdrawal", { from, form, word });
  if (id === undefined) return;
  diary.addWithdrawal(id, { accountNumber: me.accountNumber, data: word });
  if (!chance.percent(30)) return;
  const one = `${WITHDRAWALS}/${id}`;
  const outcome = await sendForm(client, "console: withdrawal cancelled", {
    ...{ from: one, to: `${one}/cancel`, form: {} },
  });
  const told = diary.withdrawals.get(id);
  if (String(outcome.answer?.headers.location).endsWith("done=cancelled") && told !== undefined)
    told.isCancelled = true;
}

async function makeLink(client: Client): Promise<void> {
  const { diary, me } = client;
  const word = client.word();
  const form = {
    ...{ title: word, currency: me.currency, amount: AMOUNT, fee_structure: "customer_pay" },
    reference_label: "Your name",
  };
  const id = await act(client, "console: link made", { from: `${LINKS}/new`, form, word });
  if (id === undefined) return;
  const page = await openPage(client, `${LINKS}/${id}`);
  const [path] = /\/pay\/[2-9a-z]{14}/.exec(page?.text ?? "") ?? [];
  if (path === undefined) return;
  const told = { environment: "sandbox", amount: AMOUNT, slots: undefined } as const;
  diary.links.set(id, { id, path, owner: client.name, ...told });
  diary.register(linkOf(id), ON);
}

async function makeKey(client: Client): Promise<void> {
  const { diary } = client;
  const word = client.word();
  diary.onceOnly.add(word);
  const from = `${KEYS}/new`;
  const form = { name: word, "svc-user-retrieve": "yes" };
  const outcome = await sendForm(client, "console: key made", { from, form });
  expectStatus(client, { method: "POST", path: from }, outcome, [200, 303, 409]);
  // Sent again after a lost answer it leads to the key's page, and nobody saw the key.
  const [key] = KEY.exec(outcome.answer?.text ?? "") ?? [];
  if (key === undefined) return;
  diary.try("forms of the console");
  diary.secrets.add(key);
  const alive = await aliveKey(client, key);
  const one = `${KEYS}/${key.split("_")[2]}`;
  const revoked = await sendForm(client, "console: key revoked", {
    ...{ from: one, to: `${one}/revoke`, form: {} },
  });
  const isDead = String(revoked.answer?.headers.location).endsWith("done=key_revoked");
  if (isDead && alive !== undefined) await expectDead(client, alive, "a key revoked by a form");
}

async function nameBusiness(client: Client): Promise<void> {
  if (!client.isFirst) return look(client);
  const name = client.word();
  const form = { business_name: name };
  const outcome = await sendForm(client, "console: business named", { from: BUSINESS, form });
  expectStatus(client, { method: "POST", path: BUSINESS }, outcome, [303]);
  const isTold = String(outcome.answer?.headers.location).endsWith("done=saved");
  client.diary
    .register(businessOf(client), "nothing")
    .sent(name, { isTold, unsure: outcome.unsure });
}
