/** What the gateway finds wrong with a request: the entries of `Errors`. */

export interface Problem {
  readonly code: string;
  readonly message?: string | undefined;
}

export const INVALID_REQUEST: Problem = { code: "36", message: "Invalid request" };
export const ORIGINAL_NOT_FOUND: Problem = { code: "381", message: "Original auth not found" };

export function missing(name: string): Problem {
  return { code: "37", message: `Missing field(s): ${name}` };
}

export function invalid(name: string): Problem {
  return { code: "38", message: `Field is invalid: ${name}` };
}

export function invalid3ds(name: string): Problem {
  return { code: "58", message: `Invalid 3DS field: ${name}` };
}
