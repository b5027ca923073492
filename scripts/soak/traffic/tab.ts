/**
 * A client's browser in the console: signs in by the form, keeps its cookies, sends the forms of
 * pages with what they hide. A form that was not answered is sent again as it was, sometimes also
 * one that was: it leads to the same place.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { cookieOf, hiddenOf, setCookies } from "../../../testkit/console.ts";
import { type Client, write } from "./client.ts";
import type { Answered, Outcome, WireRequest } from "./wire.ts";

/** A sign-in proves who it is for five minutes; a page that wants more asks for the password. */
const PROVEN_MS = 240_000;
const SIGN_IN = "/sign-in";
const PROVE = "/console/prove";
const AGAIN_MS_MAX = 400;
const LONG_AGO = Number.NEGATIVE_INFINITY;

export type Form = Readonly<Record<string, string>>;

export interface Tab {
  readonly jar: Map<string, string>;
  /** By `performance.now()`; 0 when nobody is signed in. */
  provenAt: number;
}

/** Undefined: nobody could sign in now, or no answer came. */
export async function openPage(client: Client, path: string): Promise<Answered | undefined> {
  if (!(await isSignedIn(client))) return undefined;
  const { answer } = await ask(client, { method: "GET", path });
  if (answer === undefined || isLost(client, answer, path)) return undefined;
  const to = String(answer.headers.location ?? "");
  // A clock step makes proofs old: the next page is asked for after a new one.
  if (answer.status === 303 && to.startsWith(PROVE)) client.tab.provenAt = LONG_AGO;
  return answer;
}

/** The form of a page, filled in; its answer, after as many tries as it took. */
export async function sendForm(
  client: Client,
  kind: string,
  { from, to = from, form }: { from: string; to?: string; form: Form },
): Promise<Outcome> {
  const page = await openPage(client, from);
  if (page?.status !== 200) return { answer: page, unsure: 0 };
  const whole = { ...hiddenOf(page), ...form };
  const asked: WireRequest = { method: "POST", path: to, form: whole, isFromPage: true };
  const outcome = await ask(client, asked, kind);
  const { answer } = outcome;
  if (answer === undefined || isLost(client, answer, to)) return { ...outcome, answer: undefined };
  if (answer.status === 303 && whole.idempotency_key !== undefined && client.chance.percent(30))
    await sendAgain(client, asked, String(answer.headers.location));
  return outcome;
}

/** As by somebody who goes back in the browser and clicks once more. */
async function sendAgain(client: Client, asked: WireRequest, place: string): Promise<void> {
  await sleep(client.chance.between(0, AGAIN_MS_MAX));
  const { answer } = await ask(client, asked);
  if (answer === undefined) return;
  client.diary.try("forms of the console sent twice");
  if (answer.status !== 303 || answer.headers.location !== place)
    client.diary.complain(
      "console",
      `${asked.path} led to ${place}, and then to ${answer.status} ${answer.headers.location}`,
    );
}

/** Ends the session; the cookie that opened it must open nothing any more. */
export async function signOut(client: Client): Promise<void> {
  const { diary, tab, wire } = client;
  if (tab.provenAt === 0) return;
  const cookie = cookieOf(tab.jar);
  const outcome = await sendForm(client, "signed out of the console", {
    from: "/console/me",
    to: "/console/sign-out",
    form: {},
  });
  const isOut = String(outcome.answer?.headers.location ?? "").startsWith(SIGN_IN);
  forget(tab);
  if (!isOut) return;
  for (let slot = 0; slot < wire.slots; slot++) {
    const answer = await wire.send({ method: "GET", path: "/console", cookie }, slot);
    if (answer === undefined || answer.status === 503) continue;
    diary.try("uses of dead credentials");
    if (answer.status !== 303) diary.complain("dead credentials", `a cookie: ${answer.status}`);
  }
}

async function isSignedIn(client: Client): Promise<boolean> {
  const { tab, me } = client;
  const { email, password } = me;
  const wasSignedIn = tab.provenAt !== 0;
  if (wasSignedIn && performance.now() - tab.provenAt < PROVEN_MS) return true;
  const place = wasSignedIn ? PROVE : SIGN_IN;
  const page = (await ask(client, { method: "GET", path: place })).answer;
  if (page?.status !== 200) return wasSignedIn;
  const form = { ...hiddenOf(page), email, password };
  const asked: WireRequest = { method: "POST", path: place, form, isFromPage: true };
  const { answer } = await ask(client, asked, "signed in to the console");
  // 429: faults leave guesses that nobody judged, which count until their window is over.
  if (answer !== undefined && answer.status !== 303 && answer.status !== 429)
    client.diary.complain("console", `a right password was answered ${answer.status}`);
  if (answer?.status !== 303 || isLost(client, answer, place)) return false;
  tab.provenAt = performance.now();
  return true;
}

async function ask(client: Client, asked: WireRequest, kind?: string): Promise<Outcome> {
  const { tab, diary, wire } = client;
  const whole = { ...asked, cookie: cookieOf(tab.jar) };
  const outcome = await (kind === undefined ? wire.insist(whole) : write(client, kind, whole));
  if (kind === undefined) diary.reads.count += 1;
  if (outcome.answer !== undefined) keepCookies(tab.jar, outcome.answer);
  for (const value of tab.jar.values()) diary.secrets.add(value);
  return outcome;
}

/** Nobody signed it out, so it must not be led to the sign-in. */
function isLost(client: Client, answer: Answered, path: string): boolean {
  const to = String(answer.headers.location ?? "");
  if (answer.status !== 303 || !to.startsWith(SIGN_IN) || path.endsWith("/sign-out")) return false;
  client.diary.complain("console", `${path} led to the sign-in, though the session is alive`);
  forget(client.tab);
  return true;
}

/** The browser is known again: its own cookie stays. */
function forget(tab: Tab): void {
  tab.provenAt = 0;
  tab.jar.delete("windward");
}

export function keepCookies(jar: Map<string, string>, { headers }: Answered): void {
  const lines = headers["set-cookie"] ?? [];
  setCookies(jar, typeof lines === "string" ? [lines] : lines);
}
