/**
 * How a form is filled in: numbers that choose, and a few odd values. It is a plan, because which
 * form it will be is only known when the request is sent.
 */

import fc from "fast-check";
import { csvLine } from "../../src/kit/csv.ts";
import { fixture, multipart } from "../pictures.ts";
import type { RequestOptions } from "../service.ts";
import { fromBase32, totpCode } from "../totp.ts";
import { SUB_BANKED } from "../withdrawals.ts";
import { odd, textOf } from "./odd-values.ts";
import type { Control, PageForm } from "./page-forms.ts";

export interface FormPlan {
  readonly numbers: readonly number[];
  /** What is typed into which field in place of what belongs there. */
  readonly odd: readonly (readonly [number, unknown])[];
  /** Values that go together, by the names of their fields; others are left empty. */
  readonly typed?: Readonly<Record<string, string>>;
}

const NUMBER_MAX = 999;
const NUMBERS_MAX = 8;

export const formPlans: fc.Arbitrary<FormPlan> = fc.record({
  numbers: fc.array(fc.nat({ max: NUMBER_MAX }), { minLength: 1, maxLength: NUMBERS_MAX }),
  odd: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(), odd), { maxLength: 2 }) },
  ),
});

const PASSWORDS = ["Another-Good-Pass-71!", "Another-Good-Pass-71!", "short"];
/** What belongs into a field, by its name; names in braces are known when it is sent. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  account: ["{victim}"],
  account_number: ["{account_number}", "{victim}"],
  allowed_cidrs: ["", "198.51.100.0/24"],
  amount: ["12.50", "12.50", "700.00", "1.00", "0.01", "90000.00"],
  bank_account: ["1234567890123456"],
  beneficiary_account_number: ["000987654321"],
  beneficiary_bank_swift_or_routing_code: ["CHASUS33"],
  brand_color: ["#336699"],
  code: ["{code}"],
  confirm_password: PASSWORDS,
  country: ["TT", "JM", "US"],
  customer: ["{email}", "customer@example.com"],
  description: ["", "In the hall"],
  email: ["kim@example.com", "{email}", "{new_email}"],
  expires_at: ["", "2039-01-31", "2039-01-31T12:00:00Z"],
  id_number: ["TB123456", "7"],
  intermediary_bank_routing_number_or_aba: [""],
  intermediary_bank_swift_code: ["", "CITIUS33XXX"],
  max_payments: ["", "1", "3"],
  min_amount: ["1.00"],
  max_amount: ["500.00"],
  name: ["Kim Baptiste"],
  new_password: PASSWORDS,
  old_password: ["{password}"],
  password: ["{password}"],
  phone: ["+18686221234", "6221234"],
  reason: ["returned goods", ""],
  refund_limit: ["", "100.00"],
  website: ["https://shop.example.com"],
  support_email: ["help@example.com"],
  transaction_id: ["{transaction_id}", "{withdrawal_id}"],
  title: ["Classes"],
  until: ["2039-01-31"],
  url: ["https://shop.example.com/hooks"],
  why: ["ticket 4711"],
};
const PLAIN = ["", "Sea grapes", "7"];

/** A list of one: its columns, and what is in them. The environment is that of the page. */
function payees({ environment: _, ...line }: Readonly<Record<string, unknown>>): string {
  return csvLine(Object.keys(line)) + csvLine(Object.values(line).map(String));
}

const FILES = [
  fixture("netpbm.png"),
  fixture("librsvg.svg"),
  Buffer.from(payees({ ...SUB_BANKED, currency: "TTD", amount: "12.50" })),
  Buffer.from("account_number,amount,reference\n{victim},1.00,July\n"),
  Buffer.from("<Document/>"),
  Buffer.from(""),
];

export function filledForm(
  { controls, takesFiles, secret }: PageForm,
  plan: FormPlan,
  known: Readonly<Record<string, string>>,
): Pick<RequestOptions, "form" | "raw"> {
  const values = {
    ...known,
    ...(secret === undefined ? {} : { code: totpCode(fromBase32(secret)) }),
  };
  const numberOf = (index: number) => plan.numbers[index % plan.numbers.length] ?? 0;
  const filled = controls
    .filter(({ kind }) => kind !== "file")
    .flatMap((control, index) => {
      const typed = typedInto(control, plan);
      if (typed === undefined) return filledIn(control, numberOf(index), values);
      return [[control.name, meantBy(typed, values)] as [string, string]];
    });
  for (const [at, value] of plan.odd) {
    const control = filled[at % Math.max(filled.length, 1)];
    if (control !== undefined) control[1] = textOf(value);
  }
  if (!takesFiles) return { form: Object.fromEntries(filled) };
  const texts = filled.map(([name, content]) => ({ name, content, fileName: null }));
  const files = controls
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => ({
      name,
      content: FILES[numberOf(0) % FILES.length] ?? "",
      fileName: "file",
    }));
  return { raw: multipart([...texts, ...files]) };
}

/** The page says what other kinds of fields hold. */
function typedInto({ name, kind }: Control, { typed }: FormPlan): string | undefined {
  if (kind === "typed") return typed && (typed[name] ?? "");
  return kind === "chosen" ? typed?.[name] : undefined;
}

function filledIn(
  { name, kind, values }: Control,
  number: number,
  known: Readonly<Record<string, string>>,
): [string, string][] {
  const [preset = ""] = values;
  const any = values[number % values.length] ?? "";
  if (kind === "hidden") return [[name, preset]];
  if (kind === "chosen") return [[name, number % 2 === 0 ? any : preset]];
  if (kind === "ticked") return number % 2 === 0 ? [[name, any]] : [];
  if (kind === "pressed") return [[name, any]];
  if (preset !== "" && number % 3 > 0) return [[name, preset]];
  const good = TYPED[name] ?? PLAIN;
  const typed = good[number % good.length] ?? "";
  return [[name, meantBy(typed, known)]];
}

function meantBy(typed: string, known: Readonly<Record<string, string>>): string {
  return typed.replace(/^\{(\w+)\}$/, (_, one: string) => known[one] ?? "");
}
