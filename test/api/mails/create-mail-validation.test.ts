// Level: push

import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { setCoverPageRule } from '#common/organizations/cover-pages.ts';
import { beforeAll, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

type Body = Record<string, unknown>;
const emoji = '\u{1f600}';
const controls = ['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\ud800b', '\udc00'];
/** Valid and invalid values of a line of text with at most `max` code points. */
const lineOf = (max: number) => ({
  good: ['a', 'x'.repeat(max), emoji.repeat(max), `  ${'é'.repeat(max)}  `],
  bad: ['', ' \t ', 'x'.repeat(max + 1), emoji.repeat(max + 1), ...controls, 7, true, {}, []],
});
const abroad = (overrides: Body = {}) => aPostalAddress({ country: 'FR', zip: '75001', ...overrides });

describe('the body of POST /v1/mails', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  let before = 0;
  beforeAll(async () => {
    before = await sender.balanceCents();
    // Whether a single address can be printed is judged later then.
    await setCoverPageRule(sender.organizationId, 'never', { by: { kind: 'cli', id: 'test' }, at: new Date() });
  });
  async function expectGood(overrides: Body): Promise<void> {
    const answer = await sender.send({ dryRun: true, ...overrides });
    expect([overrides, answer.status, answer.body.issues]).toEqual([overrides, 200, undefined]);
  }
  async function expectBad(overrides: Body, ...paths: string[]): Promise<void> {
    const answer = await sender.send(overrides);
    expect([overrides, answer.status, answer.body.code]).toEqual([overrides, 400, 'VALIDATION_ERROR']);
    expect([overrides, [...new Set(issuePaths(answer))].sort()]).toEqual([overrides, paths.sort()]);
  }
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

  test.each([
    ['zone', ['NATIONAL'], ['national', 'EUROPE', '', null, 1]],
    ['serviceType', ['standard', 'prior', 'registered'], ['express', 'Standard', '', 1, null]],
    ['pages', [1, 2_000], [0, 2_001, 1.5, -1, '1', null, true]],
    ['color', [true, false, null], ['true', 0, 1, '']],
    ['acknowledgmentReceipt', [true, false, null], ['true', 0, 1, '']],
    ['dryRun', [true], ['true', 'false', 0, 1]],
    ['maxTotalCents', [9_007_199_254_740_991, null], [-1, 0.5, 1.5, '500', 9_007_199_254_740_992]],
    ['externalId', [...lineOf(255).good, null], lineOf(255).bad],
    ['sender', [aPostalAddress(), abroad(), null], ['Ada', 1, []]],
    [
      'recipients',
      [many(1, aPostalAddress()), many(100, aPostalAddress())],
      [[], many(101, aPostalAddress()), {}, 'Ada', null],
    ],
    [
      'webhookUrl',
      ['https://127.0.0.1/x', `https://127.0.0.1/${'x'.repeat(2_030)}`, null],
      [
        ...[`https://127.0.0.1/${'x'.repeat(2_031)}`, 'http://example.com/hook', 'ftp://example.com/hook'],
        ...['https://user:secret@example.com/hook', 'https://example.com:22/hook', 'https://10.0.0.1/hook'],
        ...['https://[::ffff:169.254.169.254]/hook', 'example.com/hook', 'https://exa mple.com', 'a\nb', '', 7],
      ],
    ],
  ])('%s is accepted up to its limits, and 400 names it beyond', async (field, good, bad) => {
    for (const value of good) await expectGood({ [field]: value });
    for (const value of bad) await expectBad({ [field]: value }, field);
  });

  test('a letter has 1 to 20 files, and 400 names each bad field of a file', async () => {
    const file = { s3Key: sender.s3Key };
    for (const count of [1, 20]) await expectGood({ files: many(count, file) });
    for (const files of [[], many(21, file), null, file, 'a']) await expectBad({ files }, 'files');
    await expectBad({ files: [file, {}] }, 'files.1.s3Key');
    await expectBad({ files: [{ ...file, sizeBytes: 0 }] }, 'files.0.sizeBytes');
    for (const sizeBytes of [1.5, '1', true]) await expectBad({ files: [{ ...file, sizeBytes }] }, 'files.0.sizeBytes');
    for (const field of ['s3Key', 'filename', 'mimeType']) {
      for (const value of ['', 'a\u0000', 7, 'x'.repeat(1_025)]) {
        await expectBad({ files: [{ ...file, [field]: value }] }, `files.0.${field}`);
      }
    }
    await expectGood({ files: [{ ...file, filename: null, mimeType: null, sizeBytes: null }] });
  });

  test.each([
    ['name', lineOf(100)],
    ['line1', lineOf(100)],
    ['line2', { good: [...lineOf(100).good, null, undefined], bad: lineOf(100).bad }],
    ['city', lineOf(80)],
    ['zip', lineOf(16)],
    ['country', { good: ['FR', 'US', ' NL '], bad: ['fr', 'FRA', 'XX', 'EU', 'UK', '', 1] }],
  ])(
    '%s of a recipient or sender is accepted up to its limits, and 400 names it beyond',
    async (field, { good, bad }) => {
      for (const value of good) {
        await expectGood({
          zone: 'INTERNATIONAL',
          recipients: [abroad({ [field]: value })],
          sender: abroad({ [field]: value }),
        });
      }
      const isRequired = field !== 'line2';
      for (const value of isRequired ? [...bad, null, undefined] : bad) {
        const recipients = [abroad(), abroad({ [field]: value })];
        await expectBad({ zone: 'INTERNATIONAL', recipients }, `recipients.1.${field}`);
        await expectBad(
          { zone: 'INTERNATIONAL', recipients: [abroad()], sender: abroad({ [field]: value }) },
          `sender.${field}`,
        );
      }
    },
  );

  test('a recipient outside the zone is refused, a sender may be anywhere', async () => {
    await expectBad({ recipients: [aPostalAddress(), abroad()] }, 'recipients.1.country');
    const recipients = [abroad(), aPostalAddress(), aPostalAddress()];
    await expectBad({ zone: 'INTERNATIONAL', recipients }, 'recipients.1.country', 'recipients.2.country');
    // The sender may be in any country.
    await expectGood({ zone: 'INTERNATIONAL', recipients: [abroad()], sender: aPostalAddress() });
    await expectGood({ zone: 'NATIONAL', sender: abroad() });
  });

  test('a Belgian zip must be 1000 to 9999', async () => {
    for (const zip of ['1000', '9999', 'B-1000', 'BE-9999'])
      await expectGood({ recipients: [aPostalAddress({ zip })] });
    for (const zip of ['0999', '999', '10000', 'B-100', 'L-1000', '10 00', '1000a', '１０００', '']) {
      await expectBad({ recipients: [aPostalAddress(), aPostalAddress({ zip })] }, 'recipients.1.zip');
      await expectBad({ sender: aPostalAddress({ zip }) }, 'sender.zip');
    }
  });

  test('400 names every fault of an address at once, in the address book too', async () => {
    const faulty = { ...aPostalAddress({ name: '', zip: '999' }), city: 7, street: 'x' };
    const faults = ['city', 'name', 'street', 'zip'];
    const abroadAndEmpty = abroad({ line1: '' });
    const expected = [
      ...faults.flatMap((field) => [`recipients.0.${field}`, `sender.${field}`]),
      ...['recipients.1.country', 'recipients.1.line1'],
    ];
    await expectBad({ recipients: [faulty, abroadAndEmpty], sender: faulty }, ...expected);
    const entry = { ...faulty, kind: 'SENDER' };
    expect(issuePaths(await sender.http.post('/v1/addresses', entry)).sort()).toEqual(faults);
    const { body } = await sender.http.post('/v1/addresses', { ...aPostalAddress(), kind: 'SENDER' });
    expect(issuePaths(await sender.http.patch(`/v1/addresses/${body.id}`, faulty)).sort()).toEqual(faults);
  });

  const unknown = ['colour', '__proto__', 'constructor', 'toString', '', 'mailJobId', 'Zone'];
  test.each(unknown)('the unknown field %s is refused, and 400 names each place', async (name) => {
    const mark = 'replaced-below';
    const strange = { [mark]: true };
    const letter = await sender.letter({ recipients: [{ ...aPostalAddress(), ...strange }], ...strange });
    const all = {
      ...letter,
      sender: { ...aPostalAddress(), ...strange },
      files: [{ s3Key: sender.s3Key, ...strange }],
    };
    const body = JSON.stringify(all).replaceAll(mark, name);
    const answer = await sender.http.request('POST', '/v1/mails', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(
      [name, `files.0.${name}`, `recipients.0.${name}`, `sender.${name}`].sort(),
    );
  });

  test('400 names all faults of a body: unknown fields with others, or all required fields', async () => {
    await expectBad({ pages: 0, acknowledgementReceipt: true }, 'acknowledgementReceipt', 'pages');
    const answer = await sender.http.post('/v1/mails', {});
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['files', 'pages', 'recipients', 'serviceType', 'zone']);
    for (const issue of answer.body.issues)
      expect(issue).toEqual({ path: [expect.any(String)], message: expect.any(String) });
  });

  test('these refusals and dry runs stored and debited nothing', async () => {
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(0);
    expect(await sender.balanceCents()).toBe(before);
  });
});
