/**
 * Where the paths of 1.x went in 2.0.0 (Interface §9, Decision 0051): all of v1-compat is this
 * table.
 */

export interface V1Path {
  /** Method and path, as a client of 1.x calls them. */
  readonly was: string;
  /**
   * The routes that answer: of several the first whose identifier is in the request, otherwise the
   * last.
   */
  readonly is: readonly string[];
  /** Where the 1.x request has the identifier that is in the path today. The other works too. */
  readonly idIn: "query" | "body" | undefined;
}

export const V1_PATHS: readonly V1Path[] = [
  moved("POST /auth/grant", undefined, "POST /auth/tokens"),
  moved("POST /auth/revoke", undefined, "DELETE /auth/tokens"),
  moved("POST /auth/refresh", undefined, "POST /auth/tokens/refresh"),
  moved("POST /accounts/create", undefined, "POST /accounts"),
  moved("DELETE /accounts/delete", "query", "DELETE /accounts/{account_number}"),
  moved("GET /accounts/retrieve", "query", "GET /accounts/{account_number}"),
  moved("POST /accounts/update", "body", "PATCH /accounts/{account_number}"),
  moved("GET /transactions/history", undefined, "GET /transactions/"),
  moved("GET /transactions/status", "query", "GET /transactions/{transaction_id}"),
  moved("POST /transactions/refund_request", "body", "POST /transactions/{transaction_id}/refund"),
  moved("POST /trusted-card/charge_request", "body", "POST /trusted-cards/{uuid}/charge"),
  moved("POST /trusted-card/create", undefined, "POST /trusted-cards/"),
  moved("DELETE /trusted-card/delete", "query", "DELETE /trusted-cards/{uuid}"),
  moved("GET /trusted-card/retrieve", "query", "GET /trusted-cards/{uuid}", "GET /trusted-cards/"),
  moved("POST /trusted-card/verify", "body", "POST /trusted-cards/{uuid}/verify"),
];

function moved(was: string, idIn: V1Path["idIn"], ...is: string[]): V1Path {
  return { was, is, idIn };
}
