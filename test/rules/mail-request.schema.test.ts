import { describe, expect, test } from '@jest/globals';
import { toIssues } from '../../api/issues.ts';
import { MailRequest, QuoteRequest } from '../../common/mail-jobs/mail-request.schema.ts';
import { aMailRequest, aRequestAddress } from '../support/sample-mail-request.ts';

/** The paths that a body is refused at, as callers see them, joined by dots, each once. */
function refusedAt(body: unknown, schema: typeof MailRequest | typeof QuoteRequest = MailRequest): string[] {
  const { error } = schema.safeParse(body);
  return [...new Set(toIssues(error ?? { issues: [] }).map(({ path }) => path.join('.')))];
}
const withField = (field: string, value: unknown) => aMailRequest({ [field]: value });
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const abroad = { country: 'NL', zip: '1011 AB' };

/** Values at the edges of each field: those that pass and those that do not. */
const edges: Record<string, { good: unknown[]; bad: unknown[] }> = {
  zone: { good: ['NATIONAL'], bad: ['national', 'EUROPE', '', 1, null] },
  serviceType: { good: ['standard', 'prior', 'registered'], bad: ['Standard', 'express', '', 1, null] },
  pages: { good: [1, 2_000], bad: [0, 2_001, -1, 1.5, '1', null, Number.NaN, Number.POSITIVE_INFINITY, true] },
  color: { good: [true, false, null], bad: ['true', 0, 1, ''] },
  acknowledgmentReceipt: { good: [true, false, null], bad: ['true', 0, 1, ''] },
  scheduledDropAt: {
    good: ['2026-06-10T12:00:00Z', '2026-06-10T12:00:00.123+02:00', '2028-02-29T00:00:00-11:00', null],
    bad: ['2026-06-10', '2026-06-10T12:00:00', '2026-02-29T12:00:00Z', '10/06/2026', '', 1_780_000_000, '12:00Z'],
  },
  recipients: {
    good: [many(1, aRequestAddress()), many(100, aRequestAddress())],
    bad: [[], many(101, aRequestAddress()), {}, 'Ada', null],
  },
  sender: { good: [{ addressId: 'adr_1' }, aRequestAddress(), aRequestAddress(abroad), null], bad: ['Ada', [], 1] },
  files: {
    good: [many(1, { s3Key: 'a' }), many(20, { s3Key: 'a' })],
    bad: [[], many(21, { s3Key: 'a' }), {}, 'a', null],
  },
  externalId: { good: ['a', 'é'.repeat(255), '💌'.repeat(255), null], bad: ['', ' ', 'a'.repeat(256), 'a\u0000b', 5] },
  webhookUrl: { good: [`https://a.example/${'x'.repeat(2_030)}`, null], bad: ['', 'x'.repeat(2_049), 'a\nb', 5] },
  dryRun: { good: [true, false, null], bad: ['false', 0] },
  metadata: { good: [{}, { a: 'b' }, null], bad: ['a', [], 1] },
  maxTotalCents: { good: [0, 1, Number.MAX_SAFE_INTEGER, null], bad: [-1, 0.5, '100', 2 ** 53] },
};
const optional = Object.entries(edges).filter(([, { good }]) => good.includes(null));
const required = Object.keys(edges).filter((field) => !optional.some(([name]) => name === field));

describe('the body of a mailing', () => {
  test('given nothing that is optional, when it is read, then it is taken', () => {
    expect(refusedAt(aMailRequest())).toEqual([]);
    expect(required).toEqual(['zone', 'serviceType', 'pages', 'recipients', 'files']);
  });

  test.each(Object.keys(edges))(
    'given %s at each edge, when it is read, then the inside passes and the outside not',
    (field) => {
      for (const value of edges[field]?.good ?? []) {
        expect([value, refusedAt(withField(field, value))]).toEqual([value, []]);
      }
      for (const value of edges[field]?.bad ?? []) {
        expect([value, refusedAt(withField(field, value))]).toEqual([value, [field]]);
      }
    },
  );

  test.each(required)('given no %s, when it is read, then it is refused there', (field) => {
    const { [field]: _, ...rest } = aMailRequest();
    expect(refusedAt(rest)).toEqual([field]);
  });

  test('given an empty body or none, when it is read, then all that is required is named, or the body itself', () => {
    expect(refusedAt({})).toEqual(required);
    for (const body of [undefined, null, [], 'text', 5]) expect(refusedAt(body)).toEqual(['']);
  });
});

describe('an address in a mailing', () => {
  const limits = { name: 100, line1: 100, line2: 100, zip: 16, city: 80 };
  test.each(Object.entries(limits))(
    'given %s, when it has %i code points, then it passes, and one more not',
    (field, limit) => {
      const body = (length: number) => {
        const address = aRequestAddress({ ...abroad, [field]: '💌'.repeat(length) });
        return aMailRequest({ zone: 'INTERNATIONAL', recipients: [address], sender: address });
      };
      expect(refusedAt(body(limit))).toEqual([]);
      expect(refusedAt(body(limit + 1)).sort()).toEqual([`recipients.0.${field}`, `sender.${field}`]);
    },
  );

  test.each(['name', 'line1', 'zip', 'city', 'country'])(
    'given an address without %s, when it is read, then it is named',
    (field) => {
      const { [field]: _, ...address } = aRequestAddress();
      expect(refusedAt(aMailRequest({ recipients: [address], sender: address })).sort()).toEqual([
        `recipients.0.${field}`,
        `sender.${field}`,
      ]);
      expect(refusedAt(aMailRequest({ recipients: [aRequestAddress({ [field]: null })] }))).toEqual([
        `recipients.0.${field}`,
      ]);
    },
  );

  test('given line2 as null or left out, when it is read, then it is the same', () => {
    for (const line2 of [null, undefined, 'Box 3']) {
      expect(refusedAt(aMailRequest({ recipients: [aRequestAddress({ line2 })] }))).toEqual([]);
    }
  });

  test.each([
    ['NATIONAL', ['BE', 'BE'], []],
    ['NATIONAL', ['BE', 'NL'], ['recipients.1.country']],
    ['NATIONAL', ['FR', 'NL'], ['recipients.0.country', 'recipients.1.country']],
    ['INTERNATIONAL', ['FR', 'NL'], []],
    ['INTERNATIONAL', ['BE', 'NL'], ['recipients.0.country']],
    ['NATIONAL', ['be', 'BE'], ['recipients.0.country']],
    ['INTERNATIONAL', ['XX', 'NL'], ['recipients.0.country']],
  ])('given the zone %s, when letters go to %j, then only countries of the zone pass', (zone, countries, paths) => {
    const recipients = countries.map((country) => aRequestAddress({ country }));
    expect(refusedAt(aMailRequest({ zone, recipients }))).toEqual(paths);
  });

  test('given a sender from abroad, when the letter is national, then it is fine', () => {
    expect(refusedAt(aMailRequest({ sender: aRequestAddress({ country: 'FR', zip: '75001' }) }))).toEqual([]);
  });

  test.each(['999', '0999', '10000', 'B-1000', '10 00'])(
    'given the zip %s in Belgium, when it is read, then it is refused',
    (zip) => {
      const address = aRequestAddress({ zip });
      const paths = refusedAt(aMailRequest({ recipients: [aRequestAddress(), address], sender: address }));
      expect(paths).toEqual(['recipients.1.zip', 'sender.zip']);
    },
  );

  test('given spaces around texts, when they are read, then they are gone', () => {
    const recipient = { name: ' Ada ', line1: '\tRue\n', zip: ' 1000 ', city: ' Bruxelles', country: ' BE ' };
    const { recipients, externalId } = MailRequest.parse(aMailRequest({ recipients: [recipient], externalId: ' a ' }));
    expect(recipients[0]).toEqual({ name: 'Ada', line1: 'Rue', zip: '1000', city: 'Bruxelles', country: 'BE' });
    expect(externalId).toBe('a');
  });
});

describe('a file in a mailing', () => {
  test.each([
    ['s3Key', ['a', 'x'.repeat(1_024)], ['', 'x'.repeat(1_025), null, 5]],
    ['filename', ['a.pdf', 'é'.repeat(255), null], ['', 'x'.repeat(256), 'a\u0007', 5]],
    ['mimeType', ['application/pdf', null], ['', 5]],
    ['sizeBytes', [1, 20_971_520, null], [0, -1, 1.5, '1']],
  ])('given %s at its edges, when it is read, then the inside passes and the outside not', (field, good, bad) => {
    const body = (value: unknown) => aMailRequest({ files: [{ s3Key: 'a' }, { s3Key: 'b', [field]: value }] });
    for (const value of good) expect([value, refusedAt(body(value))]).toEqual([value, []]);
    for (const value of bad) expect([value, refusedAt(body(value))]).toEqual([value, [`files.1.${field}`]]);
  });
});

describe('fields that nobody knows', () => {
  const names = ['acknowledgementReceipt', 'Pages', '__proto__', 'constructor', 'toString', ''];
  const add = (object: Record<string, unknown>, name: string) =>
    JSON.parse(JSON.stringify(object).replace(/}$/, `,${JSON.stringify(name)}:{"a":1}}`));

  test.each(names)('given the field %j, when it stands anywhere in a body, then it is refused by its name', (name) => {
    expect(refusedAt(add(aMailRequest(), name))).toEqual([name]);
    expect(refusedAt(aMailRequest({ recipients: [add(aRequestAddress(), name)] }))).toEqual([`recipients.0.${name}`]);
    expect(refusedAt(aMailRequest({ sender: add(aRequestAddress(), name) }))).toEqual([`sender.${name}`]);
    expect(refusedAt(aMailRequest({ files: [add({ s3Key: 'a' }, name)] }))).toEqual([`files.0.${name}`]);
  });

  test('given an unknown field beside other faults, when it is read, then all are named', () => {
    expect(refusedAt(add(aMailRequest({ pages: 0 }), '__proto__')).sort()).toEqual(['__proto__', 'pages']);
  });
});

describe('the body of a quote', () => {
  const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
  test('given the number of recipients, when it is 1 to 100 or left out, then it passes, and else not', () => {
    for (const recipientCount of [1, 100, null, undefined]) {
      expect(refusedAt({ ...quote, recipientCount }, QuoteRequest)).toEqual([]);
    }
    for (const recipientCount of [0, 101, 1.5, '1']) {
      expect(refusedAt({ ...quote, recipientCount }, QuoteRequest)).toEqual(['recipientCount']);
    }
  });

  test.each(['zone', 'serviceType', 'pages', 'color', 'acknowledgmentReceipt'])(
    'given %s, when a quote is asked for, then it has the same edges as in a mailing',
    (field) => {
      for (const value of edges[field]?.good ?? [])
        expect(refusedAt({ ...quote, [field]: value }, QuoteRequest)).toEqual([]);
      for (const value of edges[field]?.bad ?? []) {
        expect([value, refusedAt({ ...quote, [field]: value }, QuoteRequest)]).toEqual([value, [field]]);
      }
    },
  );

  test('given recipients, when a quote is asked for, then they are not known', () => {
    expect(refusedAt({ ...quote, recipients: [aRequestAddress()] }, QuoteRequest)).toEqual(['recipients']);
  });
});
