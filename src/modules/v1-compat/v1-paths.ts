/**
 * Where the paths of 1.x went in 2.0.0 (Interface §9, Decision 0051): the whole bridge is this
 * table.
 *
 * `is` names the routes that answer; of several the first answers that finds its identifier in the
 * request, and the last one otherwise. An identifier that the new path holds stood somewhere else
 * in the old request: `idIn` says where clients are told to put it. The other place will do too.
 */

export interface V1Path {
  /** Method and path, as a client of 1.x calls them. */
  readonly was: string;
  readonly is: readonly [string, ...string[]];
  readonly idIn?: "query" | "body";
}

export const V1_PATHS: readonly V1Path[] = [
  { was: "POST /auth/grant", is: ["POST /auth/tokens"] },
  { was: "POST /auth/revoke", is: ["DELETE /auth/tokens"] },
  { was: "POST /auth/refresh", is: ["POST /auth/tokens/refresh"] },
  { was: "POST /accounts/create", is: ["POST /accounts"] },
  {
    was: "DELETE /accounts/delete",
    is: ["DELETE /accounts/{account_number}"],
    idIn: "query",
  },
  { was: "GET /accounts/retrieve", is: ["GET /accounts/{account_number}"], idIn: "query" },
  { was: "POST /accounts/update", is: ["PATCH /accounts/{account_number}"], idIn: "body" },
  { was: "GET /transactions/history", is: ["GET /transactions/"] },
  { was: "GET /transactions/status", is: ["GET /transactions/{transaction_id}"], idIn: "query" },
  {
    was: "POST /transactions/refund_request",
    is: ["POST /transactions/{transaction_id}/refund"],
    idIn: "body",
  },
  {
    was: "POST /trusted-card/charge_request",
    is: ["POST /trusted-cards/{uuid}/charge"],
    idIn: "body",
  },
  { was: "POST /trusted-card/create", is: ["POST /trusted-cards/"] },
  { was: "DELETE /trusted-card/delete", is: ["DELETE /trusted-cards/{uuid}"], idIn: "query" },
  {
    was: "GET /trusted-card/retrieve",
    is: ["GET /trusted-cards/{uuid}", "GET /trusted-cards/"],
    idIn: "query",
  },
  { was: "POST /trusted-card/verify", is: ["POST /trusted-cards/{uuid}/verify"], idIn: "body" },
];
