import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPutSigner, type PutToSign } from '../../common/platform/presign-put.ts';

const access = { region: 'eu-west-1', accessKeyId: 'AKIA/with+odd=chars', secretAccessKey: 'a secret of ours' };
const letter: PutToSign = {
  key: 'u/org_1/letter',
  contentType: 'application/pdf',
  sizeBytes: 1_000,
  expiresInS: 600,
  at: new Date('2026-03-01T12:00:00.000Z'),
};

describe('the address of an upload', () => {
  test.each(['http://127.0.0.1:9000', 'https://files.example.com', 'https://example.com/storage/'])(
    "given any key, type, size and time, when signed for %s, then it is what Amazon's own signer makes",
    async (endpoint) => {
      const sign = createPutSigner({ ...access, endpoint, bucket: 'letters' });
      const oracle = signedByAmazon(endpoint);
      await fc.assert(
        fc.asyncProperty(puts, async (put) => {
          expect(sign(put).url).toBe(await oracle(put));
        }),
        { numRuns: 150 },
      );
    },
  );

  test('given times around midnight, when signed in any order, then each has the key of its own day', async () => {
    const endpoint = 'http://127.0.0.1:9000';
    const sign = createPutSigner({ ...access, endpoint, bucket: 'letters' });
    for (const time of ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-01T23:59:59.999Z']) {
      const put = { ...letter, at: new Date(time) };
      expect(sign(put).url).toBe(await signedByAmazon(endpoint)(put));
    }
  });

  test('given an upload, when signed, then the headers to send along are named', () => {
    const sign = createPutSigner({ ...access, endpoint: 'http://127.0.0.1:9000', bucket: 'letters' });
    expect(sign(letter).headers).toEqual({ 'content-type': 'application/pdf' });
  });

  const nonsense: [string, Partial<PutToSign>][] = [
    ['an empty key', { key: '' }],
    ['a type with a line break', { contentType: 'application/pdf\r\nx-amz-acl: public-read' }],
    ['a type with a run of blanks', { contentType: 'text/plain;  charset=utf-8' }],
    ['an empty type', { contentType: '' }],
    ['a negative size', { sizeBytes: -1 }],
    ['half a byte', { sizeBytes: 0.5 }],
    ['no life', { expiresInS: 0 }],
    ['over seven days', { expiresInS: 604_801 }],
  ];
  test.each(nonsense)('given %s, when signed, then it throws', (_, change) => {
    const sign = createPutSigner({ ...access, endpoint: 'http://127.0.0.1:9000', bucket: 'letters' });
    expect(() => sign({ ...letter, ...change })).toThrow(RangeError);
  });
});

const puts: fc.Arbitrary<PutToSign> = fc.record({
  key: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(..."/.~-_!'()*+ &=?#%:;,@$[]"), minLength: 1, maxLength: 30 }),
  ),
  contentType: fc.constantFrom('application/pdf', 'image/jpeg', 'image/png', 'image/heic', 'text/plain; charset=utf-8'),
  sizeBytes: fc.nat(20_971_520),
  expiresInS: fc.integer({ min: 1, max: 604_800 }),
  at: fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
});

function signedByAmazon(endpoint: string) {
  const { region, accessKeyId, secretAccessKey } = access;
  const client = new S3Client({
    ...{ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const signableHeaders = new Set(['content-type', 'content-length', 'host']);

  return ({ key, contentType, sizeBytes, expiresInS, at }: PutToSign) => {
    const put = { Bucket: 'letters', Key: key, ContentType: contentType, ContentLength: sizeBytes };
    return getSignedUrl(client, new PutObjectCommand(put), { expiresIn: expiresInS, signableHeaders, signingDate: at });
  };
}
