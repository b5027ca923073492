/** The pages of one section of the console, as far as the visitor's role and account have them. */

import type { Right } from "../kit/roles.ts";
import type { Section } from "./page.ts";
import type { Visitor } from "./visitor.ts";

export interface SectionTab {
  readonly href: string;
  readonly right: Right;
  /** Other accounts have no such page. */
  readonly onlyBusiness?: true;
}

export function sectionTabs<Name extends string>(
  section: Section,
  tabs: Readonly<Record<Name, SectionTab>>,
) {
  const visible = ({ account, mayDo }: Visitor) =>
    Object.entries<SectionTab>(tabs).filter(
      ([, { right, onlyBusiness }]) =>
        mayDo(right) && (!onlyBusiness || account.accountType === "BUSINESS"),
    );
  return {
    /** What every page of the section has in its frame. */
    frame(visitor: Visitor, current: Name) {
      const items = visible(visitor).map(([name, { href }]) => ({
        name,
        href,
        isCurrent: name === current,
      }));
      return { section, tabs: { label: section, items } };
    },
    /** Where the section's own name leads; undefined where the visitor has none of its pages. */
    first: (visitor: Visitor): string | undefined => visible(visitor)[0]?.[1].href,
  };
}
