/** An explanation as a page: only ever as text, whatever was pasted. */

import { type Explanation, type Mistake, triedWords } from "../../sdk/src/verify/explanation.ts";
import {
  type Difference,
  differenceWords,
  type Side,
  visible,
} from "../../sdk/src/verify/first-difference.ts";

export function showExplanation(into: HTMLElement, said: Explanation): void {
  const isGood = said.verified && said.mistakes.length === 0;
  into.hidden = false;
  into.classList.toggle("good", isGood);
  into.replaceChildren(
    made("h2", said.verified ? "It verifies." : "It does not verify."),
    ...said.mistakes.flatMap(mistakeParts),
    ...said.notes.map((note) => made("p", visible(note))),
    stepsPart(said),
  );
}

/** For example without WebCrypto, which browsers offer to secure pages only. */
export function showTrouble(into: HTMLElement, error: unknown): void {
  into.hidden = false;
  into.classList.remove("good");
  const isInsecure = !globalThis.isSecureContext;
  const why = isInsecure
    ? "Browsers compute digests on https pages and on this machine alone. Open the page there."
    : String(error instanceof Error ? error.message : error);
  into.replaceChildren(made("h2", "That cannot be computed."), made("p", why));
}

function mistakeParts({ says, instead, difference }: Mistake): HTMLElement[] {
  return [
    made("p", visible(says)),
    made("p", `→ ${instead}`),
    ...(difference === undefined ? [] : differenceParts(difference)),
  ];
}

function differenceParts(difference: Difference): HTMLElement[] {
  const { expected, given } = difference;
  const list = made("dl");
  list.append(made("dt", "Signed"), sidePart(expected), made("dt", "Here"), sidePart(given));
  return [made("p", differenceWords(difference)), list];
}

function sidePart({ before, character, after }: Side): HTMLElement {
  const part = made("dd");
  part.className = "text";
  const mark = made("mark", character === "" ? "end" : visible(character));
  part.append(visible(before), mark, visible(after));
  return part;
}

function stepsPart(said: Explanation): HTMLElement {
  const details = made("details");
  const list = made("dl");
  for (const { title, text } of said.steps) {
    const value = made("dd", text.split("\n").map(visible).join("\n"));
    value.className = "text";
    list.append(made("dt", title), value);
  }
  const ways = made("p", triedWords(said));
  details.append(made("summary", "How it is made, step by step"), list, ways);
  return details;
}

function made(name: string, text = ""): HTMLElement {
  const one = document.createElement(name);
  one.textContent = text;
  return one;
}
