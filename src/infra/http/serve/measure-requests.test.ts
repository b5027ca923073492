/** What is counted comes out as Prometheus reads a counter and a histogram. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { register } from "prom-client";
import { countAnswer, measured } from "./measure-requests.ts";

test("requests are counted by route and status, and their times by route", async () => {
  for (const ms of [0.5, 1, 2, 30]) countAnswer(measured("GET", "/here"), 200, ms);
  countAnswer(measured("GET", "/here"), 404, 20_000);
  // The same method and path add to the same numbers.
  countAnswer(measured("GET", "/here"), 200, 1);

  const text = await register.metrics();
  const expected = [
    "# TYPE windward_http_requests_total counter",
    'windward_http_requests_total{method="GET",route="/here",status="200"} 5',
    'windward_http_requests_total{method="GET",route="/here",status="404"} 1',
    "# TYPE windward_http_request_seconds histogram",
    'windward_http_request_seconds_bucket{le="0.001",route="/here"} 3',
    'windward_http_request_seconds_bucket{le="0.0025",route="/here"} 4',
    'windward_http_request_seconds_bucket{le="0.05",route="/here"} 5',
    'windward_http_request_seconds_bucket{le="10",route="/here"} 5',
    'windward_http_request_seconds_bucket{le="+Inf",route="/here"} 6',
    'windward_http_request_seconds_sum{route="/here"} 20.0345',
    'windward_http_request_seconds_count{route="/here"} 6',
  ];
  const lines = text.split("\n");
  for (const line of expected) assert(lines.includes(line), `${line}\nis not in\n${text}`);
});
