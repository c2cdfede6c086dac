// Level: push
import { ReturnedItem } from '#common/mail-jobs/model/returned-item.model.ts';
import { redactPeople } from '#common/production/retention/retain.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { comeBack } from '#test/support/production/come-back.ts';

describe('POST /v1/mails to an address from which a letter came back', () => {
  const world = startWorld();
  const address = aRequestAddress({ line1: 'Rue de la Régence 1', line2: 'bus 3', zip: '1000', city: 'Liège' });
  const other = aRequestAddress({ line1: 'Rue Neuve 2', zip: '4000', city: 'Namur' });
  // In Brussels, this is already the next day.
  const at = new Date('2027-03-01T23:30:00Z');

  /** A customer who has a letter to the address that came back. */
  async function warned() {
    const sender = await aSender(world);
    const mailJobId = await sender.sendAccepted({ recipients: [address] });
    const { itemId } = await comeBack(mailJobId, world, { at, reason: 'moved' });
    return { sender, mailJobId, itemId };
  }
  const codesOf = ({ body }: { body: { warnings: { code: string }[] } }) => body.warnings.map(({ code }) => code);

  test('the letter, its dry run and a repeat warn of each such recipient, and the letter is sent', async () => {
    const { sender } = await warned();
    const warning = {
      code: 'RECIPIENT_RETURNED',
      path: ['recipients', 1],
      message: 'A letter to this address came back on 2027-03-02, with the reason moved.',
    };
    const fields = { recipients: [other, address], externalId: 'again' };
    for (const [overrides, expected] of [
      [{ ...fields, dryRun: true }, 200],
      [fields, 201],
      [fields, 200],
    ] as const) {
      const { status, body } = await sender.send(overrides);
      expect([status, body.warnings]).toEqual([expected, [warning]]);
    }
    const both = await sender.send({ recipients: [address, other, address], acknowledgmentReceipt: true });
    expect(both.body.warnings.map(({ path }: { path: unknown[] }) => path)).toEqual([
      ['acknowledgmentReceipt'],
      ['recipients', 0],
      ['recipients', 2],
    ]);
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ['another name', { name: 'Someone Else' }, true],
    ['another case', { line1: 'RUE DE LA RÉGENCE 1', line2: 'BUS 3' }, true],
    ['other accents and spaces', { line1: 'Rue  de la Regence 1', city: 'Liege' }, true],
    ['another house', { line1: 'Rue de la Régence 11' }, false],
    ['another box', { line2: 'bus 4' }, false],
    ['no box', { line2: null }, false],
    ['another zip', { zip: '1001' }, false],
    ['another city', { city: 'Namur' }, false],
    ['lines that only join to the same text', { line1: 'Rue de la Régence', line2: '1 bus 3' }, false],
  ])('with %s %j it warns: %s', async (_, change, isWarned) => {
    const { sender } = await warned();
    const answer = await sender.send({ recipients: [{ ...address, ...change }], dryRun: true });
    expect([answer.status, codesOf(answer)]).toEqual([200, isWarned ? ['RECIPIENT_RETURNED'] : []]);
  });

  test('another country is another address', async () => {
    const { sender } = await warned();
    const recipients = [{ ...address, country: 'FR' }];
    expect(codesOf(await sender.send({ zone: 'INTERNATIONAL', recipients, dryRun: true }))).toEqual([]);
  });

  test('an entry of the address book is compared like an address', async () => {
    const { sender } = await warned();
    const { body } = await sender.http.post('/v1/addresses', { kind: 'RECIPIENT', ...address });
    const answer = await sender.send({ recipients: [{ addressId: body.id }], dryRun: true });
    expect(codesOf(answer)).toEqual(['RECIPIENT_RETURNED']);
  });

  test('the last return counts', async () => {
    const { sender } = await warned();
    const next = await sender.sendAccepted({ recipients: [{ ...address, name: 'Bo' }] });
    await comeBack(next, world, { at: new Date('2027-04-01T10:00:00Z'), reason: 'unclaimed' });
    const { warnings } = (await sender.send({ recipients: [address], dryRun: true })).body;
    expect(warnings).toMatchObject([{ message: expect.stringContaining('2027-04-01, with the reason unclaimed') }]);
    expect((await sender.http.get('/v1/items')).body.data).toHaveLength(2);
  });

  test('other organizations and modes are not warned, even at the same time', async () => {
    const { sender } = await warned();
    const { organizationId } = sender;
    const others = [await aSender(world), await aSender(world, { organizationId, mode: 'live', balanceCents: 10_000 })];
    const answers = await Promise.all(
      [sender, ...others].map((each) => each.send({ recipients: [address], dryRun: true })),
    );
    expect(answers.map(codesOf)).toEqual([['RECIPIENT_RETURNED'], [], []]);
  });

  test('a redacted letter warns no more, and none that comes back after its redaction', async () => {
    const { sender, mailJobId } = await warned();
    await redactPeople({ ...sender, _id: mailJobId, files: [] }, new Date());
    expect(codesOf(await sender.send({ recipients: [address], dryRun: true }))).toEqual([]);

    const next = await sender.sendAccepted({ recipients: [address, other] });
    await redactPeople({ ...sender, _id: next, files: [] }, new Date());
    await comeBack(next, world);
    await comeBack(next, world, { index: 1 });
    const { organizationId } = sender;
    expect(await ReturnedItem.countDocuments({ organizationId })).toBe(3);
    expect(await ReturnedItem.countDocuments({ organizationId, addressKey: { $exists: true } })).toBe(0);
  });

  test('a repeat with another body hides warnings about recipients from a key that may not read', async () => {
    const { sender } = await warned();
    await sender.sendAccepted({ recipients: [address], externalId: 'hidden' });
    const { organizationId } = sender;
    const blind = await aSender(world, { organizationId, scopes: ['send'] });
    const { body } = await blind.send({ recipients: [other], externalId: 'hidden' });
    expect([body.duplicate, body.payloadMatches, body.warnings]).toEqual([true, false, []]);
  });
});
