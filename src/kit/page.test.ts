/** Every list speaks the same: whole numbers in, a page with its place and its links out. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readFields } from "./fields/field.ts";
import { pageBody, pageFields } from "./page.ts";

const URL_OF_LIST = "https://api.example.com/things?status=active&page=2";

describe("what a caller asks for", () => {
  test("is the first page of twenty, unless it says otherwise", () => {
    assert.deepEqual(readFields(pageFields, {}), { page: 1, page_size: 20 });
    assert.deepEqual(readFields(pageFields, { page: "", page_size: "" }), {
      page: 1,
      page_size: 20,
    });
    assert.deepEqual(readFields(pageFields, { page: "3", page_size: "100" }), {
      page: 3,
      page_size: 100,
    });
  });

  for (const [name, value] of [
    ["page", "0"],
    ["page", "-1"],
    ["page", "1000001"],
    ["page", "1.0"],
    ["page", "first"],
    ["page_size", "0"],
    ["page_size", "101"],
    ["page_size", "1e1"],
  ])
    test(`${name}=${value} is refused`, () => {
      assert.throws(() => readFields(pageFields, { [String(name)]: value }), /whole number from 1/);
    });
});

describe("the page that comes back", () => {
  const link = (page: number, size = 10) =>
    `https://api.example.com/things?status=active&page=${page}&page_size=${size}`;
  const CASES: readonly [
    page: number,
    total: number,
    last: number,
    prev: number | null,
    next: number | null,
  ][] = [
    [1, 0, 1, null, null],
    [1, 10, 1, null, null],
    [1, 11, 2, null, 2],
    [2, 11, 2, 1, null],
    [2, 30, 3, 1, 3],
    [9, 30, 3, 3, null],
  ];
  for (const [page, total, last, prev, next] of CASES)
    test(`page ${page} of ${total} rows has prev ${prev}, next ${next}, last ${last}`, () => {
      const body = pageBody({ page, page_size: 10 }, { rows: ["a"], total }, URL_OF_LIST);
      assert.deepEqual(body, {
        message: "OK",
        data: ["a"],
        meta: { page, page_size: 10, total, last_page: last },
        links: {
          first: link(1),
          prev: prev === null ? null : link(prev),
          next: next === null ? null : link(next),
          last: link(last),
        },
      });
    });

  test("following next from the first page visits every row once, however many there are", () => {
    const sizes = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(fc.nat({ max: 500 }), sizes, (total, page_size) => {
        const rows = Array.from({ length: total }, (_, i) => i);
        const seen: number[] = [];
        for (let page = 1; ; page++) {
          const part = rows.slice((page - 1) * page_size, page * page_size);
          const { links, data } = pageBody({ page, page_size }, { rows: part, total }, URL_OF_LIST);
          seen.push(...data);
          if (links.next === null) break;
          assert.equal(new URL(links.next).searchParams.get("page"), String(page + 1));
        }
        assert.deepEqual(seen, rows);
      }),
    );
  });
});
