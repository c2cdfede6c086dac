import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MailRequest } from '../../common/mail-jobs/mail-request.schema.ts';
import { hashMailRequest } from '../../common/mail-jobs/request-hash.ts';
import { aMailRequest, aRequestAddress } from '../support/sample-mail-request.ts';

const hashOf = (body: unknown) => hashMailRequest(MailRequest.parse(body));
const plain = aMailRequest();

/** The same object with its fields, and those of all objects in it, in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, reversed(field)])
      .reverse(),
  );
}

describe('whether two requests say the same', () => {
  test('given a request, when it is hashed, then it is a SHA-256 in hex', () => {
    expect(hashOf(plain)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['the order of fields', reversed(plain)],
    ['a flag left out or false', { ...plain, color: false, acknowledgmentReceipt: false }],
    ['a field left out or null', { ...plain, color: null, sender: null, externalId: null, webhookUrl: null }],
    ['a line2 left out or null', { ...plain, recipients: [aRequestAddress({ line2: null })] }],
    ['a file name left out or null', { ...plain, files: [{ s3Key: 'u/org_1/abc', filename: null }] }],
    ['spaces around a text', { ...plain, recipients: [aRequestAddress({ name: '  Ada Peeters ' })] }],
    ['a dry run before', { ...plain, dryRun: false }],
  ])('given only %s differs, when both are hashed, then they are the same', (_name, body) => {
    expect(hashOf(body)).toBe(hashOf(plain));
  });

  const [ada, bob] = [aRequestAddress(), aRequestAddress({ name: 'Bob Claes' })];
  test.each([
    ['pages', { pages: 2 }],
    ['service', { serviceType: 'prior' }],
    ['colour', { color: true }],
    ['receipt', { acknowledgmentReceipt: true }],
    ['time', { scheduledDropAt: '2026-06-10T12:00:00Z' }],
    ['sender', { sender: ada }],
    ['webhookUrl', { webhookUrl: 'https://hooks.example.com/' }],
    ['externalId', { externalId: 'a' }],
    ['highest price', { maxTotalCents: 1_000 }],
    ['file', { files: [{ s3Key: 'u/org_1/other' }] }],
    ['one file more', { files: [{ s3Key: 'u/org_1/abc' }, { s3Key: 'u/org_1/abc' }] }],
    ['recipient', { recipients: [bob] }],
    ['one recipient more', { recipients: [ada, ada] }],
    ['line2', { recipients: [aRequestAddress({ line2: 'Box 3' })] }],
  ])('given another %s, when both are hashed, then they differ', (_name, change) => {
    expect(hashOf({ ...plain, ...change })).not.toBe(hashOf(plain));
  });

  test('given the same recipients or files in another order, when both are hashed, then they differ', () => {
    expect(hashOf({ ...plain, recipients: [ada, bob] })).not.toBe(hashOf({ ...plain, recipients: [bob, ada] }));
    const [first, second] = [{ s3Key: 'a' }, { s3Key: 'b' }];
    expect(hashOf({ ...plain, files: [first, second] })).not.toBe(hashOf({ ...plain, files: [second, first] }));
  });

  test('given any two names and streets, when text moves from one to the other, then the hashes differ', () => {
    const text = fc.stringMatching(/^[a-z",:[\]{}]{1,20}$/);
    fc.assert(
      fc.property(text, text, text, text, (name, line1, otherName, otherLine1) => {
        const hash = (fields: object) => hashOf(aMailRequest({ recipients: [aRequestAddress({ ...fields })] }));
        const areSame = name === otherName && line1 === otherLine1;
        expect(hash({ name, line1 }) === hash({ name: otherName, line1: otherLine1 })).toBe(areSame);
      }),
    );
  });
});
