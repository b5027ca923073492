/** What `promtool test rules` is given of one alarm: series over time, and whether it is raised. */

/** Values in promtool's notation, one for each step: `0x3` is 0 and then 0 three times more. */
type Series = Readonly<Record<string, string>>;

export interface Scene {
  readonly step: "15s" | "5m";
  readonly after: string;
  readonly series: Series;
}

export interface Trial {
  /** In each of these it is raised by then. */
  readonly fires: readonly Scene[];
  /** In each of these it never is. */
  readonly silent: readonly Scene[];
}

/** As Prometheus looks: four times a minute. */
export function minutes(count: number, series: Series): Scene {
  return { step: "15s", after: `${count}m`, series };
}

/** Twelve times an hour, for what takes long. */
export function hours(count: number, series: Series): Scene {
  return { step: "5m", after: `${count}h`, series };
}

/** A value, and then nothing for six looks, so that few windows end where a sample is. */
export function seldom(...values: readonly number[]): string {
  return values.map((value) => `${value} _x6`).join(" ");
}

/** A gauge that is an alarm at once above a limit. */
export function above(series: string, limit: number): Trial {
  return {
    fires: [minutes(1, { [series]: `${limit + 1}x4` })],
    silent: [minutes(10, { [series]: `${limit}x40` })],
  };
}
