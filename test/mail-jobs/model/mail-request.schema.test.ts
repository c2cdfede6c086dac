// Level: unit
import { parseInput } from '#api/requests/parse-input.ts';
import type { Issue } from '#common/errors.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aMailRequest } from '#test/support/product/customer.ts';

/** Returns the paths of a body's issues, joined by dots, without duplicates. */
function refusedAt(body: unknown): string[] {
  const issues: Issue[] = [];
  parseInput(MailRequest, body, issues);
  return [...new Set(issues.map(({ path }) => path.join('.')))];
}

/** What requests over HTTP cannot show: these need a clock, a stored file, or a value that JSON does not have. */
describe('the body of POST /v1/mails', () => {
  test('a body with only the required fields is accepted, and a non-object names the body', () => {
    expect(refusedAt(aMailRequest())).toEqual([]);
    for (const body of [undefined, null, [], 'text', 5]) expect(refusedAt(body)).toEqual(['']);
  });

  test('scheduledDropAt is an existing moment with an offset, and pages is a finite number', () => {
    for (const scheduledDropAt of [
      '2026-06-10T12:00:00Z',
      '2026-06-10T12:00:00.123+02:00',
      '2028-02-29T00:00:00-11:00',
    ])
      expect([scheduledDropAt, refusedAt(aMailRequest({ scheduledDropAt }))]).toEqual([scheduledDropAt, []]);
    for (const scheduledDropAt of ['2026-02-29T12:00:00Z', '10/06/2026', '12:00Z'])
      expect([scheduledDropAt, refusedAt(aMailRequest({ scheduledDropAt }))]).toEqual([
        scheduledDropAt,
        ['scheduledDropAt'],
      ]);
    for (const pages of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(refusedAt(aMailRequest({ pages }))).toEqual(['pages']);
  });

  test.each([
    ['s3Key', ['a', 'x'.repeat(1_024)], ['', 'x'.repeat(1_025), null, 5]],
    ['filename', ['a.pdf', 'é'.repeat(255), null], ['', 'x'.repeat(256), 'a\u0007', 5]],
    ['mimeType', ['application/pdf', null], ['', 5]],
    ['sizeBytes', [1, 20_971_520, null], [0, -1, 1.5, '1']],
  ])('%s of a file is accepted up to its limits and refused beyond', (field, good, bad) => {
    const body = (value: unknown) => aMailRequest({ files: [{ s3Key: 'a' }, { s3Key: 'b', [field]: value }] });
    for (const value of good) expect([value, refusedAt(body(value))]).toEqual([value, []]);
    for (const value of bad) expect([value, refusedAt(body(value))]).toEqual([value, [`files.1.${field}`]]);
  });
});
