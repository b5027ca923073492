/** The routes of the lists and of the health page. */

import { orEachRefused, type RefusedForm } from "../console/refused.ts";
import type { Answer } from "../infra/http/answer.ts";
import { readTyped } from "../modules/operator/approvals/read-typed.ts";
import type { Command, Report } from "../modules/operator/command.ts";
import { gatewayRoutes } from "../modules/operator/gateway/gateway-routes.ts";
import { jobs } from "../modules/operator/jobs.ts";
import type { Block } from "../modules/operator/render.ts";
import { buttonRow } from "../parts/form.ts";
import { pager } from "../parts/pager.ts";
import { actionLinks } from "./actions/action-links.ts";
import { readReport } from "./actions/run-command.ts";
import { blocksOf, nextOf } from "./blocks.ts";
import { filterForm, filterLabels, filtersOf } from "./filters.ts";
import { LISTS, type ListPage } from "./lists.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import type { OperatorVisitor } from "./visitor.ts";

function listRoute(list: ListPage): OperatorRoute {
  const { path, command, right } = list;
  return operatorRoute({
    method: "GET",
    path,
    summary: list.title,
    right,
    run: (ctx, { url }, visitor) => {
      const typed = filtersOf(command, url, list.preset);
      return orEachRefused(
        { shape: command.fields, sent: typed },
        async () => {
          // Refused also where nothing is looked for yet.
          readTyped({ fields: command.fields }, typed);
          const report = isAsked(command, typed)
            ? await readReport(ctx, visitor, command, typed)
            : undefined;
          return listPage(visitor, { list, typed, url, report });
        },
        (refused) => listPage(visitor, { list, typed, url, refused }),
        filterLabels(command),
      );
    },
  });
}

/** Without one of the options that it needs there is only the form. */
function isAsked({ exactlyOne = [] }: Command, typed: Readonly<Record<string, string>>): boolean {
  return exactlyOne.length === 0 || exactlyOne.some((name) => name in typed);
}

interface Listed {
  readonly list: ListPage;
  readonly typed: Readonly<Record<string, string>>;
  readonly url: string;
  readonly report?: Report | undefined;
  readonly refused?: RefusedForm;
}

export function listPage(
  visitor: OperatorVisitor,
  { list, typed, url, report, refused }: Listed,
): Answer {
  const { path, command, actions, preset, tab } = list;
  return operatorPage(visitor, {
    title: list.title,
    section: list.section,
    ...(tab === undefined ? {} : { tab }),
    beside: list.beside?.(visitor, url),
    problem: refused?.summary,
    content: [
      actions && buttonRow(actionLinks(visitor, actions)),
      filterForm(command, { action: path, typed, preset, isOpen: report === undefined, refused }),
      report && blocksOf(report, list.title),
      report && olderLink(path, typed, report),
    ],
  });
}

function olderLink(path: string, typed: Readonly<Record<string, string>>, report: Report) {
  const next = nextOf(report);
  if (next === undefined) return undefined;
  const older = `${path}?${new URLSearchParams({ ...typed, ...next })}`;
  return pager({ shown: "Older ones:", older });
}

const health = operatorRoute({
  method: "GET",
  path: "/operator/health",
  summary: "Gateways and background work",
  right: "look",
  async run(ctx, _call, visitor): Promise<Answer> {
    const { gateways } = ctx;
    const state = (environment: "live" | "sandbox") => gateways[environment]?.state() ?? "none";
    const states: Block = {
      kind: "facts",
      rows: [
        ["Live gateway", state("live")],
        ["Sandbox gateway", state("sandbox")],
      ],
    };
    return operatorPage(visitor, {
      title: "Health",
      section: "System",
      tab: "Health",
      content: [
        buttonRow(actionLinks(visitor, ["route-gateway"])),
        blocksOf({ data: {}, text: "", blocks: [states] }),
        blocksOf(await readReport(ctx, visitor, jobs)),
        blocksOf(await readReport(ctx, visitor, gatewayRoutes)),
      ],
    });
  },
});

export const listRoutes: readonly OperatorRoute[] = [...LISTS.map(listRoute), health];
