/**
 * The settings of mail (Decision 0086): who sends it, and from which address. In development no
 * mail leaves, whatever is set.
 */

import { normalEmail } from "../kit/fields/text.ts";
import { Mistake, optional, type Setting, type Stage, url } from "./setting-kinds.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);
const PORTS = { "smtp:": 587, "smtps:": 465 };
const NAME_AND_ADDRESS = /^(?:([^<>"\p{Cc}]+?) *<([^<>\s]+)>|([^<>\s]+))$/u;

export const MAIL_DECLARED = {
  SMTP_URL: smtpServer(
    "The server that sends mail: smtps://user:password@host:port, or smtp:// which demands " +
      "STARTTLS unless the server is this machine or ?requireTLS=false is added. Without it no " +
      "mail is sent. In development mail stays in /dev/mail, whatever is set.",
  ),
  MAIL_FROM: optional(
    sender(
      "The sender of mail, as Name <address>. Without it: Windward <no-reply@ and the host of " +
        "PUBLIC_URL>.",
    ),
  ),
};

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
  /** STARTTLS is demanded, not only used when it is offered. */
  readonly demandsTls: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
}

interface Sender {
  readonly name: string;
  readonly address: string;
}

type MailTransport =
  | { readonly kind: "mailbox" }
  | { readonly kind: "smtp"; readonly server: SmtpServer }
  | { readonly kind: "none" };

type Declared = typeof MAIL_DECLARED;
type MailValues = { readonly [Name in keyof Declared]: ReturnType<Declared[Name]["read"]> };

export function mailOf(
  given: MailValues,
  { stage, publicUrl }: { stage: Stage; publicUrl: string },
) {
  const host = new URL(publicUrl).hostname;
  return {
    from: given.MAIL_FROM ?? { name: "Windward", address: `no-reply@${host}` },
    /** The right-hand side of every Message-ID. */
    host,
    transport: transportOf(given, stage),
  };
}

function transportOf({ SMTP_URL: server }: MailValues, stage: Stage): MailTransport {
  if (stage === "development") return { kind: "mailbox" };
  return server === undefined ? { kind: "none" } : { kind: "smtp", server };
}

/** Its mistakes never repeat the address: it has a password in it. */
function smtpServer(about: string): Setting<SmtpServer | undefined> {
  const address = url(
    ["smtp:", "smtps:"],
    { example: "smtps://windward:secret@mail.example.com:465" },
    about,
  );
  return {
    ...address,
    read(given, context) {
      const text = address.read(given, context);
      return text === undefined ? undefined : serverOf(new URL(text));
    },
  };
}

function serverOf({ protocol, hostname, port, username, password, search }: URL): SmtpServer {
  const host = decoded(hostname).replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw new Mistake("SMTP_URL must name a host.");
  if (search !== "" && search !== "?requireTLS=false")
    throw new Mistake("SMTP_URL must have no query but ?requireTLS=false.");
  const isSecure = protocol === "smtps:";
  return {
    host,
    port: port === "" ? PORTS[isSecure ? "smtps:" : "smtp:"] : Number(port),
    isSecure,
    demandsTls: !isSecure && search === "" && !LOOPBACK.has(host),
    credentials: username === "" ? undefined : { user: decoded(username), pass: decoded(password) },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Mistake("SMTP_URL has a % that encodes nothing: write % as %25.");
  }
}

function sender(about: string): Setting<Sender> {
  return {
    about,
    example: "Windward <no-reply@example.com>",
    read(given = "", { name: setting }) {
      const [, name = "", inBrackets, alone = ""] = NAME_AND_ADDRESS.exec(given.trim()) ?? [];
      const address = normalEmail(inBrackets ?? alone);
      if (address !== undefined) return { name: name.trim(), address };
      throw new Mistake(`${setting} must be an address, as Windward <no-reply@example.com>.`);
    },
  };
}
