/**
 * The operator's console, `/operator`: pages over the operator's commands (Decision 0118). A page
 * runs the same command as the terminal and has no rule of its own; lists and records are the
 * commands' reports, shown as parts.
 */

import type { ConsoleContext } from "../console/context.ts";
import type { CheckoutContext } from "../modules/checkout/session/context.ts";

export type OperatorConsoleContext = ConsoleContext & CheckoutContext;
