/**
 * A client that sends one request after the other on a connection it keeps, on a bare socket: a
 * load shares the machine with what it measures, and `fetch` takes six times the cycles (x64 with
 * two cores, November 2026).
 */

import net from "node:net";

/** As many as a load takes from one connection: the service closes it after 1,000. */
const RESPONSES_PER_CONNECTION = 900;
/** A request without a response by then has failed. */
const RESPONSE_MS_MAX = 10_000;
/** A quiet connection is given up before the server does, so as not to meet its end. */
const IDLE_MS_MAX = 5_000;
const HEAD_END = "\r\n\r\n";

export interface Response {
  /** 0 when there was none: the connection failed or was closed. */
  readonly status: number;
  readonly head: string;
  /** Its bytes, each as a character. */
  readonly body: string;
}

export interface Connection {
  /** All of a request, as text. Connects first when it has to. */
  ask(request: string): Promise<Response>;
  close(): void;
}

const NONE: Response = { status: 0, head: "", body: "" };

export function openConnection(url: string, localAddress = "127.0.0.1"): Connection {
  const { hostname, port } = new URL(url);
  let socket: net.Socket | undefined;
  let left = 0;
  let settle: ((response: Response) => void) | undefined;
  const done = (response: Response) => {
    settle?.(response);
    settle = undefined;
  };
  const connect = (): net.Socket => {
    const made = net.connect({ host: hostname, port: Number(port), localAddress, noDelay: true });
    left = RESPONSES_PER_CONNECTION;
    made.on("timeout", () => made.destroy());
    made.on("error", () => {}); // followed by a close
    made.on("close", () => {
      if (socket !== made) return;
      socket = undefined;
      done(NONE);
    });
    made.on(
      "data",
      createResponseReader((response) => {
        left -= 1;
        if (left === 0 || /\r\nconnection: close/i.test(response.head)) close();
        else made.setTimeout(IDLE_MS_MAX);
        done(response);
      }),
    );
    return made;
  };
  const close = () => {
    const previous = socket;
    socket = undefined;
    previous?.end();
  };
  return {
    ask(request) {
      socket ??= connect();
      socket.setTimeout(RESPONSE_MS_MAX);
      socket.write(request);
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    close,
  };
}

/** Cuts what a server sends on one connection into responses. */
export function createResponseReader(take: (response: Response) => void): (bytes: Buffer) => void {
  let received = "";
  return (bytes) => {
    received += bytes.toString("latin1");
    let from = 0;
    for (;;) {
      const headEnd = received.indexOf(HEAD_END, from);
      if (headEnd === -1) break;
      const head = received.slice(from, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const bodyAt = headEnd + HEAD_END.length;
      const end = bodyAt + length;
      if (received.length < end) break;
      from = end;
      take({ status: Number(head.slice(9, 12)), head, body: received.slice(bodyAt, end) });
    }
    received = received.slice(from);
  };
}

/** With a body, which is ASCII here, it is a POST. */
export function requestText(
  url: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
): string {
  const { host, pathname } = new URL(url);
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const lines = Object.entries({ host, ...headers, ...length }).map((line) => line.join(": "));
  const method = body === undefined ? "GET" : "POST";
  return `${method} ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
