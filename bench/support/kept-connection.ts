/**
 * A client that asks one thing after the other on a connection it keeps. By hand: `fetch` takes six
 * times the cycles (x64 with two cores, November 2026), and takes them from the cores of what is
 * measured. `ask-again.ts` does so for one kind of request, `flood.ts` and `honest-load.ts` at a
 * given rate.
 */

import net from "node:net";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly head: string;
  /** Its bytes, each as a character. */
  readonly body: string;
}

export interface KeptConnection {
  ask(asked: Asked): Promise<Answered>;
  close(): void;
}

interface Waiting {
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: Error) => void;
}

export function keepConnection(url: string): KeptConnection {
  const { host, hostname, port } = new URL(url);
  let waiting: Waiting | undefined;
  let answersLeft = 0;
  let socket: net.Socket | undefined;

  function connect(): net.Socket {
    const made = net.connect({ host: hostname, port: Number(port), noDelay: true });
    made.on(
      "data",
      createAnswerReader((status, head, body) => waiting?.resolve({ status, head, body: body() })),
    );
    // The end of a former one is nobody's.
    made.on("error", (error) => socket === made && waiting?.reject(error));
    made.on("close", () => {
      if (socket !== made) return;
      answersLeft = 0;
      waiting?.reject(new Error("the connection was closed"));
    });
    return made;
  }

  return {
    ask(asked) {
      if (answersLeft === 0) {
        const former = socket;
        socket = connect();
        former?.destroy();
        answersLeft = ANSWERS_PER_CONNECTION;
      }
      answersLeft -= 1;
      socket?.write(textOf(asked, host));
      return new Promise<Answered>((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    close() {
      waiting = undefined;
      socket?.destroy();
    },
  };
}

/** Bodies are ASCII here. */
function textOf({ method, path, headers = {}, body = "" }: Asked, host: string): string {
  const all = { host, ...headers, "content-length": String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
