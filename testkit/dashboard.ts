/** The dashboard that is shipped, as far as tests look into it. */

import { readFileSync } from "node:fs";

const FILE = new URL("../docs/operations/dashboard.json", import.meta.url);

interface Source {
  readonly type: string;
  readonly uid: string;
}

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: Source;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly datasource?: Source;
  readonly targets?: readonly Target[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: string;
    }[];
  };
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** All that Prometheus is asked, with a time in place of Grafana's own. */
export function dashboardExpressions(): string[] {
  const { panels, annotations } = readDashboard();
  const asked = [...panels.flatMap(({ targets = [] }) => targets), ...annotations.list];
  return asked.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m"));
}
