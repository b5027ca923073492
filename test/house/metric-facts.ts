/** Which metrics there are, with which labels: our own, and those of programs beside ours. */

import { register } from "prom-client";
import "../../src/infra/log.ts";
import "../../src/run-service.ts";

/** Of Patroni 3.0, node_exporter and docs/operations/restore-test.sh and certificates.sh. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  patroni_primary: [],
  patroni_sync_standby: [],
  patroni_replica: [],
  patroni_postgres_running: [],
  patroni_postgres_timeline: [],
  patroni_dcs_last_seen: [],
  patroni_failsafe_mode_is_active: [],
  patroni_xlog_location: [],
  patroni_xlog_replayed_location: [],
  node_filesystem_avail_bytes: ["fstype", "mountpoint", "device"],
  node_filesystem_size_bytes: ["fstype", "mountpoint", "device"],
  node_filesystem_readonly: ["fstype", "mountpoint", "device"],
  windward_restore_test_failed: [],
  windward_restore_test_success_timestamp_seconds: [],
  windward_certificate_ends_timestamp_seconds: ["file"],
  up: [],
};
/** Of `register`, which keeps these as plain numbers. */
const MEASURED: Readonly<Record<string, readonly string[]>> = {
  windward_http_requests_total: ["method", "route", "status"],
  windward_http_request_seconds: ["route"],
};
/** What Prometheus adds to each series by docs/operations/prometheus.yml. */
const OF_TARGETS = ["job", "instance", "role"];
const NAME =
  /\b(?:(?:windward|process|nodejs|patroni|node(?!_exporter))_[a-z0-9_]*[a-z0-9]|up(?=\{))/g;
const SELECTOR = /([a-z_][a-z0-9_]*)\{([^}]*)\}/g;

export function allMetrics(): string[] {
  return [...register.getMetricsAsArray().map(({ name }) => name), ...Object.keys(OTHERS)];
}

/** Each once, a histogram's parts by the histogram's name. */
export function metricsIn(text: string): string[] {
  const found = [...text.matchAll(NAME)].map(([name]) => asKnown(name));
  return [...new Set(found)];
}

function asKnown(name: string): string {
  const whole = name.replace(/_(bucket|sum|count)$/, "");
  return allMetrics().includes(name) || !allMetrics().includes(whole) ? name : whole;
}

/** What an expression asks for that is not there. */
export function labelComplaints(expr: string): string[] {
  const unknown = metricsIn(expr).filter((name) => !allMetrics().includes(name));
  const wrong = [...expr.matchAll(SELECTOR)].flatMap(([, name = "", matchers = ""]) => {
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label);
    const known = [...labelsOf(asKnown(name)), ...OF_TARGETS, "le"];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name}: ${label}`);
  });
  return [...unknown, ...wrong];
}

export function labelsOf(name: string): readonly string[] {
  const metric = register.getSingleMetric(name) as { labelNames?: readonly string[] } | undefined;
  return MEASURED[name] ?? OTHERS[name] ?? metric?.labelNames ?? [];
}

/** Labels by which an expression groups, or which its legend shows. */
export function groupedBy(text: string): string[] {
  const lists = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(/,\s*/),
  );
  const shown = [...text.matchAll(/\{\{\s*\$?(?:labels\.)?(\w+)\s*\}\}/g)].map(
    ([, label = ""]) => label,
  );
  return [...new Set([...lists, ...shown])].filter((label) => label !== "value");
}
