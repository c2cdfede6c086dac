import type { PostalAddress } from '#common/organizations/organization.model.ts';

/** A row, and how long its address or text is. */
type Longest = { row: number; length: number };

/** Rows to look at, and sums by country, before the letters of a bulk are paid. It holds no name and no address. */
export type BulkOverview = {
  /** The first row that can be sent. */
  firstRow: number | null;
  longestAddress: Longest | null;
  /** By the characters of the template's values, or the pages of a document of its own. */
  longestText: Longest | null;
  /** What the letters to each country cost, VAT included. */
  countries: { country: string; letters: number; cents: number }[];
};

export const noOverview: BulkOverview = { firstRow: null, longestAddress: null, longestText: null, countries: [] };

type SeenRow = { row: number; recipient: PostalAddress; textLength: number; priceCents: number };

/** Returns what sums up the valid rows of a bulk, in order. Begins with those of `before`. */
export function createOverview(before: BulkOverview = noOverview) {
  const overview = { ...before };
  const countries = new Map(before.countries.map((each) => [each.country, { ...each }]));
  const longer = (known: Longest | null, row: number, length: number) =>
    known !== null && known.length >= length ? known : { row, length };

  return {
    add({ row, recipient, textLength, priceCents }: SeenRow): void {
      const { name, line1, line2, zip, city, country } = recipient;
      overview.firstRow ??= row;
      const addressLength = [name, line1, line2 ?? '', zip, city].join('').length;
      overview.longestAddress = longer(overview.longestAddress, row, addressLength);
      overview.longestText = longer(overview.longestText, row, textLength);
      const known = countries.get(country) ?? { country, letters: 0, cents: 0 };
      countries.set(country, { country, letters: known.letters + 1, cents: known.cents + priceCents });
    },
    result(): BulkOverview {
      return { ...overview, countries: [...countries.values()].toSorted((a, b) => b.letters - a.letters) };
    },
  };
}
