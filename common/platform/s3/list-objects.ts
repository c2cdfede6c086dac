import { readBody } from './receive-body.ts';
import type { StoreRequests } from './send-request.ts';

export type ListedObject = { key: string; sizeBytes: number };

/** S3's own maximum of one answer. */
const defaultPageSize = 1_000;
/** 1,000 keys of 1,024 bytes take 2 MB with what the store says about each. */
const maxAnswerBytes = 16 * 1024 * 1024;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Yields the objects whose keys begin with `prefix`, in the order of their keys. Objects that are stored or deleted
 * meanwhile may be left out or included.
 */
export async function* listObjects(
  send: StoreRequests['send'],
  prefix: string,
  pageSize = defaultPageSize,
): AsyncGenerator<ListedObject> {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = { 'list-type': '2', 'max-keys': String(pageSize), prefix };
    const answer = await send('list its objects', {
      method: 'GET',
      query: { ...query, ...(token !== '' && { 'continuation-token': token }) },
    });
    const { body } = answer;
    const xml = (await readBody({ body, sizeBytes: undefined, key: prefix, maxBytes: maxAnswerBytes })).toString();
    for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield { key: textOf(entry, 'Key') ?? '', sizeBytes: Number(textOf(entry, 'Size')) };
    }
    token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : undefined;
  }
}

/** Returns the text of the first element with this name. */
function textOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (entity, decimal, hexadecimal, word) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hexadecimal) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    return entities[word] ?? entity;
  });
}
