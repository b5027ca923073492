/**
 * An operator's command as data: what it is called, what it takes, what it does, and an example.
 * Help, the page in docs/ and the reading of arguments are made from the same object.
 *
 * The rule that matters: a command that changes something gets no tx but from `act`, which demands
 * a name and a reason and writes them down in that tx (Decision 0031).
 */

import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Field, Shape, Values } from "../../kit/fields/field.ts";

export interface OperatorContext extends Infra {
  /** All that is piped in; refuses a keyboard, which would show what is typed. */
  readStdin(): Promise<string>;
  /** Where whoever types stands; npm runs commands elsewhere. */
  readonly folder: string;
  /** For whoever waits: how far it is. */
  sayProgress(text: string): void;
}

/** What a command has to say: data for `--json`, and the same for a person. */
export interface Report {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** It worked, and what it found is not as it should be: the exit code is 1. */
  readonly isBad?: boolean;
}

export interface Signature {
  readonly by: string;
  readonly why: string;
}

export interface Done {
  /** Absent when the use case has written its own, as those about money do. */
  readonly entry?: {
    readonly action: string;
    readonly accountNumber?: string;
    /** Ids and words of ours, never what somebody typed. */
    readonly detail?: Readonly<Record<string, unknown>>;
  };
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Gives the report, and beside it what the work gave, with all that a command needs after it. */
export type Act = <D extends Done>(
  work: (tx: Tx, signature: Signature) => Promise<D>,
) => Promise<Report & { readonly done: D }>;

interface Description<S extends Shape> {
  readonly name: string;
  /** One line of the overview, beginning with a verb. */
  readonly about: string;
  /** What else is worth knowing, in the command's own help. */
  readonly more?: string;
  /** By the names of the wire; on the command line `first_name` is `--first-name`. */
  readonly fields: S;
  /** The field that is given without its name. */
  readonly subject?: keyof S & string;
  /** Of these options one is given. */
  readonly exactlyOne?: readonly (keyof S & string)[];
  /** Without `--by` and `--why`, which are the same for all. */
  readonly example: { readonly given: string; readonly shows: string };
}

/** Only looks. */
interface ReadCommand<S extends Shape = Shape> extends Description<S> {
  readonly kind: "read";
  run(ctx: OperatorContext, input: Values<S>): Promise<Report>;
}

/** Changes something, and is signed. */
interface ActionCommand<S extends Shape = Shape> extends Description<S> {
  readonly kind: "action";
  run(ctx: OperatorContext, input: Values<S>, act: Act): Promise<Report>;
}

export type Command = ReadCommand | ActionCommand;

export function defineRead<S extends Shape>(command: Omit<ReadCommand<S>, "kind">): Command {
  return { ...command, kind: "read" } as unknown as Command;
}

export function defineAction<S extends Shape>(command: Omit<ActionCommand<S>, "kind">): Command {
  return { ...command, kind: "action" } as unknown as Command;
}

/** Words for help: what it is, and what stands for its value. */
export function asked<T>(inner: Field<T>, placeholder: string, about: string): Field<T> {
  return { ...inner, schema: { ...inner.schema, title: placeholder, description: about } };
}

/** Given or not; it takes no value. */
export function switchField(about: string): Field<boolean> {
  return {
    schema: { type: "boolean", description: about },
    required: false,
    read: (value) => value === true,
    absent: () => false,
  };
}
