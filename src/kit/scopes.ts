/**
 * The names of what a credential may do (Interface §5.7), and the names they had before 2.0.0 (§9).
 *
 * Only names live here, so that every module can declare the scopes of its routes. Which account
 * may hold which scope is decided in `modules/auth`.
 */

const ACTIONS_BY_AREA = {
  accounts: ["all", "create", "delete", "retrieve", "update"],
  links: ["all", "create", "retrieve", "update"],
  transactions: ["all", "retrieve", "get-fees", "refund-request"],
  "trusted-cards": ["all", "charge-request", "create", "delete", "retrieve", "verify"],
  user: ["all", "create", "delete", "retrieve", "update"],
  withdrawals: ["all", "create", "delete", "retrieve"],
} as const;

export type ScopeArea = keyof typeof ACTIONS_BY_AREA;
type Action<A extends ScopeArea> = (typeof ACTIONS_BY_AREA)[A][number];
export type Scope = { [A in ScopeArea]: `svc-${A}-${Action<A>}` }[ScopeArea];

export const SCOPE_AREAS = Object.keys(ACTIONS_BY_AREA) as ScopeArea[];

export const SCOPES: readonly Scope[] = SCOPE_AREAS.flatMap((area) =>
  ACTIONS_BY_AREA[area].map((action) => `svc-${area}-${action}` as Scope),
);

/**
 * Names of 1.x that clients still ask for. The accounts scopes only changed their prefix; the
 * history and status scopes became one. Decision 0015.
 */
const NEW_NAME_OF_OLD: ReadonlyMap<string, Scope> = new Map<string, Scope>([
  ["wapi-trans-all", "svc-transactions-all"],
  ["wapi-trans-get-history", "svc-transactions-retrieve"],
  ["wapi-trans-get-status", "svc-transactions-retrieve"],
  ["wapi-trans-refund-request", "svc-transactions-refund-request"],
  ...ACTIONS_BY_AREA["trusted-cards"].map(
    (action) => [`wapi-trusted-card-${action}`, `svc-trusted-cards-${action}`] as const,
  ),
  ...ACTIONS_BY_AREA.accounts.map(
    (action) => [`wapi-accounts-${action}`, `svc-accounts-${action}`] as const,
  ),
]);

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** The scope of that name, under its new name where it is an old one. */
export function scopeNamed(name: string): Scope | undefined {
  return KNOWN.has(name) ? (name as Scope) : NEW_NAME_OF_OLD.get(name);
}

export function isV1Name(name: string): boolean {
  return NEW_NAME_OF_OLD.has(name);
}

/** What a route lists as acceptable: the specific scope, or its area's `-all` (Interface §5.7). */
export function scopes<A extends ScopeArea>(area: A, action: Action<A>): readonly Scope[] {
  return [...new Set([`svc-${area}-${action}` as Scope, `svc-${area}-all` as Scope])];
}

const AREA_OF_SCOPE: ReadonlyMap<Scope, ScopeArea> = new Map(
  SCOPE_AREAS.flatMap((area) =>
    ACTIONS_BY_AREA[area].map((action) => [`svc-${area}-${action}` as Scope, area] as const),
  ),
);

export function areaOf(scope: Scope): ScopeArea {
  const area = AREA_OF_SCOPE.get(scope);
  if (area === undefined) throw new Error(`scope ${scope} belongs to no area`);
  return area;
}

/** Whether holding `held` includes `wanted`: the scope itself or the area's `-all`. */
export function includesScope(held: ReadonlySet<Scope>, wanted: Scope): boolean {
  return held.has(wanted) || held.has(`svc-${areaOf(wanted)}-all` as Scope);
}
