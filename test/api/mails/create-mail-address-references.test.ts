// Level: push
import { newId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress, aRequestAddress, aSender, type Customer, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

type Entry = { id: string } & Record<string, unknown>;

describe('POST /v1/mails with references to the address book', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const ada = openOnce(() => anEntry(sender, { kind: 'RECIPIENT', name: 'Ada', line2: 'Bus 3' }));
  const shop = openOnce(() => anEntry(sender, { kind: 'SENDER', name: 'Shop' }));

  async function anEntry({ http }: Customer, fields: Record<string, unknown>): Promise<Entry> {
    const { status, body } = await http.post('/v1/addresses', { ...aPostalAddress(), ...fields });
    expect(status).toBe(201);
    return body;
  }
  const to = (...ids: unknown[]) => ({ recipients: ids.map((addressId) => ({ addressId })) });
  const fields = ['name', 'line1', 'line2', 'zip', 'city', 'country'];
  const linesOf = (entry: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, entry[name]]));
  const written = () => aRequestAddress({ name: 'Written out' });

  test('entries and addresses can be mixed, and the letter contains copies of the entries', async () => {
    const recipients = [{ addressId: ada.id }, written(), { addressId: ada.id }];
    const { status, body } = await sender.send({ recipients, sender: { addressId: shop.id } });
    expect(status).toBe(201);
    expect(body.recipients.map(linesOf)).toEqual([linesOf(ada), { ...written(), line2: null }, linesOf(ada)]);
    expect(body.sender).toEqual(linesOf(shop));
    expect(new Set(body.recipients.map(({ itemId }: { itemId: string }) => itemId)).size).toBe(3);
    const stored = await MailJob.findById(body.mailJobId).orFail().lean();
    expect(Object.keys(stored.items[0] ?? {}).sort()).toEqual(Object.keys(stored.items[1] ?? {}).sort());
  });

  test('a change of an entry does not change letters that were sent', async () => {
    const entry = await anEntry(sender, { kind: 'RECIPIENT', name: 'Before' });
    const { body } = await sender.send(to(entry.id));
    await sender.http.patch(`/v1/addresses/${entry.id}`, { name: 'After' });
    const read = await sender.http.get(`/v1/mails/${body.mailJobId}`);
    expect(read.body.recipients[0].name).toBe('Before');
  });

  test('after an entry is deleted, a repeat still returns 200 and a new letter 400', async () => {
    const entry = await anEntry(sender, { kind: 'RECIPIENT' });
    const key = { 'idempotency-key': 'to-an-entry' };
    const [first, keyed] = [
      await sender.send({ ...to(entry.id), externalId: 'to-an-entry' }),
      await sender.send(to(entry.id), key),
    ];
    expect([first.status, keyed.status]).toEqual([201, 201]);
    await sender.http.delete(`/v1/addresses/${entry.id}`);
    const again = await sender.send({ ...to(entry.id), externalId: 'to-an-entry' });
    expect([again.status, again.body.mailJobId, again.body.payloadMatches]).toEqual([200, first.body.mailJobId, true]);
    expect((await sender.send(to(entry.id), key)).body.mailJobId).toBe(keyed.body.mailJobId);
    const fresh = await sender.send(to(ada.id, entry.id));
    expect([fresh.status, issuePaths(fresh)]).toEqual([400, ['recipients.1.addressId']]);
  });

  test('a reference and the same address written out are different payloads', async () => {
    const { line2, ...lines } = linesOf(ada);
    await sender.send({ ...to(ada.id), externalId: 'as-sent' });
    const again = await sender.send({ recipients: [{ ...lines, line2 }], externalId: 'as-sent' });
    expect([again.status, again.body.payloadMatches]).toEqual([200, false]);
  });

  test('foreign, live-mode and unknown entries are refused with the same message', async () => {
    const { organizationId } = sender;
    const live = await world.customer({ organizationId, mode: 'live' });
    const foreign = await anEntry(await world.customer(), { kind: 'RECIPIENT' });
    const ofLive = await anEntry(live, { kind: 'RECIPIENT' });
    const ids = [newId('adr'), foreign.id, ofLive.id, 'adr_x', 'mj_1', '$ne', '\ud83d\ude00'];
    const answer = await sender.send({ ...to(...ids), sender: { addressId: foreign.id } });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toEqual([...ids.map((_, index) => `recipients.${index}.addressId`), 'sender.addressId']);
    const messages = answer.body.issues.map(({ message }: { message: string }) => message);
    expect(new Set(messages).size).toBe(1);
  });

  test('an entry of the wrong kind is refused, and the message names the right kind', async () => {
    const answer = await sender.send({ ...to(shop.id), sender: { addressId: ada.id } });
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['recipients.0.addressId', 'sender.addressId']]);
    expect(answer.body.issues[0].message).toContain('RECIPIENT');
  });

  test('recipient entries must be in the zone, a sender entry may be anywhere', async () => {
    const [abroad, agency] = [
      await anEntry(sender, { kind: 'RECIPIENT', country: 'FR', zip: '75001' }),
      await anEntry(sender, { kind: 'SENDER', country: 'FR', zip: '75001' }),
    ];
    const wrong = await sender.send(to(ada.id, abroad.id));
    expect([wrong.status, issuePaths(wrong)]).toEqual([400, ['recipients.1.country']]);
    const home = await sender.send({ ...to(ada.id), zone: 'INTERNATIONAL' });
    expect([home.status, issuePaths(home)]).toEqual([400, ['recipients.0.country']]);
    const right = await sender.send({ ...to(abroad.id), zone: 'INTERNATIONAL', sender: { addressId: agency.id } });
    expect(right.status).toBe(201);
  });

  test.each<[string, unknown, string[]]>([
    ['a field beside the id', { addressId: 'adr_1', name: 'Ada' }, ['recipients.0.name']],
    ['a whole address beside the id', { addressId: 'adr_1', ...written() }, ['recipients.0.name', 'recipients.0.zip']],
    ['an id that is not a string', { addressId: 5 }, ['recipients.0.addressId']],
    ['an empty id', { addressId: ' ' }, ['recipients.0.addressId']],
    ['an id that is null', { addressId: null }, ['recipients.0.addressId']],
    ['nothing', {}, ['name', 'line1', 'zip', 'city', 'country'].map((name) => `recipients.0.${name}`)],
    ['a misspelt id', { addressID: 'adr_1' }, ['recipients.0.addressID']],
    ['text', 'adr_1', ['recipients.0']],
  ])('%s as a recipient is refused with 400', async (_what, given, paths) => {
    const answer = await sender.send({ recipients: [given] });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toEqual(expect.arrayContaining(paths));
  });

  test('a dry run checks and shows entries and stores nothing', async () => {
    const before = await MailJob.countDocuments();
    const good = await sender.send({ ...to(ada.id), dryRun: true });
    expect([good.status, good.body.recipients.map(linesOf)]).toEqual([200, [linesOf(ada)]]);
    const bad = await sender.send({ ...to(newId('adr')), dryRun: true });
    expect([bad.status, issuePaths(bad)]).toEqual([400, ['recipients.0.addressId']]);
    expect(await MailJob.countDocuments()).toBe(before);
  });
});
