// Level: push
import { setCoverPageRule } from '#common/organizations/cover-pages.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const chinese = aRequestAddress({ line1: '王 street 1' });
/** One word wider than the window at 7 points, and a line that is too long for one but not for two at 8 points. */
const wide = aRequestAddress({ city: 'W'.repeat(40) });
const small = aRequestAddress({ name: 'x'.repeat(66) });

describe('POST /v1/mails with an address that cannot be printed', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));

  test('is refused at its field, in a dry run too, and nothing is debited', async () => {
    const entries = (await ledgerOf(sender)).length;
    const letter = { recipients: [aRequestAddress(), chinese, wide, small], sender: aRequestAddress({ name: '東' }) };
    for (const rest of [{ externalId: 'unprintable' }, { dryRun: true }]) {
      const { status, body } = await sender.send({ ...letter, ...rest });
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.issues).toEqual([
        { path: ['sender', 'name'], message: expect.stringContaining('printed. Its name has characters') },
        { path: ['recipients', 1, 'line1'], message: expect.stringContaining('font: 王.') },
        { path: ['recipients', 2, 'city'], message: expect.stringContaining('at 7 points. Shorten city.') },
      ]);
    }
    expect(await ledgerOf(sender)).toHaveLength(entries);
    expect((await sender.send({ externalId: 'unprintable' })).status).toBe(201);
  });

  test('every fault of an address is in one answer, with those of the sandbox and the address book', async () => {
    const { body: entry } = await sender.http.post('/v1/addresses', {
      ...{ ...aRequestAddress({ name: '王', country: 'FR', zip: '75001' }), kind: 'RECIPIENT' },
    });
    const recipients = [
      aRequestAddress({ name: '王', line1: 'SANDBOX:nothing', city: 'W'.repeat(40) }),
      { addressId: entry.id },
    ];
    const paths = [
      ...['recipients.0.name', 'recipients.0.line1', 'recipients.0.city'],
      ...['recipients.1.country', 'recipients.1.addressId'],
    ];
    for (const rest of [{}, { dryRun: true }]) {
      const answer = await sender.send({ recipients, ...rest });
      expect([answer.status, issuePaths(answer).sort()]).toEqual([400, paths.toSorted()]);
    }
  });

  test('the characters of an address book entry are not told', async () => {
    const entryOf = async (fields: object) =>
      (await sender.http.post('/v1/addresses', { ...aRequestAddress({ name: '王' }), ...fields })).body.id;
    const id = await entryOf({ kind: 'RECIPIENT' });
    const { status, body } = await sender.send({ recipients: [{ addressId: id }] });
    const message = expect.stringMatching(/printer's font\. Latin/);
    expect([status, body.issues]).toEqual([400, [{ path: ['recipients', 0, 'addressId'], message }]]);
    await entryOf({ kind: 'SENDER', isDefault: true });
    const byDefault = await sender.send();
    expect([byDefault.status, byDefault.body.issues]).toEqual([400, [{ path: ['sender'], message }]]);
    expect((await sender.send({ sender: aRequestAddress() })).status).toBe(201);
  });

  test('is answered 200 for ever if the letter was accepted under another rule', async () => {
    const owner = await aSender(world);
    const ruleIs = async (rule: 'never' | 'auto') =>
      await setCoverPageRule(owner.organizationId, rule, { by: { kind: 'cli', id: 'test' }, at: new Date() });
    const recipients = [chinese];
    const key = { 'idempotency-key': 'before' };
    const letter = await owner.letter({ recipients });
    const post = async (headers = {}, rest = {}) => await owner.http.post('/v1/mails', { ...letter, ...rest }, headers);
    // The document may show the address itself.
    await ruleIs('never');
    const first = await post({}, { externalId: 'before' });
    const keyed = await post(key);
    expect([first.status, keyed.status]).toEqual([201, 201]);
    expect((await post({}, { recipients: [chinese, chinese] })).status).toBe(400);
    await ruleIs('auto');
    for (const again of [await post({}, { externalId: 'before' }), await post(key)]) {
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ duplicate: true, payloadMatches: true });
    }
    expect((await post({}, { externalId: 'after' })).status).toBe(400);
  });

  test('below 8 points it is sent with a warning that names what to shorten', async () => {
    const owner = await aSender(world);
    const { body } = await owner.send({ recipients: [aRequestAddress(), small], externalId: 'small' });
    const message = expect.stringMatching(/^At 7\.\d+ points it is hard to read\. Shorten name\.$/);
    const warnings = [{ code: 'ADDRESS_SMALL', path: ['recipients', 1, 'name'], message }];
    expect(body).toMatchObject({ status: 'queued', warnings });
    expect((await owner.send({ recipients: [aRequestAddress(), small], externalId: 'small' })).body.warnings).toEqual(
      body.warnings,
    );
  });
});
