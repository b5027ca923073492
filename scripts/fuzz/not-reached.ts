/** Routes that no random request can be good for, and why; all others are to be reached. */

interface Reason {
  readonly routes: RegExp;
  readonly why: string;
}

const REASONS: readonly Reason[] = [
  {
    routes: /\/passkeys?(?:\/|$)/,
    why: "passkeys belong to a host's name, and the service is called by its address",
  },
  {
    routes: /\/trusted-cards?\/(?:\{uuid\}\/)?verify$/,
    why: "the amount stands on a statement that nobody here reads",
  },
  {
    routes: /^GET \/docs\/\{page\}(?:\/\{below\})?$/,
    why: "what is asked for there is no guide",
  },
  {
    routes: /\/operator\/password\/\{token\}$/,
    why: "the link is told at the terminal",
  },
  {
    routes: /\/operator\/approvals\/\{approval_id\}$/,
    why: "one person asks for what moves more than any of these requests does",
  },
  {
    routes: /\/operator\/(?:bank-files\/\{batch\}|uploads\/\{command\})$/,
    why: "a bank file, and a bank's answer to it, are more than a form can be guessed to hold",
  },
  {
    routes: /^POST \/operator\/me\/authenticator\/remove$/,
    why: "it is the only second factor, and stays",
  },
  {
    routes: /\/settings\/security\/close$/,
    why: "of a main merchant only the operator closes the account",
  },
];

export interface NotReached {
  readonly withReason: readonly string[];
  readonly without: readonly string[];
}

export function notReached(routes: readonly string[]): NotReached {
  return {
    withReason: routes.flatMap((route) => {
      const why = reasonOf(route);
      return why === undefined ? [] : [`${route}: ${why}`];
    }),
    without: routes.filter((route) => !hasReason(route)),
  };
}

export function hasReason(route: string): boolean {
  return reasonOf(route) !== undefined;
}

function reasonOf(route: string): string | undefined {
  return REASONS.find((one) => one.routes.test(route))?.why;
}

/** Reasons for routes that are no more. */
export function staleReasons(routes: readonly string[]): string[] {
  const stale = REASONS.filter((one) => !routes.some((route) => one.routes.test(route)));
  return stale.map(({ routes: { source }, why }) => `${source}: ${why}`);
}
