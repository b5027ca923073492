/**
 * The user: what an account holder keeps about themselves (Interface §4.2, §4.5). Profile, bank
 * details, password, phone, picture.
 *
 * The rule that matters: what is changed here decides where money goes and who may sign in, so each
 * change asks once more, inside its tx, whether the credential it came with is still good.
 */

import type { AuthContext } from "../auth/context.ts";

export type UserContext = AuthContext;
