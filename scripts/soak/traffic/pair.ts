/**
 * Two people at the operator's console: what moves much money is asked for by one and approved by
 * the other, each by forms that are sent until they are answered, and at times twice (Decision
 * 0119). What they let go are withdrawals that the sandbox's bank held.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { DEMO_OPERATORS, DEMO_PASSWORD, DEMO_TOTP_SECRET } from "../../../src/demo-world.ts";
import { cookieOf, hiddenOf } from "../../../testkit/console.ts";
import { fromBase32, totpCode } from "../../../testkit/totp.ts";
import { type Client, write } from "./client.ts";
import { askForWithdrawal } from "./money.ts";
import { say } from "./sandbox.ts";
import { keepCookies } from "./tab.ts";
import type { Answered, WireRequest } from "./wire.ts";

const REST_MS = 2_000;
/** Dollars of Trinidad and Tobago from which two are needed, and more. */
const MUCH = "6000";
const ACTIONS = "/operator/actions";
const APPROVAL = /\/operator\/approvals\/([0-9a-f-]{36})/g;

type Jar = Map<string, string>;

export interface Pair {
  /** Whose money it is; the two act by its wire and write into its diary. */
  readonly client: Client;
  readonly people: readonly Jar[];
}

/** In calm: a code of an authenticator is taken once, and by the clock that both have. */
export async function openPair(client: Client): Promise<Pair> {
  const people = DEMO_OPERATORS.map(() => new Map<string, string>());
  for (const [turn, email] of DEMO_OPERATORS.entries()) {
    const jar = people[turn] ?? new Map();
    const at = "/operator/sign-in";
    await sendFrom(client, jar, { at, form: { email, password: DEMO_PASSWORD } });
    const code = totpCode(fromBase32(DEMO_TOTP_SECRET));
    const answer = await sendFrom(client, jar, { at: `${at}/code`, form: { code } });
    if (answer?.status !== 303) throw new Error(`${email} could not sign in: ${answer?.status}`);
  }
  return { client, people };
}

export async function workAsPair(pair: Pair, isOver: () => boolean): Promise<void> {
  for (; !isOver(); await sleep(REST_MS)) await letGo(pair);
}

export async function letGo({ client, people }: Pair): Promise<void> {
  const { chance, diary } = client;
  const [asks, approves] = chance.percent(50) ? people : people.toReversed();
  const id = await askForWithdrawal(client, { dollars: MUCH, cents: "00" });
  if (id === undefined || asks === undefined || approves === undefined) return;
  const held = await say(client, `/sandbox/withdrawals/${id}/simulate`, "hold");
  if (held?.status !== "held") return;
  const told = { isAsked: false, isApproved: false };
  diary.letGo.set(id, told);
  const asked = await act(client, asks, "release-withdrawal", { transaction_id: id });
  told.isAsked = asked?.status === 303;
  const approval = await approvalOf(client, approves, id);
  if (approval === undefined) return;
  // Nobody approves their own.
  const own = await act(client, asks, "approve", { approval_id: approval });
  if (own?.status === 303) diary.complain("approvals", `${id} was approved by who asked for it`);
  const given = await act(client, approves, "approve", { approval_id: approval });
  told.isApproved = given?.status === 303;
}

/** The request about this record, as the list and its pages show it. */
async function approvalOf(client: Client, jar: Jar, id: string): Promise<string | undefined> {
  const list = await read(client, jar, "/operator/approvals");
  for (const [path, approval] of list?.text.matchAll(APPROVAL) ?? []) {
    const page = await read(client, jar, path);
    if (page?.text.includes(id)) return approval;
  }
  return undefined;
}

async function act(
  client: Client,
  jar: Jar,
  command: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answered | undefined> {
  const at = `${ACTIONS}/${command}`;
  const form = { ...fields, why: "ticket 4711" };
  return sendFrom(client, jar, { at, form, query: `?${new URLSearchParams(fields)}` });
}

/** A page's form, filled in; sent again after a lost answer, and at times after one that came. */
async function sendFrom(
  client: Client,
  jar: Jar,
  { at, form, query = "" }: { at: string; form: Record<string, string>; query?: string },
): Promise<Answered | undefined> {
  const page = await read(client, jar, at + query);
  if (page?.status !== 200) return page;
  const whole: Readonly<Record<string, string>> = { ...hiddenOf(page), ...form };
  const asked: WireRequest = { method: "POST", path: at, form: whole, isFromPage: true };
  const send = () => write(client, "operator's form", { ...asked, cookie: cookieOf(jar) });
  const { answer } = await send();
  if (answer !== undefined) keepCookies(jar, answer);
  if (answer?.status === 303 && whole.form_key !== undefined && client.chance.percent(40))
    await send();
  return answer;
}

async function read(client: Client, jar: Jar, path: string): Promise<Answered | undefined> {
  const asked: WireRequest = { method: "GET", path, cookie: cookieOf(jar) };
  const { answer } = await client.wire.insist(asked);
  client.diary.reads.count += 1;
  if (answer !== undefined) keepCookies(jar, answer);
  return answer;
}
