/** A caller from outside: HTTPS to HAProxy, through the Unix socket of its published port. */

import { Agent, request } from "undici";
import type { Stage } from "../../testkit/containers/stage.ts";

export const ORIGIN = "https://api.example.com";

interface Call {
  readonly method?: "GET" | "POST";
  readonly json?: unknown;
  readonly raw?: { readonly type: string; readonly body: string | Uint8Array };
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface Caller {
  call(path: string, asked?: Call): Promise<Answer>;
  close(): Promise<void>;
}

export function openCaller({ socket, certificate }: Stage): Caller {
  const { hostname: servername } = new URL(ORIGIN);
  const connect = { socketPath: socket, ca: certificate, servername };
  const dispatcher = new Agent({ connect });
  return {
    async call(path, { method = "GET", json, raw, token, headers } = {}) {
      const sent =
        json === undefined ? raw : { type: "application/json", body: JSON.stringify(json) };
      const answer = await request(ORIGIN + path, {
        dispatcher,
        method,
        ...(sent === undefined ? {} : { body: sent.body }),
        headers: {
          ...(sent === undefined ? {} : { "content-type": sent.type }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
      });
      const text = await answer.body.text();
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      return {
        status: answer.statusCode,
        location: String(answer.headers.location ?? ""),
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    close: () => dispatcher.close(),
  };
}
