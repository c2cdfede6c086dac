// Level: push
import { aRepeatReceipt, mailJobRequest } from '#api/openapi/examples/letter-examples.ts';
import type { Scope } from '#common/access/scopes.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { type MailReceipt, toRequestedReceipt, withoutEntries } from '#common/mail-jobs/views/mail-receipt.view.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { type Answer, aPostalAddress, aSender, type Customer, createClient } from '#test/support/product/customer.ts';
import { startWorld, type World } from '#test/support/product/world.ts';

/** Texts that appear only in the stored letter or the address book. */
const secrets = ['Secret Recipient', 'Secret Sender', 'secret-value', 'secret.example', 'secret.pdf'];
const secretsIn = ({ body }: Answer) => secrets.filter((text) => JSON.stringify(body).includes(text));

const original = {
  recipients: [aPostalAddress({ name: 'Secret Recipient' })],
  sender: aPostalAddress({ name: 'Secret Sender' }),
  metadata: { note: 'secret-value' },
  webhookUrl: 'https://127.0.0.1/secret.example',
};

/** Creates a letter whose details other keys of the customer must not read, and a factory of such keys. */
async function aSecretLetter(world: World, externalId: string) {
  const owner = await aSender(world, { scopes: ['send', 'addresses'] });
  const file = { s3Key: owner.s3Key };
  const first = await owner.send({ ...original, files: [file], externalId });
  expect(first.status).toBe(201);
  const { organizationId } = owner;
  const other = async (scopes: readonly Scope[]) => await world.customer({ organizationId, scopes });
  return { owner, first, file, other };
}

describe('a used externalId in POST /v1/mails', () => {
  const world = startWorld();
  const guess = {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 1,
    recipients: [aPostalAddress({ name: 'Guess', line2: 'box 1' }), { addressId: 'adr_guess' }],
    files: [{ s3Key: 'u/guess', filename: 'guess.pdf' }],
  };

  test.each<[scopes: Scope[], payload: 'same' | 'other', credential: 'same' | 'other', isShown: boolean]>([
    [['send'], 'same', 'same', true],
    [['send'], 'same', 'other', true],
    [['send'], 'other', 'same', true],
    [['send'], 'other', 'other', false],
    [['send', 'read'], 'same', 'other', true],
    [['send', 'read'], 'other', 'other', true],
    [['send', 'addresses'], 'other', 'other', false],
    [['send', 'addresses', 'webhooks', 'wallet'], 'other', 'other', false],
  ])('scopes %j, %s payload and %s credential: stored details are shown: %s', async (scopes, payload, by, isShown) => {
    const externalId = `${scopes.join()}-${payload}-${by}`;
    const { owner, first, file, other } = await aSecretLetter(world, externalId);
    const caller = by === 'same' ? owner : await other(scopes);
    const body = payload === 'same' ? await owner.letter({ ...original, files: [file], externalId }) : guess;
    const again = await caller.http.post('/v1/mails', { ...body, externalId });
    expect([again.status, again.body.duplicate, again.body.payloadMatches]).toEqual([200, true, payload === 'same']);
    const { recipients, sender, metadata, files, webhookUrl, ...standing } = again.body;
    const { recipients: _r, sender: _s, metadata: _m, files: _f, webhookUrl: _w, ...stored } = first.body;
    const createdBy = { kind: 'api_key', id: isShown ? owner.keyId : null };
    const expected = { ...stored, createdBy, duplicate: true, payloadMatches: payload === 'same' };
    if (isShown) expect(standing).toEqual(expected);
    if (isShown) return expect(again.body).toMatchObject({ ...original, files: first.body.files });
    expect(secretsIn(again)).toEqual([]);
    // Fields that are not on the list of shown ones are absent.
    expect(expected).toMatchObject(standing);
    expect([sender, metadata, webhookUrl]).toEqual([null, {}, null]);
    expect(files).toEqual([{ s3Key: 'u/guess', filename: 'guess.pdf', mimeType: null, sizeBytes: null }]);
    expect(recipients).toMatchObject([
      { ...aPostalAddress({ name: 'Guess', line2: 'box 1' }), addressId: null, itemId: null, status: null },
      { addressId: 'adr_guess', name: null, line1: null, zip: null, city: null, country: null },
    ]);
  });

  test('why a letter was cancelled is not shown', async () => {
    const { owner, first, other } = await aSecretLetter(world, 'cancelled');
    const reason = { reason: 'Secret Recipient has moved' };
    expect((await owner.http.post(`/v1/mails/${first.body.mailJobId}/cancel`, reason)).status).toBe(200);
    const { http } = await other(['send']);
    const again = await http.post('/v1/mails', { ...guess, externalId: 'cancelled' });
    expect([again.body.failure.code, secretsIn(again)]).toEqual(['CANCELLED', []]);
  });

  test('details of a letter sent by an application are shown only to the same grant', async () => {
    const owner = await aSender(world);
    const { organizationId } = owner;
    const app = await anApplication(world, { scopes: ['send'] });
    const [one, two] = [await app.authorize({ organizationId }), await app.authorize({ organizationId })];
    const { body: refreshed } = await app.refresh(one.refresh_token);
    const post = async (token: string, overrides: object) =>
      await createClient(world.url, token).post('/v1/mails', await owner.letter({ ...overrides, externalId: 'app' }));
    expect((await post(one.access_token, original)).status).toBe(201);
    const [same, later, foreign] = [
      await post(one.access_token, { color: true }),
      await post(refreshed.access_token, { color: true }),
      await post(two.access_token, { color: true }),
    ];
    expect([same, later].map(({ body }) => body.sender.name)).toEqual(['Secret Sender', 'Secret Sender']);
    expect([foreign.status, secretsIn(foreign)]).toEqual([200, []]);
  });

  test('details of a letter without a stored credential need the same payload or read', async () => {
    const { owner, other } = await aSecretLetter(world, 'old');
    await MailJob.updateOne({ externalId: 'old' }, { $unset: { credentialId: 1 } });
    const reader = await other(['send', 'read']);
    const answers = [owner, reader].map(({ http }) => http.post('/v1/mails', { ...guess, externalId: 'old' }));
    const [sent, read] = await Promise.all(answers);
    expect([sent && secretsIn(sent), read?.body.sender.name]).toEqual([[], 'Secret Sender']);
  });

  test('concurrent requests with one externalId reveal nothing of the winner without read', async () => {
    const { owner, other } = await aSecretLetter(world, 'warm');
    const keys: Customer[] = [];
    // One by one: creations of keys of one organization exclude each other, and only the letters shall race.
    for (let n = 0; n < 20; n += 1) keys.push(await other(['send']));
    const bodies = await Promise.all(
      keys.map((_, n) => owner.letter({ recipients: [aPostalAddress({ name: `Racer ${n}.` })], externalId: 'race' })),
    );
    const answers = await Promise.all(keys.map(({ http }, n) => http.post('/v1/mails', bodies[n])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const [n, { body }] of answers.entries()) {
      expect(body.recipients.map(({ name }: { name: string }) => name)).toEqual([`Racer ${n}.`]);
    }
  });
});

test('a stored field that is not listed as shown is withheld from a credential without read', () => {
  const stored: MailReceipt = { ...aRepeatReceipt, ...{ newField: 'secret-value' } };
  const request = MailRequest.parse(mailJobRequest);
  expect(toRequestedReceipt(stored, request)).not.toHaveProperty('newField');
  const body = { ...request, sender: { addressId: 'adr_1' } };
  expect(withoutEntries(stored, { body, isDefaultEntry: false })).not.toHaveProperty('newField');
});

describe('a dry run with address book entries', () => {
  const world = startWorld();
  const owner = openOnce(() => aSender(world));
  const anEntry = async (fields: object) =>
    (await owner.http.post('/v1/addresses', { ...aPostalAddress(), ...fields })).body.id as string;
  const entries = openOnce(async () => ({
    recipient: await anEntry({ kind: 'RECIPIENT', name: 'Secret Recipient' }),
    sender: await anEntry({ kind: 'SENDER', name: 'Secret Sender', isDefault: true }),
  }));
  const references = () => ({
    recipients: [{ addressId: entries.recipient }, aPostalAddress({ name: 'Written out' })],
    sender: { addressId: entries.sender },
  });
  const tryOut = async (scopes: Scope[], overrides: Record<string, unknown>) => {
    const { http } = await world.customer({ organizationId: owner.organizationId, scopes });
    const answer = await http.post('/v1/mails', await owner.letter({ ...overrides, dryRun: true }));
    expect(answer.status).toBe(200);
    return answer;
  };

  test.each<[Scope[], boolean]>([
    [['send'], false],
    [['send', 'wallet', 'webhooks'], false],
    [['send', 'addresses'], true],
    [['send', 'read'], true],
  ])('with scopes %j it shows the content of the entries: %s', async (scopes, isShown) => {
    const answer = await tryOut(scopes, references());
    expect(answer.body.recipients[1]).toMatchObject({ name: 'Written out', status: 'queued' });
    if (isShown) return expect(secretsIn(answer)).toEqual(['Secret Recipient', 'Secret Sender']);
    expect(secretsIn(answer)).toEqual([]);
    const lines = { name: null, line1: null, line2: null, zip: null, city: null, country: null };
    expect(answer.body.recipients[0]).toMatchObject({ addressId: entries.recipient, ...lines, status: 'queued' });
    expect(answer.body.sender).toEqual({ addressId: entries.sender, ...lines });
  });

  test.each<[Scope[], string | null]>([
    [['send'], null],
    [['send', 'addresses'], 'Secret Sender'],
    [['send', 'read'], 'Secret Sender'],
  ])('with scopes %j and no sender it shows the default sender as %j', async (scopes, name) => {
    const { body } = await tryOut(scopes, {});
    expect(body.sender?.name ?? null).toBe(name);
  });

  test('without sender and default entry, the scope send shows the organization address', async () => {
    const sender = await aSender(world, { scopes: ['send'] });
    const { status, body } = await sender.send({ dryRun: true });
    expect([status, body.sender.city]).toEqual([200, aPostalAddress().city]);
  });

  test('a letter that is sent and paid shows its copies of the entries to the scope send', async () => {
    const { http } = await world.customer({ organizationId: owner.organizationId, scopes: ['send'] });
    const answer = await http.post('/v1/mails', await owner.letter(references()));
    expect([answer.status, secretsIn(answer)]).toEqual([201, ['Secret Recipient', 'Secret Sender']]);
  });
});
