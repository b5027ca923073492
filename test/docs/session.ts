/**
 * An interpreter that runs one piece of code after the other and keeps what they made, as a person
 * does who follows a guide.
 */

export interface Session {
  /** Runs it and gives what it printed; throws when it fails. */
  run(code: string): Promise<string>;
  close(): Promise<void>;
}

/** A request that a language makes through the test, which has a network where it has none. */
export interface BridgedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface BridgedAnswer {
  readonly status: number;
  readonly body: string;
}

export async function bridge(request: BridgedRequest): Promise<BridgedAnswer> {
  const { method, url, headers, body } = request;
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined || body === "" ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}
