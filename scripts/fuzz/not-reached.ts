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
    routes: /\/settings\/security\/close$/,
    why: "of a main merchant only the operator closes the account",
  },
];

export interface NotReached {
  readonly withReason: readonly string[];
  readonly without: readonly string[];
}

export function notReached(routes: readonly string[]): NotReached {
  const reasonOf = (route: string) => REASONS.find((one) => one.routes.test(route))?.why;
  return {
    withReason: routes.flatMap((route) => {
      const why = reasonOf(route);
      return why === undefined ? [] : [`${route}: ${why}`];
    }),
    without: routes.filter((route) => reasonOf(route) === undefined),
  };
}
