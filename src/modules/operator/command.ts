/**
 * An operator's command as data: its name, its fields, what it does, and an example. Help, the page
 * in docs/ and the parsing of arguments are made from the same object.
 *
 * A command that changes something gets its tx only from `act`, which demands a name and a reason
 * and audits them in that tx (Decision 0031).
 */

import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Shape, Values } from "../../kit/fields/field.ts";
import type { Money } from "../../kit/money.ts";
import type { OperatorRight } from "../../kit/operator-roles.ts";
import type { Passwords } from "../accounts/passwords.ts";
import type { Purposes } from "../checkout/session/context.ts";
import type { Gateways } from "../gateway/port.ts";
import type { ExchangeFiles } from "./exchange-file.ts";
import type { Block } from "./render.ts";

export interface OperatorContext extends Infra {
  /** All that is piped in; refuses a keyboard, which would show what is typed. */
  readStdin(): Promise<string>;
  /** Files between us and a bank or the acquirer. */
  readonly files: ExchangeFiles;
  /** Hashes a few at a time, of all that the process does. */
  readonly passwords: Passwords;
  /** Of the process; made where one is asked. */
  gateways(): Gateways;
  /** What checkouts are for; loaded where one is ended. */
  purposes(): Promise<Purposes>;
  /** All there are, for those that carry out others. */
  readonly commands: readonly Command[];
  /** Whether their role has it; at a terminal everybody may do all. */
  may(right: OperatorRight): boolean;
  sayProgress(text: string): void;
  /** After which a search stops and says what it has not looked at; a terminal waits. */
  readonly searchMsMax: number;
}

type Data = Readonly<Record<string, unknown>>;

/** What a command answers: data for `--json`, and the same for a person. */
export interface Report {
  readonly data: Data;
  readonly text: string;
  /** The same for a page; absent where the text is all there is. */
  readonly blocks?: readonly Block[];
  /** It worked, and what it found is not as it should be: the exit code is 1. */
  readonly isBad?: boolean;
  /** What is held about a customer: a page shows all of the data, once, and keeps nothing. */
  readonly isPersonal?: boolean;
}

export interface Signature {
  readonly by: string;
  readonly why: string;
  /** From where, and who agreed to it: kept with the entry. */
  readonly from?: Data;
}

/** Absent at a terminal: it has the machine's secrets, and could do all of it without us. */
export function personOf({ from = {} }: Signature): string | undefined {
  return typeof from.person_id === "string" ? from.person_id : undefined;
}

export interface Done extends Report {
  /** Absent when the use case has written its own, as those about money do. */
  readonly entry?: {
    readonly action: string;
    readonly accountNumber?: string;
    /** Ids and words of ours, never what somebody typed. */
    readonly detail?: Data;
  };
}

/** Gives the report, and beside it the result of the work. */
export type Act = <D extends Done>(
  work: (tx: Tx, signature: Signature) => Promise<D>,
) => Promise<Report & { readonly done: D }>;

interface Description<S extends Shape> {
  readonly name: string;
  /** One line of the overview, beginning with a verb. */
  readonly about: string;
  /** Further sentences for the command's own help. */
  readonly more?: string;
  /** By the names of the wire; on the command line `first_name` is `--first-name`. */
  readonly fields: S;
  /** The field that is typed without its name. */
  readonly subject?: keyof S & string;
  /** Exactly one of these options is needed. */
  readonly exactlyOne?: readonly (keyof S & string)[];
  /** Without `--by` and `--why`, which are the same for all. */
  readonly example: { readonly given: string; readonly shows: string };
}

interface ReadCommand<S extends Shape = Shape> extends Description<S> {
  readonly kind: "read";
  /** Who sees it at `/operator`, everybody there if absent; or why no page has it. */
  readonly right?: OperatorRight | { readonly terminalOnly: string };
  run(ctx: OperatorContext, input: Values<S>): Promise<Report>;
}

/** Money that an action moves, or lets move. */
export interface Moved {
  readonly amount: Money;
  readonly accountNumber: string;
  readonly transactionId: string;
}

interface ActionCommand<S extends Shape = Shape> extends Description<S> {
  readonly kind: "action";
  /** Who does it at `/operator` (Decision 0118); or why it is done from a terminal only. */
  readonly right: OperatorRight | { readonly terminalOnly: string };
  /**
   * At `/operator` a second person agrees from a set amount on (Decision 0119). It locks what the
   * amount follows from, so that what is judged is what is done.
   */
  moves?(tx: Tx, input: Values<S>): Promise<Moved | undefined>;
  run(ctx: OperatorContext, input: Values<S>, act: Act): Promise<Report>;
}

export type Command = ReadCommand | ActionCommand;

export function defineRead<S extends Shape>(command: Omit<ReadCommand<S>, "kind">): Command {
  return { ...command, kind: "read" } as unknown as Command;
}

/** `entry` is the number of the audit entry in its example. */
export function defineAction<S extends Shape>(
  command: Omit<ActionCommand<S>, "kind"> & { readonly example: { readonly entry: number } },
): Command {
  const { given, shows, entry } = command.example;
  const example = { given, shows: `${shows}\nAudit entry ${entry}.` };
  return { ...command, example, kind: "action" } as unknown as Command;
}
