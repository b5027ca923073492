/** The few words that every part of the service uses, as the interface spells them. */

/** The platforms, by their country. What each of them allows is data of `modules/platforms`. */
export const COUNTRY_CODES = ["BB", "GD", "GY", "JM", "TT"] as const;

export type CountryCode = (typeof COUNTRY_CODES)[number];

export type AccountType = "PERSONAL" | "BUSINESS";

export const ENVIRONMENTS = ["live", "sandbox"] as const;

export type Environment = (typeof ENVIRONMENTS)[number];

/** What payment pages, receipts and links are written in. */
export const LANGUAGES = ["en", "es", "fr", "nl"] as const;

export type Language = (typeof LANGUAGES)[number];
