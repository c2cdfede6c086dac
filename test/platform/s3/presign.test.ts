// Level: unit
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import fc from 'fast-check';
import type { BucketAccess } from '#common/platform/s3/bucket-request.ts';
import { createGetSigner, createPutSigner, type GetToSign, type PutToSign } from '#common/platform/s3/presign.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const access = { region: 'eu-west-1', accessKeyId: 'AKIA/with+odd=chars', secretAccessKey: 'a secret of ours' };
const letter: PutToSign = {
  key: 'u/org_1/letter',
  contentType: 'application/pdf',
  sizeBytes: 1_000,
  expiresInS: 600,
  at: new Date('2026-03-01T12:00:00.000Z'),
};

describe('the presigned URL of an upload', () => {
  const sessionToken = 'a/session+token=';
  const stores: [string, Partial<BucketAccess>][] = [
    ['http://127.0.0.1:9000', {}],
    ['https://files.example.com', { sessionToken }],
    ['https://example.com/storage/', {}],
    ['https://files.example.com', { forcePathStyle: false }],
    ['https://example.com:9000/storage', { forcePathStyle: false, sessionToken }],
    ['http://127.0.0.1:9000', { forcePathStyle: false }],
  ];
  test.each(stores)(
    "the URL for %s with %j equals that of Amazon's own signer for any key, type, size and time",
    async (endpoint, changes) => {
      const sign = createPutSigner({ ...access, endpoint, bucket: 'letters', ...changes });
      const oracle = signedByAmazon(endpoint, changes);
      await fc.assert(
        fc.asyncProperty(puts, async (put) => {
          expect((await sign(put)).url).toBe(await oracle(put));
        }),
        { numRuns: 100 },
      );
    },
  );

  test('uploads around midnight are signed with the key of their own day, in any order', async () => {
    const endpoint = 'http://127.0.0.1:9000';
    const sign = createPutSigner({ ...access, endpoint, bucket: 'letters' });
    for (const time of ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-01T23:59:59.999Z']) {
      const put = { ...letter, at: new Date(time) };
      expect((await sign(put)).url).toBe(await signedByAmazon(endpoint)(put));
    }
  });

  test('the result names the required headers', async () => {
    const sign = createPutSigner({ ...access, endpoint: 'http://127.0.0.1:9000', bucket: 'letters' });
    expect((await sign(letter)).headers).toEqual({ 'content-type': 'application/pdf' });
  });

  const nonsense: [string, Partial<PutToSign>][] = [
    ['an empty key', { key: '' }],
    ['a type with a line break', { contentType: 'application/pdf\r\nx-amz-acl: public-read' }],
    ['a type with a run of blanks', { contentType: 'text/plain;  charset=utf-8' }],
    ['an empty type', { contentType: '' }],
    ['a negative size', { sizeBytes: -1 }],
    ['half a byte', { sizeBytes: 0.5 }],
    ['an expiry of 0 s', { expiresInS: 0 }],
    ['an expiry over seven days', { expiresInS: 604_801 }],
  ];
  test.each(nonsense)('%s throws', async (_, change) => {
    const sign = createPutSigner({ ...access, endpoint: 'http://127.0.0.1:9000', bucket: 'letters' });
    await expect(sign({ ...letter, ...change })).rejects.toThrow(RangeError);
  });
});

describe('the presigned URL of a download', () => {
  test("equals that of Amazon's own signer for any key and time", async () => {
    const endpoint = 'https://example.com/storage';
    const sign = createGetSigner({ ...access, endpoint, bucket: 'letters' });
    const client = createClient(endpoint, {});
    await fc.assert(
      fc.asyncProperty(gets, async (get) => {
        const { key: Key, expiresInS: expiresIn, at: signingDate } = get;
        const command = new GetObjectCommand({ Bucket: 'letters', Key });
        expect(await sign(get)).toBe(await getSignedUrl(client, command, { expiresIn, signingDate }));
      }),
      { numRuns: 100 },
    );
  });

  test('an empty key and a lifetime out of range throw', async () => {
    const sign = createGetSigner({ ...access, endpoint: 'http://127.0.0.1:9000', bucket: 'letters' });
    const get = { key: 'p/letter.pdf', expiresInS: 300, at: new Date('2026-03-01T12:00:00.000Z') };
    for (const change of [{ key: '' }, { expiresInS: 0 }, { expiresInS: 604_801 }]) {
      await expect(sign({ ...get, ...change })).rejects.toThrow(RangeError);
    }
  });
});

const anyKey = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."/.~-_!'()*+ &=?#%:;,@$[]"), minLength: 1, maxLength: 30 }),
);
const anyLifetime = {
  expiresInS: fc.integer({ min: 1, max: 604_800 }),
  at: fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
};
const gets: fc.Arbitrary<GetToSign> = fc.record({ key: anyKey, ...anyLifetime });
const puts: fc.Arbitrary<PutToSign> = fc.record({
  key: anyKey,
  contentType: fc.constantFrom('application/pdf', 'image/jpeg', 'image/png', 'image/heic', 'text/plain; charset=utf-8'),
  sizeBytes: fc.nat(20_971_520),
  ...anyLifetime,
});

function createClient(endpoint: string, { forcePathStyle = true, sessionToken }: Partial<BucketAccess>): S3Client {
  const { region, accessKeyId, secretAccessKey } = access;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  const checksums = {
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  return new S3Client({ endpoint, region, credentials, forcePathStyle, ...checksums });
}

function signedByAmazon(endpoint: string, changes: Partial<BucketAccess> = {}) {
  const client = createClient(endpoint, changes);
  const signableHeaders = new Set(['content-type', 'content-length', 'host']);

  return ({ key, contentType, sizeBytes, expiresInS, at }: PutToSign) => {
    const put = { Bucket: 'letters', Key: key, ContentType: contentType, ContentLength: sizeBytes };
    return getSignedUrl(client, new PutObjectCommand(put), { expiresIn: expiresInS, signableHeaders, signingDate: at });
  };
}
