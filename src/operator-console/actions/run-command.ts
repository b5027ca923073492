/** Commands as pages run them: with the context of a page in place of a terminal's. */

import { SECOND_MS } from "../../kit/clock.ts";
import {
  FieldRefused,
  NoSuchRecord,
  NotFound,
  OperatorError,
  ServiceError,
} from "../../kit/errors.ts";
import { readTyped } from "../../modules/operator/approvals/read-typed.ts";
import type { Command, OperatorContext, Report } from "../../modules/operator/command.ts";
import { COMMANDS } from "../../modules/operator/commands.ts";
import type { ExchangeFiles } from "../../modules/operator/exchange-file.ts";
import { WrongUsage } from "../../modules/operator/read-arguments.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { inPageWords } from "../page-words.ts";
import type { OperatorVisitor } from "../visitor.ts";

export type ActionCommand = Extract<Command, { kind: "action" }>;

/** What pages give back is in the list of bank files; what they take comes with their form. */
export const LIST_OF_FILES = "the list of bank files";

/** With its last statement, which may take 5 s, within what a request may take. */
const SEARCH_MS_MAX = 3 * SECOND_MS;

/** What comes with a form, and where what a command writes goes. */
export interface PageFiles {
  readonly uploaded?: Buffer | undefined;
  send?(bytes: Buffer): void;
}

function filesOf({ uploaded, send }: PageFiles): ExchangeFiles {
  return {
    place: (typed) => typed,
    async demandFree() {},
    // Where nobody waits for it, it is made again from its batch when it is downloaded.
    async write(_to, bytes) {
      send?.(bytes);
    },
    async read() {
      if (uploaded === undefined) throw new OperatorError("Choose a file first.");
      return uploaded;
    },
  };
}

export function commandContext(
  ctx: OperatorConsoleContext,
  { may }: Pick<OperatorVisitor, "may">,
  files: PageFiles = {},
): OperatorContext {
  const { config, db, log, passwords } = ctx;
  return {
    config,
    db,
    log,
    passwords,
    gateways: () => ctx.gateways,
    may,
    files: filesOf(files),
    purposes: async () => ctx.purposes,
    commands: COMMANDS,
    sayProgress() {},
    searchMsMax: SEARCH_MS_MAX,
    async readStdin() {
      throw new OperatorError("A page takes no password.");
    },
  };
}

/** Everybody who may look, unless the command says otherwise. */
function maySeeReport({ may }: OperatorVisitor, command: Command): boolean {
  const { kind, right = "look" } = command;
  return kind === "read" && typeof right === "string" && may(right);
}

export async function readReport(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  command: Command,
  typed: Readonly<Record<string, string>> = {},
): Promise<Report> {
  if (command.kind !== "read" || !maySeeReport(visitor, command))
    throw new NotFound(`${visitor.role} does not see ${command.name}`);
  try {
    return await command.run(commandContext(ctx, visitor), readTyped(command, typed));
  } catch (error) {
    throw inWordsOfPage(noPage(error));
  }
}

/** What has no record has no page. */
export function noPage(error: unknown): unknown {
  return error instanceof NoSuchRecord ? new NotFound(error.message) : error;
}

/** An action that this role may do here; any other is a page that does not exist. */
export function demandAction({ may, role }: OperatorVisitor, name: string): ActionCommand {
  const command = COMMANDS.find((one) => one.name === name);
  if (command?.kind !== "action") throw new NotFound("no such action");
  if (typeof command.right !== "string" || !may(command.right))
    throw new NotFound(`${role} may not ${name}`);
  return command;
}

/** A refusal that a person reads; a terminal's options are a form's fields. */
export function inWordsOfPage(error: unknown): unknown {
  if (error instanceof FieldRefused && error.field === undefined)
    return new FieldRefused(inPageWords(error.message));
  if (!(error instanceof OperatorError || error instanceof WrongUsage)) return error;
  const message = inPageWords(error.message);
  return new ServiceError("operator_refused", { message, cause: error });
}
