// Level: unit
import fc from 'fast-check';
import { hashMailRequest } from '#common/mail-jobs/create/hash-mail-request.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { createKeyRing } from '#common/secrets.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';
import { aMailRequest, aRequestAddress } from '#test/support/product/customer.ts';

const keys = ['k1', 'k2'].map((id, index) => `${id}:${Buffer.alloc(32, index).toString('base64')}`);
const hashesOf = (body: unknown, ring = keys) =>
  hashMailRequest(MailRequest.parse(body), createKeyRing(ring).signer('requests'));
const hashOf = (body: unknown) => hashesOf(body)[0];
const plain = aMailRequest();

/** Returns the same value with the fields of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, reversed(field)])
      .reverse(),
  );
}

describe('the hash of a request', () => {
  test('needs the key, and is the same with a key that is no longer the first', () => {
    const [first, second] = hashesOf(plain);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(first).not.toBe(second);
    expect(hashesOf(plain, keys.toReversed())).toEqual([second, first]);
  });

  test.each([
    ['the order of fields', reversed(plain)],
    ['whether a flag is absent or false', { ...plain, color: false, acknowledgmentReceipt: false }],
    ['whether printing on both sides is absent or true', { ...plain, doubleSided: true }],
    ['whether a field is absent or null', { ...plain, color: null, sender: null, externalId: null, webhookUrl: null }],
    ['whether line2 is absent or null', { ...plain, recipients: [aRequestAddress({ line2: null })] }],
    ['whether a file name is absent or null', { ...plain, files: [{ s3Key: 'u/org_1/abc', filename: null }] }],
    ['spaces around a value', { ...plain, recipients: [aRequestAddress({ name: '  Ada Peeters ' })] }],
    ['dryRun', { ...plain, dryRun: false }],
  ])('does not depend on %s', (_name, body) => {
    expect(hashOf(body)).toBe(hashOf(plain));
  });

  const [ada, bob] = [aRequestAddress(), aRequestAddress({ name: 'Bob Claes' })];
  test.each([
    ['pages', { pages: 2 }],
    ['service', { serviceType: 'prior' }],
    ['colour', { color: true }],
    ['one side', { doubleSided: false }],
    ['receipt', { acknowledgmentReceipt: true }],
    ['time', { scheduledDropAt: '2026-06-10T12:00:00Z' }],
    ['sender', { sender: ada }],
    ['webhookUrl', { webhookUrl: 'https://hooks.example.com/' }],
    ['externalId', { externalId: 'a' }],
    ['highest price', { maxTotalCents: 1_000 }],
    ['file', { files: [{ s3Key: 'u/org_1/other' }] }],
    ['number of files', { files: [{ s3Key: 'u/org_1/abc' }, { s3Key: 'u/org_1/abc' }] }],
    ['recipient', { recipients: [bob] }],
    ['number of recipients', { recipients: [ada, ada] }],
    ['line2', { recipients: [aRequestAddress({ line2: 'Box 3' })] }],
  ])('depends on: %s', (_name, change) => {
    expect(hashOf({ ...plain, ...change })).not.toBe(hashOf(plain));
  });

  test('depends on the order of recipients and files', () => {
    expect(hashOf({ ...plain, recipients: [ada, bob] })).not.toBe(hashOf({ ...plain, recipients: [bob, ada] }));
    const [first, second] = [{ s3Key: 'a' }, { s3Key: 'b' }];
    expect(hashOf({ ...plain, files: [first, second] })).not.toBe(hashOf({ ...plain, files: [second, first] }));
  });

  test('differs when text moves from one field to another', () => {
    const text = fc.stringMatching(/^[a-z",:[\]{}]{1,20}$/);
    forAny([text, text, text, text], (name, line1, otherName, otherLine1) => {
      const hash = (fields: object) => hashOf(aMailRequest({ recipients: [aRequestAddress({ ...fields })] }));
      const areSame = name === otherName && line1 === otherLine1;
      expect(hash({ name, line1 }) === hash({ name: otherName, line1: otherLine1 })).toBe(areSame);
    });
  });
});
