import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import { sha256Hex } from '#common/secrets.ts';

export const maxMetadata = { entries: 20, keyLength: 40, valueLength: 500 } as const;

/** Security: excludes characters with a meaning in MongoDB or JavaScript (`.`, `$`, a leading `_`). */
const MetadataKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'Use 1 to 40 of A-Z a-z 0-9 _ -, beginning with a letter or digit.');

/** Returns the schema of metadata with these values. */
function entriesOf<Value extends z.ZodType>(value: Value) {
  const entries = z
    .record(MetadataKey, value)
    .refine(
      (given) => Object.keys(given).length <= maxMetadata.entries,
      `Must have at most ${maxMetadata.entries} keys.`,
    )
    .meta({ maxProperties: maxMetadata.entries });
  return z.preprocess((given, context) => {
    // z.record would drop this key silently.
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
      context.addIssue({ code: 'custom', input: given, path: ['__proto__'], message: 'Use another key.' });
    }
    return given;
  }, entries);
}

/** The caller's own values by key. Also the schema of the list filter, where all entries must match. */
export const Metadata = entriesOf(lineOfText(maxMetadata.valueLength));
export type Metadata = z.infer<typeof Metadata>;

/** A merge patch of metadata (RFC 7396): `null` removes a key. */
export const MetadataPatch = entriesOf(lineOfText(maxMetadata.valueLength).nullable());
export type MetadataPatch = z.infer<typeof MetadataPatch>;

/** Stored metadata. Security: keys chosen by callers are stored as values, never as field names. */
export type MetadataEntry = { key: string; value: string };

/** Returns the metadata fields of a stored job; no fields without metadata. */
export function metadataFields(metadata: Metadata | null | undefined) {
  const entries = Object.entries(metadata ?? {}).map(([key, value]): MetadataEntry => ({ key, value }));
  return entries.length === 0 ? {} : { metadata: entries, metadataTags: Object.entries(metadata ?? {}).map(tagOf) };
}

/** Returns the indexed tag of an entry: 128 bits of its hash, so index keys are short and of equal length. */
export function tagOf([key, value]: readonly [string, string]): string {
  return sha256Hex(`${key}\u0000${value}`).slice(0, 32);
}

export function toMetadata(entries: readonly MetadataEntry[] = []): Metadata {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}
