/**
 * The sessions of people at a browser: made when somebody is first asked for, and anew once one has
 * ended. A newcomer looks at a page of each route first, so that its forms are known; the next
 * person opens one, for its token.
 */

import { type Browser, type BrowserPerson, isOwnPage, leadsToSignIn } from "./browsers.ts";

export interface Sessions {
  /** Undefined: a limit is in the way of signing in. */
  of(who: BrowserPerson): Promise<Browser | undefined>;
  /** Forgets the session that the page was asked for with, if it has ended. */
  notePage(who: BrowserPerson, page: VisitedPage): void;
}

interface VisitedPage {
  readonly path: string;
  readonly cookie: string | undefined;
  /** Where the browser was sent. */
  readonly location: string;
}

interface Parts {
  readonly make: Record<BrowserPerson, () => Promise<Browser>>;
  begin(who: BrowserPerson, browser: Browser, how: { readonly isNewcomer: boolean }): Promise<void>;
  whenForgotten(who: BrowserPerson): void;
}

export function createSessions({ make, begin, whenForgotten }: Parts): Sessions {
  const made = new Map<BrowserPerson, Promise<Browser | undefined>>();
  const known = new Set<BrowserPerson>();
  let looking: Promise<void> = Promise.resolve();

  async function signIn(who: BrowserPerson): Promise<Browser | undefined> {
    const browser = await make[who]().catch(() => undefined);
    if (browser === undefined) {
      made.delete(who);
      return undefined;
    }
    const isNewcomer = !known.has(who);
    known.add(who);
    // One after the other: all at once they would keep the service busy for themselves.
    looking = looking.catch(() => {}).then(() => begin(who, browser, { isNewcomer }));
    await looking;
    return browser;
  }

  async function forget(who: BrowserPerson, cookie: string | undefined): Promise<void> {
    const one = made.get(who);
    // It may be one of before, or no session at all.
    if ((await one)?.cookie !== cookie || made.get(who) !== one) return;
    made.delete(who);
    whenForgotten(who);
  }

  return {
    of(who) {
      const one = made.get(who) ?? signIn(who);
      made.set(who, one);
      return one;
    },
    notePage(who, { path, cookie, location }) {
      if (isOwnPage(who, path) && leadsToSignIn(location)) void forget(who, cookie);
    },
  };
}
