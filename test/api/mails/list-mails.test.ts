// Level: push
import { plusMs } from '#common/clock.ts';
import { beforeAll, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { type Answer, aRequestAddress, aSender, issuePaths, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

type Letter = { id: string; zone: string; serviceType: string; status: string; createdAt: Date; updatedAt: Date };

const zones = ['NATIONAL', 'INTERNATIONAL'];
const serviceTypes = ['standard', 'prior', 'registered'];
const statuses = ['queued', 'printed', 'failed'];
const idsOf = ({ body }: Answer): string[] => body.data.map(({ mailJobId }: { mailJobId: string }) => mailJobId);

describe('GET /v1/mails', () => {
  const world = startWorld();
  /** Has 25 jobs, sent one after the other. `sent` has the newest first. */
  const sender = openOnce(() => aSender(world));
  const sent: string[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 25; n += 1) sent.unshift((await sender.send({ externalId: `letter-${n}` })).body.mailJobId);
    for (const id of sent.slice(0, 3)) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
  });
  const list = (query = '', from = sender) => from.http.get(`/v1/mails${query}`);

  test('returns summaries, newest first, twenty per page', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'hasMore', 'nextCursor']);
    expect(idsOf(answer)).toEqual(sent.slice(0, 20));
    expect(answer.body.data[10]).toEqual({
      mailJobId: sent[10],
      externalId: 'letter-14',
      status: 'queued',
      mode: 'test',
      zone: 'NATIONAL',
      serviceType: 'standard',
      pages: 1,
      color: false,
      doubleSided: true,
      acknowledgmentReceipt: false,
      recipientCount: 1,
      currency: 'EUR',
      totalCents: 221,
      scheduledDropAt: null,
      dropAt: expect.any(String),
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('the page that reaches the oldest job is the last', async () => {
    const last = { hasMore: false, nextCursor: null };
    for (const limit of [25, 100]) expect((await list(`?limit=${limit}`)).body).toMatchObject(last);
    expect((await list('?limit=24')).body.hasMore).toBe(true);
  });

  test('returns only jobs that match all filters', async () => {
    expect(idsOf(await list('?status=posted'))).toEqual(sent.slice(0, 3));
    expect(idsOf(await list('?status=delivered'))).toEqual([]);
    expect(idsOf(await list('?externalId=letter-24'))).toEqual(sent.slice(0, 1));
    const stranger = await aSender(world);
    expect(idsOf(await stranger.http.get('/v1/mails?externalId=letter-24'))).toEqual([]);
    expect(idsOf(await list('?externalId=%20letter-24%20'))).toEqual(sent.slice(0, 1));
    expect(idsOf(await list('?externalId=letter-24&status=posted'))).toEqual(sent.slice(0, 1));
    expect(idsOf(await list('?externalId=letter-24&status=queued'))).toEqual([]);
    expect(idsOf(await list('?externalId=letter-2'))).toEqual(sent.slice(22, 23));
    expect((await list('?externalId=letter')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
  });

  test('the limit may change between pages, and another key of the owner may read on', async () => {
    const cursor = (await list('?limit=5')).body.nextCursor;
    const secondKey = { ...sender, ...(await world.customer({ organizationId: sender.organizationId })) };
    for (const from of [sender, secondKey])
      expect(idsOf(await list(`?cursor=${cursor}&limit=2`, from))).toEqual(sent.slice(5, 7));
  });
});

describe('the filters of GET /v1/mails', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let sender: Sender;
  /** One letter per zone, service and status, created 1 s apart, then moved in another order. Newest first. */
  let letters: Letter[];

  beforeAll(async () => {
    sender = await aSender(world);
    letters = [];
    for (const zone of zones) {
      for (const serviceType of serviceTypes) {
        for (const status of statuses) {
          clock.advance(1_000);
          const { id } = await send({ zone, serviceType });
          const at = clock.now();
          letters.unshift({ id, zone, serviceType, status, createdAt: at, updatedAt: at });
        }
      }
    }
    for (const letter of letters) {
      if (letter.status === 'queued') continue;
      clock.advance(1_000);
      await sender.http.post(`/v1/mails/${letter.id}/simulate`, { to: letter.status });
      letter.updatedAt = clock.now();
    }
  });

  async function send({ zone, serviceType }: { zone: string; serviceType: string }): Promise<{ id: string }> {
    const recipients = [aRequestAddress(zone === 'INTERNATIONAL' ? { country: 'FR', zip: '75001' } : {})];
    const answer = await sender.send({ zone, serviceType, recipients, metadata: { zone, serviceType } });
    expect(answer.status).toBe(201);
    return { id: answer.body.mailJobId };
  }
  const list = (query: string) => sender.http.get(`/v1/mails?limit=100&${query}`);
  const fitting = (fits: (letter: Letter) => boolean) => letters.filter(fits).map(({ id }) => id);
  const at = (index: number) => letters[index] as Letter;
  const timeOf = (time: Date) => encodeURIComponent(time.toISOString());

  const anyOr = (values: string[]) => [undefined, ...values];
  const kinds = anyOr(zones).flatMap((zone) =>
    anyOr(serviceTypes).flatMap((serviceType) => anyOr(statuses).map((status) => ({ zone, serviceType, status }))),
  );
  test('any combination of zone, service and status returns the matches, newest first', async () => {
    expect(kinds).toHaveLength(48);
    for (const kind of kinds) {
      const wanted = Object.entries(kind).filter(([, value]) => value !== undefined);
      const found = await list(wanted.map((pair) => pair.join('=')).join('&'));
      const fits = (letter: Letter) => wanted.every(([name, value]) => letter[name as keyof Letter] === value);
      expect([kind, idsOf(found)]).toEqual([kind, fitting(fits)]);
    }
  });

  test('createdAfter is inclusive and createdBefore exclusive', async () => {
    const { createdAt } = at(5);
    expect(idsOf(await list(`createdAfter=${timeOf(createdAt)}`))).toEqual(
      fitting((each) => each.createdAt >= createdAt),
    );
    expect(idsOf(await list(`createdBefore=${timeOf(createdAt)}`))).toEqual(
      fitting((each) => each.createdAt < createdAt),
    );
    const justAfter = timeOf(plusMs(createdAt, 1));
    expect(idsOf(await list(`createdAfter=${justAfter}`))).toEqual(fitting((each) => each.createdAt > createdAt));
    expect(idsOf(await list(`createdBefore=${justAfter}`))).toEqual(fitting((each) => each.createdAt <= createdAt));
    const between = `createdAfter=${timeOf(at(9).createdAt)}&createdBefore=${timeOf(createdAt)}`;
    expect(idsOf(await list(between))).toEqual(letters.slice(6, 10).map(({ id }) => id));
    expect(idsOf(await list(`createdAfter=${timeOf(createdAt)}&createdBefore=${timeOf(createdAt)}`))).toEqual([]);
    const counts = {
      'createdAfter=0001-01-01T00:00:00Z': letters.length,
      'createdBefore=9999-12-31T23:59:59.999Z': letters.length,
      'createdBefore=1969-12-31T23:59:59Z': 0,
      'createdAfter=9999-12-31T23:59:59.999Z': 0,
    };
    for (const [query, count] of Object.entries(counts)) {
      expect([query, idsOf(await list(query)).length]).toEqual([query, count]);
    }
  });

  test('updatedAfter is inclusive, and the newest letter comes first', async () => {
    const moved = letters.filter(({ status }) => status !== 'queued');
    const { updatedAt } = moved[3] as Letter;
    const since = (time: Date) => fitting((each) => each.updatedAt >= time);
    expect(idsOf(await list(`updatedAfter=${timeOf(updatedAt)}`))).toEqual(since(updatedAt));
    expect(idsOf(await list(`updatedAfter=${timeOf(plusMs(updatedAt, 1))}`))).toEqual(since(plusMs(updatedAt, 1)));
    expect(since(updatedAt)).toHaveLength(moved.length - 3);
    expect(idsOf(await list(`updatedAfter=${timeOf(at(17).createdAt)}`))).toEqual(letters.map(({ id }) => id));
  });

  test('a letter must match all filters', async () => {
    const { id, zone, serviceType, status, createdAt, updatedAt } = at(4);
    const all = {
      zone,
      serviceType,
      status,
      createdAfter: createdAt.toISOString(),
      createdBefore: plusMs(createdAt, 1).toISOString(),
      updatedAfter: updatedAt.toISOString(),
      'metadata[zone]': zone,
      'metadata[serviceType]': serviceType,
    };
    expect(idsOf(await list(new URLSearchParams(all).toString()))).toEqual([id]);
    const misses = {
      zone: 'NATIONAL',
      serviceType: 'standard',
      status: 'posted',
      createdAfter: plusMs(createdAt, 1).toISOString(),
      createdBefore: createdAt.toISOString(),
      updatedAfter: plusMs(updatedAt, 1).toISOString(),
      'metadata[zone]': 'NATIONAL',
      externalId: 'none',
    };
    for (const [name, value] of Object.entries(misses)) {
      const one = new URLSearchParams({ ...all, [name]: value });
      expect([name, idsOf(await list(one.toString()))]).toEqual([name, []]);
    }
  });

  test.each([
    'zone=INTERNATIONAL',
    'serviceType=prior&status=failed',
    'createdAfter=2020-01-01T00:00:00Z&createdBefore=2999-01-01T00:00:00Z',
    'updatedAfter=2020-01-01T00:00:00Z',
    'metadata[zone]=NATIONAL',
  ])('pages of %s contain each letter once, and the cursor is valid only for this filter', async (query) => {
    const whole = idsOf(await list(query));
    const walked: string[] = [];
    let cursor = '';
    for (let page = 0; page <= whole.length && cursor !== null; page += 1) {
      const answer = await sender.http.get(`/v1/mails?limit=2&${query}${cursor && `&cursor=${cursor}`}`);
      walked.push(...idsOf(answer));
      cursor = answer.body.nextCursor;
      if (cursor === null) break;
      const other = await list(`cursor=${cursor}&${query.split('&').slice(1).join('&')}`);
      expect([other.status, issuePaths(other)]).toEqual([400, ['cursor']]);
    }
    expect(walked).toEqual(whole);
  });

  test('a cursor stays valid when the same instant is written differently', async () => {
    const { nextCursor } = (await sender.http.get('/v1/mails?limit=1&createdAfter=2020-01-01T00:00:00Z')).body;
    const same = await list(`createdAfter=2020-01-01T02:00:00.000%2B02:00&cursor=${nextCursor}`);
    expect(idsOf(same)).toEqual(letters.slice(1).map(({ id }) => id));
  });

  const noDates = ['2026-03-02', '2026-03-02T09:30:00', '2026-02-30T09:30:00Z', '2026-03-02T09:30:00+01:00'];
  const noTimes = [...noDates, '1772443800', 'now', ''];
  test.each([
    ...['createdAfter', 'createdBefore', 'updatedAfter'].flatMap((name) =>
      noTimes.map((value) => [name, value] as const),
    ),
    ['zone', 'national'] as const,
    ['zone', ''] as const,
    ['serviceType', 'express'] as const,
    ['status', 'sent'] as const,
    ['status', ''] as const,
    ...['', '%20', 'x'.repeat(256), 'a%00b'].map((value) => ['externalId', value] as const),
    ['cursor', ''] as const,
    ['updatedBefore', '2026-03-02T09:30:00Z'] as const,
  ])('%s=%s is refused with 400', async (name, value) => {
    const answer = await list(`${name}=${value}`);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [name]]);
    const twice = await list(`${name}=${value}&${name}=${value}`);
    expect([twice.status, new Set(issuePaths(twice))]).toEqual([400, new Set([name])]);
  });
});
