/**
 * Mail for tests: a real SMTP server that can refuse, the settings under which a service sends to
 * it, and the job's work, which no test service does by itself.
 */

import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { claimMails, type MailContext } from "../src/modules/mail/send-mail.ts";
import type { TestService } from "./service.ts";
import { sweepAll } from "./sweeps.ts";
import { until } from "./until.ts";

const key = (letter: string) => `a:${Buffer.alloc(32, letter).toString("base64")}`;

/** Of a service in the production stage, as `startService` takes them. */
export const PRODUCTION_SETTINGS = {
  STAGE: "production",
  PUBLIC_URL: "https://pay.example.com",
  DATABASE_URL: "postgres://never.example.com/used",
  PASSWORD_PEPPERS: key("p"),
  TOKEN_PEPPERS: key("t"),
  WRAPPING_KEYS: key("w"),
  PASSWORD_HASHING: "standard",
};

interface ReceivedMail extends Email {
  readonly raw: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

type Command = "RCPT" | "DATA";

export interface TestSmtpServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  readonly signedIn: readonly string[];
  /** From now on it answers the command so; undefined: as usual. */
  refuse(command: Command, answer: { code: number; text: string } | undefined): void;
  stop(): Promise<void>;
}

/** `port`: a server that was down is up again where it was. */
export async function startSmtpServer(
  options: { port?: number; demandsSignIn?: boolean } = {},
): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const signedIn: string[] = [];
  const refusals = new Map<Command, Error>();
  const server = new SMTPServer({
    authOptional: !options.demandsSignIn,
    allowInsecureAuth: true,
    disabledCommands: options.demandsSignIn ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    onAuth({ username = "", password = "" }, _session, answer) {
      signedIn.push(`${username} ${password}`);
      answer(null, { user: username });
    },
    onRcptTo: (_address, _session, answer) => answer(refusals.get("RCPT")),
    onData(stream, { envelope }, answer) {
      buffer(stream)
        .then(async (bytes) => {
          const refusal = refusals.get("DATA");
          if (refusal !== undefined) return answer(refusal);
          received.push({
            ...(await PostalMime.parse(bytes)),
            raw: bytes.toString(),
            envelope: {
              from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
              to: envelope.rcptTo.map(({ address }) => address),
            },
          });
          answer();
        })
        .catch(answer);
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    signedIn,
    refuse(command, answer) {
      if (answer === undefined) refusals.delete(command);
      else
        refusals.set(command, Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Sends what is due, as a worker would, and tells how many there were. */
export function sendMails(ctx: MailContext): Promise<number> {
  return sweepAll(() => claimMails(ctx));
}

/** The path of the link in the newest such mail to that address; undefined where there is none. */
export async function linkMailedTo(
  { ctx, request }: Pick<TestService, "ctx" | "request">,
  email: string,
  kind: "invite" | "reset",
): Promise<string | undefined> {
  await sendMails(ctx);
  const { body } = await request("/dev/mail.json");
  const pattern = new RegExp(`https?:\\S+/${kind}/\\S+`);
  const mail = body.find(
    ({ to, text }: { to: string; text: string }) => to === email && pattern.test(text),
  );
  return mail === undefined ? undefined : new URL(pattern.exec(mail.text)?.[0] ?? "").pathname;
}

/** Waits until a worker has put a mail into the mailbox of the development stage. */
export function mailArrives(
  { request }: Pick<TestService, "request">,
  wanted: { readonly to: string; readonly subject: string },
): Promise<void> {
  return until(async () => {
    const { body } = await request("/dev/mail.json");
    return body.some(
      ({ to, subject }: typeof wanted) => to === wanted.to && subject === wanted.subject,
    );
  }, `a mail to ${wanted.to}: ${wanted.subject}`);
}
