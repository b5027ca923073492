/**
 * Hands one message to the mail server and says what came of it. Each message has a connection of
 * its own, which is ended at the time limit whatever the server does.
 */

import { createTransport } from "nodemailer";
import type { Config } from "../../infra/config.ts";
import type { SmtpServer } from "../../infra/mail-settings.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import { inSpan, markFailed, SpanKind } from "../../kit/trace.ts";
import type { RenderedMail } from "./render-mail.ts";

const CONNECT_MS_MAX = 10 * SECOND_MS;
const SILENCE_MS_MAX = 20 * SECOND_MS;
/** Of the whole exchange: a server that trickles its replies is never silent. */
export const SEND_SECONDS_MAX = 60;

export interface Message extends RenderedMail {
  readonly mailId: string;
  readonly to: string;
  /** When it was queued: the same each time it is sent. */
  readonly at: Date;
}

export type Outcome =
  | { readonly kind: "sent" }
  /** The server refused the address for good. */
  | { readonly kind: "bounced"; readonly code: number }
  | { readonly kind: "failed"; readonly why: Failure };

/** What may be logged: a server's own words may repeat the address or the message. */
export interface Failure {
  readonly code: string;
  readonly command?: string;
  /** As 451 or 550. */
  readonly status?: number;
  /** As 5.7.1, or our own words where the server said nothing. */
  readonly detail?: string;
}

const TOO_SLOW: Outcome = {
  kind: "failed",
  why: { code: "ETIMEDOUT", detail: `not done after ${SEND_SECONDS_MAX} s` },
};

export type SendMessage = (message: Message) => Promise<Outcome>;

/** Without a mail server a message stays where it is, in the mailbox, and counts as sent. */
export function createMailSender({ transport, from, host }: Config["mail"]): SendMessage {
  if (transport.kind !== "smtp") return async () => ({ kind: "sent" });
  const { server } = transport;
  return (message) =>
    inSpan("SMTP", { kind: SpanKind.CLIENT }, async (span) => {
      const outcome = await send(message);
      if (outcome.kind === "bounced") markFailed(span, String(outcome.code));
      if (outcome.kind === "failed") markFailed(span, outcome.why.code);
      return outcome;
    });

  async function send(message: Message): Promise<Outcome> {
    const connection = connectionTo(server);
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      connection.close({ force: true });
    }, SEND_SECONDS_MAX * SECOND_MS);
    try {
      await connection.sendMail({
        messageId: `<${message.mailId}@${host}>`,
        date: message.at,
        from,
        to: { name: "", address: message.to },
        subject: message.subject,
        text: message.text,
        html: message.html,
        headers: { "auto-submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { kind: "sent" };
    } catch (error) {
      return isTooLate ? TOO_SLOW : outcomeOf(error);
    } finally {
      clearTimeout(timer);
      connection.close();
    }
  }
}

/** A pool of one, because only pools can be closed in the middle of a message. */
function connectionTo({ host, port, isSecure, demandsTls, credentials }: SmtpServer) {
  return createTransport({
    pool: true,
    maxConnections: 1,
    maxMessages: 1,
    maxRequeues: 0,
    host,
    port,
    secure: isSecure,
    requireTLS: demandsTls,
    ...(credentials === undefined ? {} : { auth: credentials }),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
  });
}

function outcomeOf(error: unknown): Outcome {
  const why = failureOf(error);
  return isBounce(why) ? { kind: "bounced", code: why.status } : { kind: "failed", why };
}

/**
 * A refusal for reasons of policy (5.7, or 530: sign in first) is about us and not about the
 * address: a wrong setting must not mark every address that is written to meanwhile.
 */
function isBounce(why: Failure): why is Failure & { readonly status: number } {
  const { command, status = 0, detail = "" } = why;
  return command === "RCPT TO" && status >= 500 && status !== 530 && !detail.startsWith("5.7.");
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "EUNKNOWN" };
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? value : undefined;
  };
  const status: unknown = Reflect.get(error, "responseCode");
  const command = text("command");
  const response = text("response");
  const detail =
    response === undefined ? error.message : /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  return {
    code: text("code") ?? error.name,
    ...(command === undefined ? {} : { command }),
    ...(typeof status === "number" ? { status } : {}),
    ...(detail === undefined ? {} : { detail }),
  };
}
