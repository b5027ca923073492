/** What the daily test of a backup wrote for Prometheus. */

export const REPORT = "/var/lib/prometheus/node-exporter/windward_restore_test.prom";

export interface Report {
  readonly failed: number;
  /** In seconds since 1970; 0: never. */
  readonly succeededAt: number;
}

export function readReport(report: string): Report {
  const figure = (name: string) =>
    Number(new RegExp(`^windward_restore_test_${name} (\\d+)$`, "m").exec(report)?.[1]);
  return { failed: figure("failed"), succeededAt: figure("success_timestamp_seconds") };
}
