/**
 * What traces cost when one of a hundred is recorded: two services that differ in `TRACING` alone,
 * which is the file of docs/operations.md, with a collector that takes all it is sent. The goal is
 * held against processor time, because it is smaller than the noise of requests per second.
 */

import { fileURLToPath } from "node:url";
import { startCollector } from "../../testkit/trace-collector.ts";
import type { Outcome, Scene } from "../support/scene.ts";
import { onItsOwn } from "../support/stage.ts";
import { compare } from "../support/two-settings.ts";

const TRACING = fileURLToPath(new URL("../../docs/operations/tracing.mjs", import.meta.url));

export const tracing: Scene = {
  name: "tracing",
  async play(stage, pace) {
    const collector = await startCollector();
    const ours = { TRACING, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const traced = { ...stage, settings: { ...stage.settings, ...ours } };
    try {
      return await onItsOwn(traced, "traced", (on) =>
        onItsOwn(stage, "untraced", async (off): Promise<Outcome> => {
          const figures = await compare({ what: "traces", on, off }, pace);
          const unit = "× its processor time without";
          const what = "payment requests, 1 % traced";
          const goals = [{ what, measured: figures.timesCpu, unit, goal: { below: 1.02 } }];
          return { figures: { ...figures, spans: collector.spans.length }, goals };
        }),
      );
    } finally {
      collector.close();
    }
  },
};
