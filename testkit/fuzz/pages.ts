/**
 * Random requests to pages, as a browser sends them: with the session of the person who asks, from
 * a page that led there, with that page's token and keys. Whose session has ended signs in anew.
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
  isOwnPage,
  isTurnedAway,
  SESSION_PAGES,
} from "./browsers.ts";
import type { ReadyRequest } from "./cast.ts";
import { filledForm } from "./form-plans.ts";
import { createLedTo } from "./led-to.ts";
import type { PageForm } from "./page-forms.ts";
import type { FuzzRequest, Who } from "./requests.ts";

export interface PageRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Absent: the request keeps its own. */
  readonly body?: Pick<RequestOptions, "form" | "raw">;
}

export interface Pages {
  ready(request: FuzzRequest, known: Readonly<Record<string, string>>): Promise<PageRequest>;
  learn(request: FuzzRequest, sent: ReadyRequest, answer: TestAnswer): void;
}

/** Keys of forms that are carried out once. */
const ONCE = ["idempotency_key", "form_key"];
const CSRF = "csrf_token";
/** Actions that would end what all the others need are tried on an account of their own. */
const NEEDED_BY_ALL = /\/(?:freeze-account|end-credentials|set-limits|set-fees|main-merchant)$/;
/** It lasts a minute. */
const STREAM = "/console/live";

export function createPages(
  service: TestService,
  make: Record<BrowserPerson, () => Promise<Browser>>,
): Pages {
  const { http } = service.ctx.config;
  const ledTo = createLedTo(appRoutes(service.ctx), [http.publicUrl, http.paymentsPublicUrl]);
  const browsers = new Map<string, Promise<Browser>>();
  const tokens = new Map<string, string>();
  const newcomers = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  for (const who of ["anAdmin", "aSecondAdmin", "anOperator"])
    for (const action of Object.keys(ACTION_WORDS))
      for (const kind of ["actions", "uploads"]) ledTo.addPath(who, `/operator/${kind}/${action}`);

  async function browserOf(who: BrowserPerson): Promise<Browser | undefined> {
    const one = browsers.get(who) ?? make[who]();
    browsers.set(who, one);
    if (!newcomers.has(who)) {
      newcomers.add(who);
      // One after the other: all at once they would keep the service busy for themselves.
      looking = looking
        .catch(() => {})
        .then(async () => lookAround(who, await one.catch(() => undefined)));
      await looking;
    }
    return one.catch(() => {
      // A limit is in the way of signing in.
      browsers.delete(who);
      return undefined;
    });
  }

  /** The session has ended, unless it is one of before, or none. */
  async function forget(who: BrowserPerson, cookie: string | undefined): Promise<void> {
    const one = browsers.get(who);
    const browser = await one?.catch(() => undefined);
    if (browser?.cookie !== cookie || browsers.get(who) !== one) return;
    browsers.delete(who);
    tokens.delete(who);
  }

  /** One page of each route, so that its forms are known from the beginning. */
  async function lookAround(who: BrowserPerson, browser: Browser | undefined): Promise<void> {
    if (browser === undefined) return;
    const seen = new Set<string>();
    ledTo.addPath(who, CONSOLE_PEOPLE.some((one) => one === who) ? "/console" : "/operator");
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const [route, path] of ledTo.pathsOf(who)) {
        if (seen.has(route) || path.startsWith(STREAM)) continue;
        seen.add(route);
        isNew = true;
        const { cookie } = browser;
        const answer = await service.request(path, { headers: { cookie } });
        learn(who, { path, method: "GET", headers: { cookie } }, answer);
      }
    }
  }

  /** As the page has it now: with the token of the session, and mostly for the first time. */
  function withFreshKeys({ who, pick }: FuzzRequest, { controls, ...form }: PageForm): PageForm {
    const token = SESSION_PAGES.test(form.action) ? tokens.get(who) : undefined;
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

  return {
    async ready(request, known) {
      const { who, route, path, method, pick } = request;
      const browser = isBrowser(who) ? await browserOf(who) : undefined;
      const headers = { origin: service.url, ...(browser && { cookie: browser.cookie }) };
      const page = isBrowser(who) ? { headers } : { headers: {} };
      const [, place = ""] = route.split(" ");
      if (!path.startsWith(place)) return { ...page, path };
      const form = method === "POST" ? ledTo.formOf(who, route, pick) : undefined;
      if (form !== undefined && request.form !== undefined) {
        const code = browser?.code?.() ?? "000000";
        if (browser?.code !== undefined && form.controls.some(({ name }) => name === "code"))
          await forgetCodes(service);
        const filled = filledForm(withFreshKeys(request, form), request.form, { ...known, code });
        return { headers, path: form.action, body: sparing(form, filled, known) };
      }
      const led = ledTo.pathOf(who, route.replace("POST ", "GET "), pick);
      if (led === undefined) return { ...page, path };
      return { ...page, path: path === place ? led : path.replace(place, led.split("?")[0] ?? "") };
    },

    learn: ({ who }, sent, answer) => learn(who, sent, answer),
  };

  function learn(
    who: Who,
    { path, method, headers: sent }: Pick<ReadyRequest, "path" | "method" | "headers">,
    { status, headers, text }: TestAnswer,
  ): void {
    const location = headers.get("location") ?? "";
    if (isBrowser(who) && isOwnPage(who, path) && isTurnedAway(location))
      void forget(who, sent?.cookie);
    const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
    if (location !== "") ledTo.addPath(who, location);
    if (!isPage && status >= 400) return;
    const [bare = ""] = path.split("?");
    ledTo.takeUp({ who, path: bare, text, isPage });
    const token = new RegExp(`name="${CSRF}" value="([^"]+)"`).exec(text)?.[1];
    if (token !== undefined && method === "GET" && SESSION_PAGES.test(path)) tokens.set(who, token);
  }
}

function sparing(
  { action }: PageForm,
  filled: Pick<RequestOptions, "form" | "raw">,
  { victim = "" }: Readonly<Record<string, string>>,
): Pick<RequestOptions, "form" | "raw"> {
  if (filled.form?.account_number === undefined || !NEEDED_BY_ALL.test(action)) return filled;
  return { form: { ...filled.form, account_number: victim } };
}
