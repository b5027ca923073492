/**
 * The identity documents a platform accepts and the patterns of their numbers (Interface §2.3).
 * Validation and metadata use the same pattern. Letters are upper case (Decision 0017).
 */

import type { CountryCode } from "../../kit/vocabulary.ts";

export const ID_TYPES = ["passport", "national_id", "driver_permit"] as const;

type IdType = (typeof ID_TYPES)[number];

export interface IdRule {
  readonly type: IdType;
  readonly pattern: RegExp;
}

export const ID_RULES: Readonly<Record<CountryCode, readonly IdRule[]>> = {
  BB: idRules(/^[A-Z][0-9]{6,7}$/, /^[0-9]{6}-?[0-9]{4}$/, /^[A-Z0-9]{5,12}$/),
  GD: idRules(/^[A-Z]{2}[0-9]{6}$/, /^[A-Z0-9]{6,12}$/, /^[A-Z0-9]{5,12}$/),
  GY: idRules(/^[A-Z][0-9]{6,7}$/, /^[0-9]{9}$/, /^[0-9]{5,9}$/),
  JM: idRules(/^[A-Z][0-9]{7}$/, /^[0-9]{7}$/, /^[0-9]{9}$/),
  TT: idRules(/^[A-Z]{2}[0-9]{6}$/, /^[0-9]{11}$/, /^[0-9]{5,8}[A-Z]?$/),
};

function idRules(passport: RegExp, nationalId: RegExp, driverPermit: RegExp): readonly IdRule[] {
  return [
    { type: "passport", pattern: passport },
    { type: "national_id", pattern: nationalId },
    { type: "driver_permit", pattern: driverPermit },
  ];
}
