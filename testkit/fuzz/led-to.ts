/**
 * Where answers have led to, for random requests: paths and forms, by the route that they belong
 * to and by who saw them. A page's records, tokens and keys come with it, so that each route of the
 * consoles is reached as its people reach it.
 */

import type { AppContext } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { routeName } from "../route-requests.ts";
import { type PageForm, pathsIn, postFormsIn } from "./page-forms.ts";

const KEPT_MAX = 60;
/** Their paths need other values with them, which `knowRecords` keeps. */
const KNOWN_OTHERWISE = ["/checkout/", "/sandbox/"];

interface Seen {
  readonly who: string;
  /** Of the page itself. */
  readonly path: string;
  readonly text: string;
  readonly isPage: boolean;
}

export interface LedTo {
  takeUp(seen: Seen): void;
  addPath(who: string, path: string): void;
  /** Nothing is there any more. */
  forget(who: string, asked: { readonly method: string; readonly path: string }): void;
  /** A path for each route of a console that this person was led to. */
  pathsOf(who: string): ReadonlyMap<string, string>;
  pathOf(who: string, route: string, pick: number): string | undefined;
  formOf(who: string, route: string, pick: number): PageForm | undefined;
}

export function createLedTo(
  routes: readonly Route<AppContext>[],
  origins: readonly string[],
): LedTo {
  const paths = new Map<string, Map<string, string>>();
  const forms = new Map<string, Map<string, PageForm>>();
  const nameOf = routeFinder(routes);

  function addPath(who: string, path: string): void {
    const route = path.includes("{") ? undefined : nameOf("GET", path);
    if (route !== undefined) keep(paths, keyOf(who, route), path, path);
  }

  return {
    addPath,
    forget(who, { method, path }) {
      const route = nameOf(method, path);
      if (route !== undefined)
        (method === "GET" ? paths : forms).get(keyOf(who, route))?.delete(path);
    },
    takeUp({ who, path, text, isPage }) {
      for (const one of new Set(pathsIn(text, origins))) addPath(who, one);
      if (!isPage || !text.includes('method="post"')) return;
      for (const form of postFormsIn(text, path)) {
        const route = nameOf("POST", form.action);
        // A later one replaces it: its token is newer.
        if (route !== undefined) keep(forms, keyOf(who, route), form.action, form);
      }
    },
    pathsOf: (who) =>
      new Map(
        [...paths].flatMap(([key, pool]) => {
          const [path] = pool.keys();
          return key.startsWith(`${who} `) && path !== undefined ? [[key, path]] : [];
        }),
      ),
    pathOf: (who, route, pick) => chosen(paths.get(keyOf(who, route)), pick),
    formOf: (who, route, pick) => chosen(forms.get(keyOf(who, route)), pick),
  };
}

/** What needs no session is everybody's. */
function keyOf(who: string, route: string): string {
  return / \/(?:console|operator|sign-in\/code)\b/.test(route) ? `${who} ${route}` : route;
}

function keep<T>(pools: Map<string, Map<string, T>>, key: string, name: string, one: T): void {
  const pool = pools.get(key) ?? new Map<string, T>();
  pools.set(key, pool);
  pool.delete(name);
  const [oldest] = pool.keys();
  if (pool.size >= KEPT_MAX && oldest !== undefined) pool.delete(oldest);
  pool.set(name, one);
}

function chosen<T>(pool: ReadonlyMap<string, T> | undefined, pick: number): T | undefined {
  return pool === undefined ? undefined : [...pool.values()][pick % pool.size];
}

function routeFinder(routes: readonly Route<AppContext>[]) {
  const patterns = routes
    .filter(({ path }) => !KNOWN_OTHERWISE.some((start) => path.startsWith(start)))
    .map((route) => ({
      method: route.method,
      name: routeName(route),
      parameters: route.path.split("{").length,
      pattern: new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    }))
    // One without a parameter never means one with it.
    .toSorted((one, other) => one.parameters - other.parameters);
  const found = new Map<string, string | undefined>();
  return (method: string, path: string): string | undefined => {
    const [bare = ""] = path.split(/[?#]/);
    const key = `${method} ${bare}`;
    if (!found.has(key)) {
      if (found.size > 20_000) found.clear();
      found.set(key, patterns.find((one) => one.method === method && one.pattern.test(bare))?.name);
    }
    return found.get(key);
  };
}
