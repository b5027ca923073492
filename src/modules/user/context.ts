/**
 * The user: what an account holder keeps about themselves (Interface §4.2, §4.5). Profile, bank
 * details, password, phone, picture. A change here decides where money goes and who may sign in, so
 * each checks again, inside its tx, that its credential is still good.
 */

import { scopes } from "../../kit/scopes.ts";
import type { AuthContext } from "../auth/context.ts";

export type UserContext = AuthContext;

export const reading = { credentials: "either", anyScope: scopes("user", "retrieve") } as const;

export const changing = (action: "create" | "update" | "delete") =>
  ({ credentials: "either", changes: "shared", anyScope: scopes("user", action) }) as const;
