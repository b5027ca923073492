/** The console over HTTP: signing in as somebody, and forms as a browser would send them. */

import assert from "node:assert/strict";
import type { Role } from "../src/kit/roles.ts";
import { addMember, addPerson } from "../src/modules/people/add-member.ts";
import { multipart } from "./pictures.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { PASSWORD } from "./world.ts";

export interface Tab {
  /** The value of its Cookie header. */
  cookie: string;
  get(path: string): Promise<TestAnswer>;
  /**
   * With the token and the one-time key of a page's form, which is fetched first, and the browser's
   * own headers.
   */
  post(
    path: string,
    form?: Record<string, string>,
    options?: { readonly from?: string; readonly headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  /** The same with a file. */
  upload(
    path: string,
    file: { readonly field: string; readonly text: string },
    options: { readonly from: string; readonly form?: Record<string, string> },
  ): Promise<TestAnswer>;
}

type Console = Pick<TestService, "url" | "request">;

/** A browser that has opened nothing yet. */
export function openTab(service: Console): Tab {
  const tab: Tab = {
    cookie: "",
    async get(path) {
      const answer = await service.request(path, { headers: { cookie: tab.cookie } });
      keepCookies(tab, answer);
      return answer;
    },
    async post(path, form = {}, { from = "/console/me", headers = {} } = {}) {
      const hidden = hiddenOf(await tab.get(from));
      const answer = await service.request(path, {
        method: "POST",
        form: { ...hidden, ...form },
        headers: { cookie: tab.cookie, origin: service.url, ...headers },
      });
      keepCookies(tab, answer);
      return answer;
    },
    async upload(path, { field, text }, { from, form = {} }) {
      const texts = Object.entries({ ...hiddenOf(await tab.get(from)), ...form });
      return service.request(path, {
        method: "POST",
        raw: multipart([
          ...texts.map(([name, content]) => ({ name, content, fileName: null })),
          { name: field, content: text, fileName: "file.csv", type: "text/csv" },
        ]),
        headers: { cookie: tab.cookie, origin: service.url },
      });
    },
  };
  return tab;
}

function keepCookies(tab: Tab, { headers }: TestAnswer): void {
  const jar = new Map(
    tab.cookie.split("; ").flatMap((pair) => {
      const [name = "", value] = pair.split("=");
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  setCookies(jar, headers.getSetCookie());
  tab.cookie = cookieOf(jar);
}

/** As a browser takes the lines of `Set-Cookie`: one without a value is forgotten. */
export function setCookies(jar: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
}

export function cookieOf(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** What makes a form count once, at either console. */
const ONCE = ["idempotency_key", "form_key"];

/** What every form of the page sends unseen; of a page with several, the first key counts. */
export function hiddenOf(page: Pick<TestAnswer, "text">): Record<string, string> {
  const keys = ONCE.flatMap((name) => {
    const key = new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1];
    return key === undefined ? [] : [[name, key]];
  });
  return { csrf_token: csrfOf(page), ...Object.fromEntries(keys) };
}

function csrfOf({ text }: Pick<TestAnswer, "text">): string {
  return /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

export async function signInTo(
  service: Console,
  who: { readonly email: string; readonly password?: string },
): Promise<Tab> {
  const tab = openTab(service);
  const { email, password = PASSWORD } = who;
  const answer = await tab.post("/sign-in", { email, password }, { from: "/sign-in" });
  assert.equal(answer.status, 303, answer.text);
  return tab;
}

let members = 0;

/** Somebody who acts for an account in this role; the password is everybody's. */
export async function makeMember(
  { ctx }: Pick<TestService, "ctx">,
  accountNumber: string,
  role: Role,
): Promise<{ personId: string; email: string }> {
  const email = `${role}-${++members}-${accountNumber}@example.com`;
  const password = await ctx.passwords.digest(PASSWORD);
  const personId = await ctx.db.transaction(async (tx) => {
    const made = await addPerson(tx, { email, name: `A ${role}`, password });
    await addMember(tx, { accountNumber, personId: made, role });
    return made;
  });
  return { personId, email };
}
