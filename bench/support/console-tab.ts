/**
 * A console as somebody sees it who is signed in: the demo merchant in one environment, or a demo
 * operator. Pages on one kept connection, how long each takes to its last byte, and what it
 * weighs.
 */

import http from "node:http";
import { DEMO_OPERATORS, DEMO_PASSWORD, DEMO_TOTP_SECRET } from "../../src/demo-world.ts";
import type { Environment } from "../../src/kit/vocabulary.ts";
import { openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { fromBase32, totpCode } from "../../testkit/totp.ts";

const BYTES_PER_KB = 1_000;

export interface ConsoleTab {
  /** Gives the page, and the milliseconds until it was all there. */
  open(path: string): Promise<{ readonly text: string; readonly ms: number }>;
  close(): void;
}

export async function openConsole(
  url: string,
  environment: Environment = "live",
): Promise<ConsoleTab> {
  const who = { email: "merchant@example.com", password: DEMO_PASSWORD };
  const tab = await signInTo({ url, request: requesterOf(url) }, who);
  const switched = await tab.post("/console/environment", { environment });
  if (switched.status !== 303) throw new Error(`${environment} was refused: ${switched.text}`);
  return readWith(url, tab);
}

export async function openOperator(url: string): Promise<ConsoleTab> {
  const tab = openTab({ url, request: requesterOf(url) });
  const [email] = DEMO_OPERATORS;
  const steps = [
    ["/operator/sign-in", { email, password: DEMO_PASSWORD }],
    ["/operator/sign-in/code", { code: totpCode(fromBase32(DEMO_TOTP_SECRET)) }],
  ] as const;
  for (const [from, form] of steps) {
    const { status, text } = await tab.post(from, form, { from });
    if (status !== 303) throw new Error(`${from} refused: ${text}`);
  }
  return readWith(url, tab);
}

function readWith(url: string, tab: Tab): ConsoleTab {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { cookie: tab.cookie };
  return {
    async open(path) {
      const beganAt = performance.now();
      const { status, text } = await get(url + path, { headers, agent });
      const ms = performance.now() - beganAt;
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return { text, ms };
    },
    close: () => agent.destroy(),
  };
}

export interface Weight {
  /** The page itself, which is never compressed. */
  readonly htmlKb: number;
  /** With its styles and scripts as they are sent to a browser. */
  readonly sentKb: number;
}

/** Of a page and of all that it loads. */
export async function weigh(url: string, page: string): Promise<Weight> {
  const assets = [...page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js))"/g)];
  const paths = new Set(assets.map(([, path = ""]) => path));
  let sent = Buffer.byteLength(page);
  for (const path of paths) {
    const { status, bytes } = await get(url + path, { headers: { "accept-encoding": "gzip, br" } });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    sent += bytes;
  }
  return { htmlKb: Buffer.byteLength(page) / BYTES_PER_KB, sentKb: sent / BYTES_PER_KB };
}

function get(
  url: string,
  options: http.RequestOptions,
): Promise<{ status: number; text: string; bytes: number }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, options, async (response) => {
      try {
        const body = Buffer.concat(await response.toArray());
        resolve({ status: response.statusCode ?? 0, text: body.toString(), bytes: body.length });
      } catch (error) {
        reject(error);
      }
    });
    request.once("error", reject);
  });
}

/** What a form is sent with, as `signInTo` asks for it. */
function requesterOf(url: string): Parameters<typeof signInTo>[0]["request"] {
  return async (path, { method = "GET", form, headers = {} } = {}) => {
    const body = form === undefined ? null : new URLSearchParams(form);
    const answer = await fetch(url + path, { method, headers, body, redirect: "manual" });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: undefined };
  };
}
