// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { type Answer, aSender, issuePaths, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'x']));

describe('metadata of a mail job', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const dryRun = (metadata: unknown) => sender.send({ metadata, dryRun: true });
  /** Sends metadata as JSON text, because a JavaScript object may lose such keys. */
  async function sendText(metadata: string): Promise<Answer> {
    const body = JSON.stringify(await sender.letter({ dryRun: true, metadata: 'HERE' })).replace('"HERE"', metadata);
    return await sender.http.request('POST', '/v1/mails', { body, headers: { 'content-type': 'application/json' } });
  }

  test('receipt, details and list return metadata unchanged, without surrounding spaces', async () => {
    const metadata = { invoice: '2026/0042 é', Z: '1', '0-first': '  trimmed ', constructor: 'c', toString: 't' };
    const shown = { ...metadata, '0-first': 'trimmed' };
    const { status, body } = await sender.send({ metadata, externalId: 'noted' });
    expect([status, body.metadata]).toEqual([201, shown]);
    expect((await sender.http.get(`/v1/mails/${body.mailJobId}`)).body.metadata).toEqual(shown);
    expect((await sender.http.get('/v1/mails?externalId=noted')).body.data[0].metadata).toEqual(shown);
    const again = await sender.send({ metadata, externalId: 'noted' });
    expect([again.status, again.body.payloadMatches, again.body.metadata]).toEqual([200, true, shown]);
  });

  test('absent, null and empty metadata are the same payload, shown as {}', async () => {
    for (const overrides of [{}, { metadata: null }, { metadata: {} }]) {
      const { body } = await sender.send({ ...overrides, externalId: 'without' });
      expect([body.metadata, body.payloadMatches]).toEqual([{}, true]);
    }
    const stored = await MailJob.findOne({ externalId: 'without' }).orFail().lean();
    expect(stored).not.toHaveProperty('metadata');
    expect(stored).not.toHaveProperty('metadataTags');
  });

  test('different metadata is a different payload', async () => {
    await sender.send({ metadata: { a: '1' }, externalId: 'changed' });
    const changed = await sender.send({ metadata: { a: '2' }, externalId: 'changed' });
    expect([changed.status, changed.body.payloadMatches]).toEqual([200, false]);
    const key = { 'idempotency-key': 'changed' };
    await sender.send({ metadata: { a: '1', b: '2' } }, key);
    expect((await sender.send({ metadata: { b: '2', a: '1' } }, key)).status).toBe(200);
    expect((await sender.send({ metadata: { a: '1' } }, key)).status).toBe(409);
  });

  test('metadata is accepted up to its limits, and 400 names the place beyond', async () => {
    expect((await dryRun(keys(20))).status).toBe(200);
    expect(issuePaths(await dryRun(keys(21)))).toEqual(['metadata']);
    for (const key of ['k', 'k'.repeat(40), 'A-z_0', '9']) {
      expect([key, (await dryRun({ [key]: 'x' })).status]).toEqual([key, 200]);
    }
    for (const value of ['v', 'v'.repeat(500), '\u{1f600}'.repeat(500), '{"$gt":""}', '=cmd()']) {
      expect([value, (await dryRun({ key: value })).body.metadata]).toEqual([value, { key: value }]);
    }
    for (const value of ['', ' ', 'v'.repeat(501), 'a\nb', 'a\u0000b', '\ud800', 1, true, null, {}, ['x']]) {
      const answer = await dryRun({ key: value });
      expect([value, answer.status]).toEqual([value, 400]);
      expect(new Set(issuePaths(answer))).toEqual(new Set(['metadata.key']));
    }
    for (const metadata of ['x', 1, true, [], ['x']]) {
      expect([metadata, issuePaths(await dryRun(metadata))]).toEqual([metadata, ['metadata']]);
    }
  });

  test.each([
    '',
    'k'.repeat(41),
    'a.b',
    '$where',
    'a$',
    '_id',
    '-a',
    'a b',
    'a[b]',
    'é',
    'a\\u0000',
    '\\ud800',
    'a\\n',
  ])('the key %j is refused, and 400 names it', async (key) => {
    const answer = await sendText(`{"${key}":"x"}`);
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, ['metadata', JSON.parse(`"${key}"`)]]);
  });

  test('the key __proto__ is refused, alone or with others', async () => {
    for (const text of ['{"__proto__":"x"}', '{"a":"1","__proto__":{"b":"2"}}']) {
      const answer = await sendText(text);
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['metadata.__proto__']]);
    }
  });

  describe('as a filter of the list', () => {
    const noted = openOnce(async () => ({
      red: await sender.sendAccepted({ metadata: { colour: 'red' } }),
      redLarge: await sender.sendAccepted({ metadata: { colour: 'red', size: 'large & tall' } }),
      blueLarge: await sender.sendAccepted({ metadata: { colour: 'blue', size: 'large & tall' } }),
    }));
    const find = (query: string, by: Pick<Sender, 'http'> = sender) => by.http.get(`/v1/mails?${query}`);
    const idsOf = ({ body }: Answer) => body.data.map(({ mailJobId }: { mailJobId: string }) => mailJobId);

    test('returns the letters that have all entries, newest first', async () => {
      const { red, redLarge, blueLarge } = noted;
      expect(idsOf(await find('metadata[colour]=red'))).toEqual([redLarge, red]);
      expect(idsOf(await find('metadata%5Bsize%5D=large+%26+tall'))).toEqual([blueLarge, redLarge]);
      expect(idsOf(await find('metadata[size]=large%20%26%20tall&metadata[colour]=%20red%20'))).toEqual([redLarge]);
      const others = ['metadata[colour]=Red', 'metadata[color]=red', 'metadata[constructor]=x', 'metadata[size]=red'];
      for (const none of others) expect([none, idsOf(await find(none))]).toEqual([none, []]);
      expect(idsOf(await find('metadata[colour]=red&status=queued&zone=NATIONAL'))).toEqual([redLarge, red]);
      expect(idsOf(await find('metadata[colour]=red&status=failed'))).toEqual([]);
    });

    test('a cursor is valid only with the same entries', async () => {
      const two = 'metadata[colour]=red&metadata[size]=large+%26+tall&limit=1';
      const { nextCursor } = (await find('metadata[colour]=red&limit=1')).body;
      expect(idsOf(await find(`limit=1&cursor=${nextCursor}&metadata[colour]=red`))).toEqual([noted.red]);
      for (const other of ['metadata[colour]=blue', 'metadata[Colour]=red', '', two]) {
        expect(issuePaths(await find(`${other}&cursor=${nextCursor}`))).toEqual(['cursor']);
      }
    });

    test.each([
      ['metadata=x', 'metadata'],
      ['metadata=x&metadata[a]=y', 'metadata'],
      ['metadata[a]=y&metadata=x', 'metadata'],
      ['metadata[]=x', 'metadata.'],
      ['metadata[a]=', 'metadata.a'],
      ['metadata[a]=x&metadata[a]=x', 'metadata.a'],
      ['metadata[a]=x&metadata%5Ba%5D=y', 'metadata.a'],
      ['metadata[__proto__]=x', 'metadata.__proto__'],
      ['metadata[$where]=1', 'metadata.$where'],
      ['metadata[a.b]=1', 'metadata.a.b'],
      ['metadata[a][b]=1', 'metadata[a][b]'],
      ['metadata[a=1', 'metadata[a'],
      ['Metadata[a]=1', 'Metadata[a]'],
      ['externalId[a]=1', 'externalId[a]'],
      ['metadata[a]=%00', 'metadata.a'],
      [new URLSearchParams(Object.keys(keys(21)).map((key) => [`metadata[${key}]`, 'x'])).toString(), 'metadata'],
    ])('the query %s is refused with 400', async (query, path) => {
      const answer = await find(query);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(new Set(issuePaths(answer))).toEqual(new Set([path]));
    });
  });
});
