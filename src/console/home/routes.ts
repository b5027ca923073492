/** Home: how the business stands. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";

export const homeRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console",
    summary: "Home",
    right: "self",
    async run(_ctx: ConsoleContext, _call, visitor): Promise<Answer> {
      // Support sees payments only: that is where it begins.
      if (!visitor.mayDo("balances")) return redirect("/console/payments");
      return consolePage(visitor, { title: "Home", section: "Home", content: html`` });
    },
  }),
];
