import { beforeAll, describe, expect, test } from '@jest/globals';
import { Address } from '../../common/addresses/address.model.ts';
import { newId } from '../../common/ids.ts';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aPostalAddress } from '../support/builders.ts';
import { aSender, eventKindsOf, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const toRecipient = (overrides: Record<string, unknown> = {}) => ({ ...aPostalAddress(), ...overrides });

describe('POST /v1/mails', () => {
  const world = startWorld();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });

  test('given a whole letter, when it is sent, then 201 with every field of the detail and of the receipt', async () => {
    // given
    const recipients = [toRecipient({ line2: 'box 3' }), toRecipient({ name: 'Zoë', zip: '9999' })];
    const letter = await sender.letter({
      serviceType: 'registered',
      color: true,
      acknowledgmentReceipt: true,
      recipients,
      sender: toRecipient({ name: 'Sender', country: 'FR', zip: '75001' }),
      externalId: 'whole',
      webhookUrl: 'https://127.0.0.1/hook',
    });
    // when
    const { status, body } = await sender.http.post('/v1/mails', letter);
    // then
    expect(status).toBe(201);
    const quoted = { zone: 'NATIONAL', serviceType: 'registered', pages: 1, color: true, acknowledgmentReceipt: true };
    const price = await sender.http.post('/v1/quote', { ...quoted, recipientCount: 2 });
    const { currency, unitNetCents, netCents, vatCents, totalCents, lines, vat, sheets, weightGrams, envelopes } =
      price.body;
    const amounts = {
      currency,
      unitNetCents,
      netCents,
      vatCents,
      totalCents,
      lines,
      vat,
      sheets,
      weightGrams,
      envelopes,
    };
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
      totalCents,
      scheduledDropAt: null,
      dropAt: expect.stringMatching(/T1[34]:00:00.000Z$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: createdAt,
      metadata: {},
      recipients: recipients.map((recipient) => ({
        ...recipient,
        itemId: expect.stringMatching(/^mi_/),
        status: 'queued',
      })),
      sender: toRecipient({ name: 'Sender', country: 'FR', zip: '75001' }),
      files: [{ s3Key: sender.s3Key, filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: size }],
      amounts: { ...amounts, recipientCount: 2 },
      webhookUrl: 'https://127.0.0.1/hook',
      failure: null,
      refundedCents: 0,
      counts: { queued: 2, printed: 0, posted: 0, delivered: 0, failed: 0 },
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

  test('given a letter, when it is sent, then its price is debited once, with one ledger entry and one event', async () => {
    // given
    const fresh = await aSender(world, { balanceCents: 10_000 });
    const entriesBefore = await ledgerOf(fresh);
    // when
    const { body } = await fresh.send({ externalId: 'debit' });
    // then
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

  test('given 100 recipients, when the letter is sent, then their shares add up to the total, the rest in the last', async () => {
    const recipients = Array.from({ length: 100 }, (_, index) => toRecipient({ name: `Recipient ${index}` }));
    const { status, body } = await sender.send({ recipients });
    expect(status).toBe(201);
    const { items } = await MailJob.findById(body.mailJobId).orFail().lean();
    const shares = items.map(({ shareCents }) => shareCents);
    expect(shares).toEqual([...Array(99).fill(221), body.totalCents - 99 * 221]);
    expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(100);
    expect(body.recipients.map(({ name }: { name: string }) => name)).toEqual(recipients.map(({ name }) => name));
  });

  test('given a receipt asked for without registered, when the letter is sent, then it costs nothing and is warned of', async () => {
    const plain = await sender.send();
    const { status, body } = await sender.send({ acknowledgmentReceipt: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ acknowledgmentReceipt: true, totalCents: plain.body.totalCents });
    expect(body.warnings).toEqual([
      { code: expect.stringMatching(/^[A-Z_]+$/), path: ['acknowledgmentReceipt'], message: expect.any(String) },
    ]);
    expect(plain.body.warnings).toEqual([]);
  });

  test('given no sender, when letters are sent, then the default SENDER is on them, else the organization itself', async () => {
    // given
    const fresh = await aSender(world);
    const { organizationId, mode } = fresh;
    const at = new Date();
    const entry = { organizationId, label: null, searchText: 'x', createdAt: at, updatedAt: at, ...aPostalAddress() };
    const add = (name: string, overrides: Record<string, unknown>) =>
      Address.create([{ _id: newId('adr'), mode, kind: 'SENDER', isDefault: true, ...entry, name, ...overrides }]);
    await add('Live', { mode: 'live' });
    await add('Recipient', { kind: 'RECIPIENT' });
    await add('Not the default', { isDefault: false });
    // when
    const first = await fresh.send();
    await add('Default', { line2: 'floor 2' });
    const second = await fresh.send({ sender: null });
    // then
    expect(first.body.sender).toEqual(aPostalAddress());
    expect(second.body.sender).toEqual(aPostalAddress({ name: 'Default', line2: 'floor 2' }));
  });

  test('given texts with spaces around them, when the letter is sent, then they are stored trimmed', async () => {
    const recipients = [toRecipient({ name: '  Ada ', zip: ' 1000', line2: null })];
    const { body } = await sender.send({ recipients, externalId: ' trimmed\t' });
    expect(body).toMatchObject({ externalId: 'trimmed', recipients: [{ name: 'Ada', zip: '1000', line2: null }] });
  });

  test('given a letter that was sent, when it is read, then it is what the answer said', async () => {
    const { body } = await sender.send({ externalId: 'read-again' });
    const { dryRun, duplicate, payloadMatches, balanceSufficient, warnings, ...detail } = body;
    expect((await sender.http.get(`/v1/mails/${body.mailJobId}`)).body).toEqual(detail);
  });
});
