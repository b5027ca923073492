/** The pages of one section of the console, as far as the visitor's role and account have them. */

import type { Section } from "./page.ts";
import { maySee, type PageAccess, type Visitor } from "./visitor.ts";

export interface SectionTab extends PageAccess {
  readonly href: string;
}

export function sectionTabs<Name extends string>(
  section: Section,
  tabs: Readonly<Record<Name, SectionTab>>,
) {
  const visible = (visitor: Visitor) =>
    Object.entries<SectionTab>(tabs).filter(([, tab]) => maySee(visitor, tab));
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
