import type { DiskStorage } from './disk-storage.ts';

const maxKeys = 1_000;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

/**
 * Answers ListObjectsV2 with the query's `prefix`, `max-keys` and `continuation-token`, which is the last key of the page
 * before. Each page reads all files, which suits a developer's machine.
 */
export async function listAsXml(storage: DiskStorage, bucket: string, query: Record<string, string>): Promise<string> {
  const { prefix = '', 'max-keys': wanted = String(maxKeys), 'continuation-token': after } = query;
  const left = (await storage.list(prefix)).filter(({ key }) => after === undefined || key > after);
  const page = left.slice(0, Math.min(Math.max(Number.parseInt(wanted, 10) || 0, 0), maxKeys));
  const isTruncated = page.length < left.length && page.length > 0;
  const contents = page.map(
    ({ key, sizeBytes, md5 }) =>
      `<Contents><Key>${escapeXml(key)}</Key><Size>${sizeBytes}</Size><ETag>&quot;${md5}&quot;</ETag></Contents>`,
  );
  const next = isTruncated ? `<NextContinuationToken>${escapeXml(page.at(-1)?.key ?? '')}</NextContinuationToken>` : '';
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    `<Name>${escapeXml(bucket)}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>` +
    `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  );
}
