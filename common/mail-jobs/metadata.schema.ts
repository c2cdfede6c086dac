import { z } from 'zod';
import { sha256Hex } from '../secrets.ts';
import { lineOfText } from '../text.schema.ts';

export const maxMetadata = { entries: 20, keyLength: 40, valueLength: 500 } as const;

/** Letters, digits, `_` and `-`, beginning with a letter or digit: none means anything to a database or a program. */
const MetadataKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'Use 1 to 40 of A-Z a-z 0-9 _ -, beginning with a letter or digit.');

const Entries = z
  .record(MetadataKey, lineOfText(maxMetadata.valueLength))
  .refine(
    (entries) => Object.keys(entries).length <= maxMetadata.entries,
    `Must have at most ${maxMetadata.entries} keys.`,
  )
  .meta({ maxProperties: maxMetadata.entries });

/** The caller's own notes on a mail job, by key; the same in a request and in a filter, whose entries must all match. */
export const Metadata = z.preprocess((value, context) => {
  // A record would drop it without a word.
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    context.addIssue({ code: 'custom', input: value, path: ['__proto__'], message: 'Use another key.' });
  }
  return value;
}, Entries);
export type Metadata = z.infer<typeof Metadata>;

/** Metadata as it is stored: keys that callers choose are values there, never names of fields. */
export type MetadataEntry = { key: string; value: string };

/** The fields of a stored job, none for a job without metadata. */
export function metadataFields(metadata: Metadata | null | undefined) {
  const entries = Object.entries(metadata ?? {}).map(([key, value]): MetadataEntry => ({ key, value }));
  return entries.length === 0 ? {} : { metadata: entries, metadataTags: Object.entries(metadata ?? {}).map(tagOf) };
}

/** What an entry is found by: short and of one length, whatever it says. 128 bits tell any two entries apart. */
export function tagOf([key, value]: readonly [string, string]): string {
  return sha256Hex(`${key}\u0000${value}`).slice(0, 32);
}

export function toMetadata(entries: readonly MetadataEntry[] = []): Metadata {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}
