/**
 * The address of a service on this machine, by name where there is one: a passkey belongs to a
 * name, so people, mails and guides are given `localhost` (Decision 0090).
 */

const LOCAL = new Set(["127.0.0.1", "::1", "0.0.0.0", "::"]);

export function localUrl({ host, port }: { host: string; port: number | string }): string {
  if (LOCAL.has(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
