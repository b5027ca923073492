/** A bank is named exactly, and its account numbers are digits of its length (Decision 0017). */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import { BANK_ACCOUNT_TYPES, type Bank, findBank, isAccountNumberOf } from "./banks.ts";
import { platformOf } from "./platform.ts";

const TEXT_LENGTH_MAX = 255;
const tt = platformOf("TT");
const jm = platformOf("JM");

function bankOf(platform: typeof tt, name: string): Bank {
  const bank = findBank(platform, name);
  assert(bank !== undefined, name);
  return bank;
}

for (const countryCode of COUNTRY_CODES)
  describe(`the banks of ${countryCode}`, () => {
    const platform = platformOf(countryCode);

    test("are each found by a name and shown by a name that no other has", () => {
      for (const bank of platform.banks) assert.equal(findBank(platform, bank.name), bank);
      const shown = platform.banks.map(({ displayName }) => displayName);
      assert.equal(new Set(shown).size, platform.banks.length);
    });

    test("have names that fit, and lengths that some account number has", () => {
      for (const { name, displayName, account } of platform.banks) {
        for (const text of [name, displayName]) {
          assert.equal(text, text.trim());
          assert(text !== "" && text.length <= TEXT_LENGTH_MAX, text);
        }
        assert(1 <= account.minLength && account.minLength <= account.maxLength, name);
      }
    });

    test("have account types and branches exactly where the platform asks for them", () => {
      for (const { name, accountTypes, branches } of platform.banks) {
        assert.equal(accountTypes !== undefined, platform.asksForBranch, name);
        assert.equal(branches !== undefined, platform.asksForBranch, name);
      }
    });
  });

describe("a bank of Jamaica", () => {
  for (const { name, accountTypes = [], branches = [] } of jm.banks)
    test(`${name} has chequing and savings, and branches that differ`, () => {
      assert.deepEqual([...accountTypes], [...BANK_ACCOUNT_TYPES]);
      assert(branches.length >= 1);
      assert.equal(new Set(branches).size, branches.length);
      for (const branch of branches)
        assert(branch !== "" && branch === branch.trim() && branch.length <= TEXT_LENGTH_MAX);
    });

  test("that is NCB has its eight branches", () => {
    assert.deepEqual(bankOf(jm, "National Commercial Bank").branches, [
      "Half Way Tree",
      "New Kingston",
      "King Street",
      "Spanish Town",
      "Montego Bay",
      "May Pen",
      "Mandeville",
      "Ocho Rios",
    ]);
  });
});

describe("findBank", () => {
  for (const name of ["first citizens", " First Citizens", "First Citizens ", "First Citizen", ""])
    test(`${JSON.stringify(name)} is no bank of Trinidad and Tobago`, () => {
      assert.equal(findBank(tt, name), undefined);
    });

  test("takes the name that is sent, not the one that is shown", () => {
    assert.equal(findBank(tt, "Republic Bank Limited"), undefined);
    assert.equal(bankOf(tt, "Republic Bank LTD").displayName, "Republic Bank Limited");
  });

  test("finds no bank of another platform", () => {
    assert.equal(findBank(tt, "National Commercial Bank"), undefined);
    assert.equal(findBank(jm, "First Citizens"), undefined);
  });

  for (const name of ["__proto__", "constructor", "length", "0"])
    test(`${name} is no bank`, () => assert.equal(findBank(tt, name), undefined));
});

describe("isAccountNumberOf", () => {
  const LENGTHS: readonly [bank: string, min: number, max: number][] = [
    ["First Citizens", 10, 10],
    ["Republic Bank LTD", 12, 12],
    ["ANSA Bank", 6, 17],
  ];
  for (const [name, min, max] of LENGTHS)
    test(`an account of ${name} has ${min} to ${max} digits, not one fewer or more`, () => {
      const bank = bankOf(tt, name);
      for (let length = 0; length <= max + 2; length++)
        assert.equal(isAccountNumberOf(bank, "7".repeat(length)), min <= length && length <= max);
    });

  test("leading zeros count", () => {
    assert.equal(isAccountNumberOf(bankOf(tt, "First Citizens"), "0000000001"), true);
    assert.equal(isAccountNumberOf(bankOf(tt, "First Citizens"), "00000000001"), false);
  });

  const ODD = [
    ...["123456789 ", "12345-6789", "123456789\n", "１２３４５６７８９０", "١٢٣٤٥٦٧٨٩٠"],
    ...["+123456789", "123456789x", "1e23456789", "-123456789", "1234.56789"],
  ];
  for (const digits of ODD)
    test(`${JSON.stringify(digits)} is no account number`, () => {
      assert.equal(isAccountNumberOf(bankOf(tt, "First Citizens"), digits), false);
    });

  test("takes nothing but digits, whatever it is given", () => {
    const bank = bankOf(tt, "ANSA Bank");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        assert.equal(isAccountNumberOf(bank, text), /^[0-9]{6,17}$/.test(text));
      }),
    );
  });
});
