// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { Event } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { beforeAll, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender, eventKindsOf, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const toRecipient = (overrides: Record<string, unknown> = {}) => ({ ...aPostalAddress(), ...overrides });

describe('POST /v1/mails', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));

  test('a letter with all fields returns 201 with every field of the receipt', async () => {
    const recipients = [toRecipient({ line2: 'box 3' }), toRecipient({ name: 'Zoë', zip: '9999' })];
    const letter = await sender.letter({
      serviceType: 'registered',
      color: true,
      doubleSided: false,
      acknowledgmentReceipt: true,
      recipients,
      sender: toRecipient({ name: 'Sender', country: 'FR', zip: '75001' }),
      externalId: 'whole',
      webhookUrl: 'https://127.0.0.1/hook',
    });
    const { status, body } = await sender.http.post('/v1/mails', letter);
    expect(status).toBe(201);
    const flags = { color: true, doubleSided: false, acknowledgmentReceipt: true };
    const quoted = { zone: 'NATIONAL', serviceType: 'registered', pages: 1, ...flags };
    const price = await sender.http.post('/v1/quote', { ...quoted, recipientCount: 2 });
    const ofLetter = Object.keys({ ...quoted, tariffId: '' });
    const amounts = Object.fromEntries(Object.entries(price.body).filter(([name]) => !ofLetter.includes(name)));
    const { createdAt } = body;
    const size = (await world.store.head(sender.s3Key))?.sizeBytes;
    expect(body).toEqual({
      ...quoted,
      mailJobId: expect.stringMatching(/^mj_[0-9a-z]{26}$/),
      externalId: 'whole',
      status: 'queued',
      mode: 'test',
      recipientCount: 2,
      currency: 'EUR',
      totalCents: price.body.totalCents,
      scheduledDropAt: null,
      dropAt: expect.stringMatching(/T1[34]:00:00.000Z$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: { kind: 'api_key', id: sender.keyId },
      updatedAt: createdAt,
      metadata: {},
      recipients: recipients.map((recipient) => ({
        ...recipient,
        itemId: expect.stringMatching(/^mi_/),
        status: 'queued',
        failure: null,
        copySha256: null,
        trackingNumber: null,
        trackingScheme: null,
        returned: null,
      })),
      sender: toRecipient({ name: 'Sender', country: 'FR', zip: '75001' }),
      files: [
        {
          ...{ s3Key: sender.s3Key, filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: size },
          etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
        },
      ],
      template: null,
      amounts,
      webhookUrl: 'https://127.0.0.1/hook',
      sandboxClockId: null,
      failure: null,
      refundedCents: 0,
      counts: { queued: 2, printed: 0, posted: 0, delivered: 0, failed: 0 },
      cancellableUntil: expect.stringMatching(/T1[123]:30:00.000Z$/),
      actions: ['cancel', 'reschedule', 'simulate'],
      queuedAt: createdAt,
      printedAt: null,
      postedAt: null,
      deliveredAt: null,
      failedAt: null,
      dryRun: false,
      duplicate: false,
      payloadMatches: true,
      balanceSufficient: true,
      warnings: [],
    });
  });

  test('a letter is debited once, with one ledger entry and one event', async () => {
    const fresh = await aSender(world, { balanceCents: 10_000 });
    const entriesBefore = await ledgerOf(fresh);
    const { body } = await fresh.send({ externalId: 'debit' });
    expect(body.totalCents).toBe(221);
    expect(await fresh.balanceCents()).toBe(10_000 - 221);
    const entries = (await ledgerOf(fresh)).slice(entriesBefore.length);
    expect(entries).toMatchObject([
      { kind: 'debit', amountCents: -221, balanceAfterCents: 9_779, mailJobId: body.mailJobId, itemId: null },
    ]);
    expect(await eventKindsOf(body.mailJobId)).toEqual(['MAIL_QUEUED']);
    const event = await Event.findOne({ subjectId: body.mailJobId }).orFail();
    expect(JSON.parse(event.body)).toEqual({
      event: 'MAIL_QUEUED',
      mailJobId: body.mailJobId,
      externalId: 'debit',
      status: 'queued',
      queuedAt: body.queuedAt,
    });
  });

  test('the shares of 100 recipients add up to the total, with the remainder in the last', async () => {
    const recipients = Array.from({ length: 100 }, (_, index) => toRecipient({ name: `Recipient ${index}` }));
    const { status, body } = await sender.send({ recipients });
    expect(status).toBe(201);
    const { items } = await MailJob.findById(body.mailJobId).orFail().lean();
    const shares = items.map(({ shareCents }) => shareCents);
    expect(shares).toEqual([...Array(99).fill(221), body.totalCents - 99 * 221]);
    expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(100);
    expect(body.recipients.map(({ name }: { name: string }) => name)).toEqual(recipients.map(({ name }) => name));
  });

  test('acknowledgmentReceipt without registered costs nothing and gives a warning', async () => {
    const plain = await sender.send();
    const { status, body } = await sender.send({ acknowledgmentReceipt: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ acknowledgmentReceipt: true, totalCents: plain.body.totalCents });
    expect(body.warnings).toEqual([
      { code: expect.stringMatching(/^[A-Z_]+$/), path: ['acknowledgmentReceipt'], message: expect.any(String) },
    ]);
    expect(plain.body.warnings).toEqual([]);
  });

  test('without sender it uses the default SENDER entry, else the organization address', async () => {
    const fresh = await aSender(world);
    const { organizationId, mode } = fresh;
    const at = new Date();
    const entry = { organizationId, label: null, searchText: 'x', createdAt: at, updatedAt: at, ...aPostalAddress() };
    const add = (name: string, overrides: Record<string, unknown>) =>
      Address.create([{ _id: newId('adr'), mode, kind: 'SENDER', isDefault: true, ...entry, name, ...overrides }]);
    await add('Live', { mode: 'live' });
    await add('Recipient', { kind: 'RECIPIENT' });
    await add('Not the default', { isDefault: false });
    const first = await fresh.send();
    await add('Default', { line2: 'floor 2' });
    const second = await fresh.send({ sender: null });
    expect(first.body.sender).toEqual(aPostalAddress());
    expect(second.body.sender).toEqual(aPostalAddress({ name: 'Default', line2: 'floor 2' }));
  });

  test('spaces around values are removed', async () => {
    const recipients = [
      toRecipient({ name: '  Ada ', line1: '\tRue\n', zip: ' 1000 ', city: ' Bruxelles', country: ' BE ' }),
    ];
    const { body } = await sender.send({ recipients, externalId: ' trimmed\t' });
    expect(body).toMatchObject({ externalId: 'trimmed', recipients: [aPostalAddress({ name: 'Ada', line1: 'Rue' })] });
  });

  test('a letter that was sent reads like its receipt', async () => {
    const { body } = await sender.send({ externalId: 'read-again' });
    const { dryRun, duplicate, payloadMatches, balanceSufficient, warnings, ...detail } = body;
    expect((await sender.http.get(`/v1/mails/${body.mailJobId}`)).body).toEqual(detail);
  });
});

describe('the drop time of a letter', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  beforeAll(async () => {
    await Upload.updateOne({ _id: sender.s3Key }, { usableUntil: new Date('2032-01-01T00:00:00.000Z') });
    // A Monday morning. The cutoff, 15:00 in Brussels, is 13:00 UTC in summer and 14:00 UTC in winter.
    clock.set(new Date('2030-07-01T08:00:00.000Z'));
  });

  test.each([
    ['absent', undefined, null, '2030-07-01T13:00:00.000Z'],
    ['null', null, null, '2030-07-01T13:00:00.000Z'],
    ['a cutoff with an offset', '2030-07-05T15:00:00+02:00', '2030-07-05T13:00:00.000Z', '2030-07-05T13:00:00.000Z'],
    ['a weekend and a holiday', '2030-07-20T10:00:00Z', '2030-07-20T10:00:00.000Z', '2030-07-22T13:00:00.000Z'],
    ['Christmas', '2030-12-25T08:00:00-05:00', '2030-12-25T13:00:00.000Z', '2030-12-26T14:00:00.000Z'],
    ['180 days ahead', '2030-12-28T08:00:00.000Z', '2030-12-28T08:00:00.000Z', '2030-12-30T14:00:00.000Z'],
  ])('when scheduledDropAt is %s (%s) it is shown as %s, and dropAt is %s', async (_what, asked, shown, dropAt) => {
    const { status, body } = await sender.send({ scheduledDropAt: asked });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: shown, dropAt, createdAt: clock.now().toISOString() });
  });

  test('the batch closes 90 min before the cutoff: a letter sent from then on goes with the next one', async () => {
    const dropAtOf = async (at: string) => {
      clock.set(new Date(at));
      const { body } = await sender.send();
      const { closesAt } = await MailJob.findById(body.mailJobId).orFail().lean();
      return [body.dropAt, closesAt.toISOString()];
    };
    const monday = ['2030-07-01T13:00:00.000Z', '2030-07-01T11:30:00.000Z'];
    const tuesday = ['2030-07-02T13:00:00.000Z', '2030-07-02T11:30:00.000Z'];
    expect(await dropAtOf('2030-07-01T11:29:59.999Z')).toEqual(monday);
    expect(await dropAtOf('2030-07-01T11:30:00.000Z')).toEqual(tuesday);
    clock.set(new Date('2030-07-01T08:00:00.000Z'));
  });

  const outside = ['2030-07-01T07:59:59.999Z', '2030-07-01T09:59:59.999+02:00', '2030-12-28T08:00:00.001Z'];
  const malformed = [
    '2030-07-02T08:00:00',
    '2030-07-02',
    '2030-09-31T08:00:00Z',
    '2030-07-02T24:00:00Z',
    'tomorrow',
    '',
  ];
  const refused = [...[...outside, '9999-12-31T23:59:59.999Z', ...malformed], 1_909_209_600_000];
  test.each(refused)('the scheduledDropAt %s is refused with 400', async (scheduledDropAt) => {
    const before = await sender.balanceCents();
    const answer = await sender.send({ scheduledDropAt });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(issuePaths(answer)).toEqual(['scheduledDropAt']);
    expect(await sender.balanceCents()).toBe(before);
  });
});
