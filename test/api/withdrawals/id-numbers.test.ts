/** The id number of who is paid without a bank, by platform and kind (Interface §2.3). */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { COUNTRY_CODES, type CountryCode } from "../../../src/kit/vocabulary.ts";
import { platformOf } from "../../../src/modules/platforms/platform.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { ask, expectAllToAddUp, openOwner, SUB_UNBANKED } from "../../../testkit/withdrawals.ts";

let service: TestService;

before(async () => {
  service = await startService();
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

/** For each platform and kind, a number that fits and one that does not. */
const IDS: Record<CountryCode, Record<string, [good: string, bad: string]>> = {
  TT: {
    passport: ["TB123456", "T1234567"],
    national_id: ["19800101001", "1980010100"],
    driver_permit: ["123456A", "1234"],
  },
  JM: {
    passport: ["A1234567", "AB123456"],
    national_id: ["1234567", "123456"],
    driver_permit: ["123456789", "12345678"],
  },
  BB: {
    passport: ["B123456", "123456"],
    national_id: ["800101-0001", "80010-0001"],
    driver_permit: ["AB123", "ab123"],
  },
  GY: {
    passport: ["R0123456", "RR12345"],
    national_id: ["123456789", "12345678"],
    driver_permit: ["12345", "1234"],
  },
  GD: {
    passport: ["AB123456", "A1234567"],
    national_id: ["ID123456", "ID-123456"],
    driver_permit: ["DP123", "DP1"],
  },
};

describe("the id number is judged by kind and platform", () => {
  for (const countryCode of COUNTRY_CODES)
    test(countryCode, async () => {
      const who = await openOwner(service, "mainMerchant", { countryCode });
      const { localCurrency: currency } = platformOf(countryCode);
      const invalid = { message: "The id number format is invalid." };
      for (const [id_type, [good, bad]] of Object.entries(IDS[countryCode]))
        for (const as of ["json", "form"] as const) {
          const fields = { ...SUB_UNBANKED, currency, amount: "5000", id_type };
          const taken = await ask(service, who, { ...fields, id_number: good }, { as });
          assert.equal(taken.status, 201, `${as} ${id_type} ${good}: ${taken.text}`);
          const refused = await ask(service, who, { ...fields, id_number: bad }, { as });
          assert.deepEqual([refused.status, refused.body], [400, invalid], `${id_type} ${bad}`);
        }
    });
});
