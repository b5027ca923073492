/**
 * Random requests to pages, as a browser sends them: with the session of the person who asks, from
 * a page that led there, with that page's token and keys.
 */

import { appRoutes } from "../../src/app.ts";
import { ACTION_WORDS } from "../../src/operator-console/actions/action-words.ts";
import { forgetCodes } from "../second-factors.ts";
import type { RequestOptions, TestAnswer, TestService } from "../service.ts";
import {
  type Browser,
  type BrowserPerson,
  CONSOLE_PEOPLE,
  isBrowser,
  SESSION_PAGES,
} from "./browsers.ts";
import type { ReadyRequest } from "./cast.ts";
import { filledForm } from "./form-plans.ts";
import { createLedTo, type LedTo } from "./led-to.ts";
import type { PageForm } from "./page-forms.ts";
import type { FuzzRequest, Who } from "./requests.ts";
import { createSessions } from "./sessions.ts";

type Known = Readonly<Record<string, string>>;
type Body = Pick<RequestOptions, "form" | "raw">;

interface PageRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Absent: the request keeps its own. */
  readonly body?: Body;
}

interface PagesParts {
  readonly make: Record<BrowserPerson, () => Promise<Browser>>;
  readonly looksAround: boolean;
}

export interface Pages {
  ready(request: FuzzRequest, known: Known): Promise<PageRequest>;
  learn(request: Pick<FuzzRequest, "who">, sent: SentPage, answer: TestAnswer): void;
}

type SentPage = Pick<ReadyRequest, "path" | "method" | "headers">;

/** Keys of forms that are carried out once. */
const ONCE = ["idempotency_key", "form_key"];
const CSRF = "csrf_token";
const TOKEN = new RegExp(`name="${CSRF}" value="([^"]+)"`);
/** Actions that would end what all the others need are tried on an account of their own. */
const NEEDED_BY_ALL = /\/(?:freeze-account|end-credentials|set-limits|set-fees|main-merchant)$/;
/** A form that is still there stands on the page of the refusal as well. */
const GONE = [404, 409, 410];
const OPERATOR_SIGN_IN = "POST /operator/sign-in";
/** It lasts a minute. */
const STREAM = "/console/live";

export function createPages(service: TestService, { make, looksAround }: PagesParts): Pages {
  const { http } = service.ctx.config;
  const ledTo = createLedTo(appRoutes(service.ctx), [http.publicUrl, http.paymentsPublicUrl]);
  addActions(ledTo);
  /** Of each person's session, as its last page had it. */
  const tokens = new Map<string, string>();
  const sessions = createSessions({
    make,
    begin: (who, browser, { isNewcomer }) =>
      begin(service, { who, browser, ledTo, learn }, { looksAround, isNewcomer }),
    whenForgotten: (who) => void tokens.delete(who),
  });

  function learn({ who }: { readonly who: Who }, sent: SentPage, answer: TestAnswer): void {
    const { path, method, headers } = sent;
    const { status, text } = answer;
    const location = answer.headers.get("location") ?? "";
    if (isBrowser(who)) sessions.notePage(who, { path, location, cookie: headers?.cookie });
    if (location !== "") ledTo.addPath(who, location);
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (GONE.includes(status)) ledTo.forget(who, sent);
    if (!isPage && status >= 400) return;
    const [bare = ""] = path.split("?");
    ledTo.takeUp({ who, path: bare, text, isPage });
    const token = TOKEN.exec(text)?.[1];
    if (token !== undefined && method === "GET" && SESSION_PAGES.test(path)) tokens.set(who, token);
  }

  return {
    learn,
    async ready(request, known) {
      const { who, route, path, method, pick, form: plan, body } = request;
      const browser = isBrowser(who) ? await sessions.of(who) : undefined;
      const cookie = browser === undefined ? {} : { cookie: browser.cookie };
      const headers = isBrowser(who) ? { origin: service.url, ...cookie } : {};
      const [, place = ""] = route.split(" ");
      if (!path.startsWith(place)) return { headers, path };
      const form = method === "POST" ? ledTo.formOf(who, route, pick) : undefined;
      if (form === undefined || plan === undefined) {
        const at = placeOf(ledTo.pathOf(who, route.replace("POST ", "GET "), pick), request, known);
        const token = plan === undefined ? undefined : tokens.get(who);
        return {
          ...{ headers, path: path === place ? at : path.replace(place, bareOf(at)) },
          ...(token === undefined || method !== "POST" ? {} : withToken(body, token)),
        };
      }
      const code = browser?.code?.() ?? "000000";
      const asksForCode = form.controls.some(({ name }) => name === "code");
      if (browser?.code !== undefined && asksForCode) await forgetCodes(service);
      const token = SESSION_PAGES.test(form.action) ? tokens.get(who) : undefined;
      const values = { ...known, code, ...valuesOnlyOf(route, known) };
      const filled = filledForm(withFreshKeys(form, pick, token), plan, values);
      return {
        path: form.action,
        headers: { ...cookie, origin: service.url },
        body: sparing(form, filled, known),
      };
    },
  };
}

/** A form that no page has shown: of another page, it has the session's token. */
function withToken({ form, json, raw }: FuzzRequest["body"], token: string): { body?: Body } {
  if (json !== undefined || raw !== undefined) return {};
  const keys = Object.fromEntries(ONCE.map((name) => [name, crypto.randomUUID()]));
  return { body: { form: { ...form, ...keys, [CSRF]: token } } };
}

function valuesOnlyOf(route: string, { operator_email: email = "" }: Known): Known {
  return route === OPERATOR_SIGN_IN ? { email } : {};
}

/** Where pages have led to, or what is known of by itself. */
function placeOf(led: string | undefined, { route, pick }: FuzzRequest, known: Known): string {
  const own = named(route.replace(/^\S+ /, ""), known);
  return led === undefined || (pick % 4 === 1 && !own.includes("{")) ? own : led;
}

/** Records that the names in a console's path may mean; others are named by their places. */
function named(place: string, known: Known): string {
  if (!SESSION_PAGES.test(place)) return place;
  const withdrawal = place.includes("/withdrawals/") ? known.withdrawal_id : undefined;
  const event = place.includes("/events/") ? known.event_id : known.webhook_id;
  const values: Known = {
    ...known,
    id: event ?? "",
    ...(withdrawal && { transaction_id: withdrawal }),
  };
  return place.replace(/\{(\w+)\}/g, (all, name: string) => values[name] || all);
}

function bareOf(path: string): string {
  return path.split("?")[0] ?? "";
}

/** None of their pages needs a record to lead there. */
function addActions(ledTo: LedTo): void {
  for (const who of ["anAdmin", "aSecondAdmin", "anOperator"])
    for (const action of Object.keys(ACTION_WORDS))
      for (const kind of ["actions", "uploads"]) ledTo.addPath(who, `/operator/${kind}/${action}`);
}

interface Looking extends Pick<Pages, "learn"> {
  readonly who: BrowserPerson;
  readonly browser: Browser;
  readonly ledTo: LedTo;
}

async function begin(
  service: TestService,
  looking: Looking,
  { looksAround, isNewcomer }: { readonly looksAround: boolean; readonly isNewcomer: boolean },
): Promise<void> {
  if (looksAround) await (isNewcomer ? lookAround : openHome)(service, looking);
}

function homeOf(who: BrowserPerson): string {
  return CONSOLE_PEOPLE.some((one) => one === who) ? "/console" : "/operator";
}

/** A session's token stands on its pages. */
async function openHome(
  service: TestService,
  { who, browser: { cookie }, learn }: Looking,
): Promise<void> {
  const sent = { path: homeOf(who), method: "GET", headers: { cookie } };
  learn({ who }, sent, await service.request(sent.path, sent));
}

/** At one page of each route that pages lead to. */
async function lookAround(
  service: TestService,
  { who, browser: { cookie }, ledTo, learn }: Looking,
): Promise<void> {
  const seen = new Set<string>();
  ledTo.addPath(who, homeOf(who));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const [route, path] of ledTo.pathsOf(who)) {
      if (seen.has(route) || path.startsWith(STREAM)) continue;
      seen.add(route);
      isNew = true;
      const sent = { path, method: "GET", headers: { cookie } };
      learn({ who }, sent, await service.request(path, sent));
    }
  }
}

/** As the page has it now: with the token of the session, and mostly for the first time. */
function withFreshKeys(
  { controls, ...form }: PageForm,
  pick: number,
  token: string | undefined,
): PageForm {
  const fresh = (name: string): string | undefined => {
    if (name === CSRF) return token;
    return ONCE.includes(name) && pick % 4 > 0 ? crypto.randomUUID() : undefined;
  };
  return {
    ...form,
    controls: controls.map((control) => {
      const value = fresh(control.name);
      return value === undefined ? control : { ...control, values: [value] };
    }),
  };
}

function sparing({ action }: PageForm, filled: Body, { victim = "" }: Known): Body {
  if (filled.form?.account_number === undefined || !NEEDED_BY_ALL.test(action)) return filled;
  return { form: { ...filled.form, account_number: victim } };
}
