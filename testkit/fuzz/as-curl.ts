/** A request as somebody would repeat it from a terminal. */

import type { ReadyRequest } from "./cast.ts";

export function asCurl(url: string, { path, method, ...sent }: ReadyRequest): string {
  const { token, key, headers = {}, json, form, raw } = sent;
  const given = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { "x-svc-key": key }),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...(raw === undefined ? {} : { "content-type": raw.type }),
    ...headers,
  };
  const lines = Object.entries(given).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body =
    json === undefined && form !== undefined
      ? new URLSearchParams(form).toString()
      : (raw?.body ?? (json === undefined ? undefined : JSON.stringify(json)));
  const data = body === undefined ? [] : [`--data-binary ${quoted(asText(body))}`];
  return ["curl -i", `-X ${method}`, ...lines, ...data, quoted(url + path)].join(" ");
}

function asText(body: string | Uint8Array): string {
  return typeof body === "string" ? body : Buffer.from(body).toString("latin1");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
