// Level: push
import { uploadRequest } from '#api/openapi/examples/document-examples.ts';
import { createApiKey } from '#common/access/api-keys.ts';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { type LimitName, setOrganizationLimit } from '#common/operations/organization-limits.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { adminOf } from '../support/wallet/admin.ts';

const by = { kind: 'cli', id: 'ada' } as const;

describe('limits that an operator sets for one organization', () => {
  const world = startWorld({
    hasTariffs: false,
    environment: {
      MAX_ACTIVE_WEBHOOKS: '2',
      MAX_STORED_TEST_GB: '2',
      MAX_STORED_LIVE_GB: '1',
      RATE_LIMIT_WRITE_PER_MINUTE: '4',
      RATE_LIMIT_BURST: '100',
      RATE_LIMIT_ORGANIZATION_FACTOR: '2',
    },
  });
  const setLimit = async (organizationId: string, name: LimitName, value: number | null) =>
    await setOrganizationLimit({ organizationId, name, value }, by, new Date());

  test.each([
    [0, 0],
    [1, 1],
    [3, 3],
    [null, 2],
  ])('with a limit of %j active webhooks it may have %i', async (limit, most) => {
    const { http, organizationId } = await world.customer();
    await setLimit(organizationId, 'writes-per-minute', 1_000);
    const keyed = await world.customer({ organizationId });
    await setLimit(organizationId, 'active-webhooks', 5);
    await setLimit(organizationId, 'active-webhooks', limit);
    const create = async (n: number) =>
      (await (n < 3 ? http : keyed.http).post('/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['MAIL_QUEUED'] }))
        .status;
    for (let n = 0; n < most; n += 1) expect(await create(n)).toBe(201);
    expect(await create(3)).toBe(409);
  });

  test.each([
    ['test', 1, 1_000_000_000],
    ['test', 3, 3_000_000_000],
    ['test', null, 2_000_000_000],
    ['live', 4, 4_000_000_000],
    ['live', null, 1_000_000_000],
  ] as const)('%s files may take what an operator sets: %j GB is %i bytes', async (mode, limit, most) => {
    const { http, organizationId } = await world.customer({ mode });
    const name = `stored-${mode}-gb` as const;
    await setLimit(organizationId, name, 5);
    await setLimit(organizationId, name, limit);
    await setLimit(organizationId, mode === 'test' ? 'stored-live-gb' : 'stored-test-gb', 10);
    const ask = async (sizeBytes: number) => await http.post('/v1/uploads', { ...uploadRequest, sizeBytes });
    expect((await ask(1_000)).status).toBe(200);
    await StorageUse.updateOne({ organizationId, mode }, { $set: { bytes: most - 1_000 } });
    expect((await ask(1_001)).body).toMatchObject({
      code: 'LIMIT_REACHED',
      message: expect.stringContaining(`may take ${most} bytes, ${most - 1_000} are used`),
    });
    expect((await ask(1_000)).status).toBe(200);
  });

  /** Sends a refused write, which counts, and returns its status and policy. */
  async function write({ http }: Pick<Awaited<ReturnType<typeof world.customer>>, 'http'>) {
    const { status, headers } = await http.post('/v1/quote', {});
    return { isRefused: status === 429, policy: headers.get('ratelimit-policy') };
  }

  test('a lower request quota holds for each of its keys and all together, and headers show it', async () => {
    const first = await world.customer();
    await setLimit(first.organizationId, 'writes-per-minute', 2);
    const second = await world.customer({ organizationId: first.organizationId });
    const { isRefused, policy } = await write(first);
    expect([isRefused, policy]).toEqual([false, expect.stringMatching(/^"write"; q=2; w=60/)]);
    expect((await write(second)).isRefused).toBe(false);
    expect((await write(second)).isRefused).toBe(true);
    expect((await write(await world.customer())).isRefused).toBe(false);
  });

  test('a higher request quota lets more of its keys write at once', async () => {
    const first = await world.customer();
    const { organizationId } = first;
    await setLimit(organizationId, 'writes-per-minute', 12);
    const keys = [first, await world.customer({ organizationId }), await world.customer({ organizationId })];
    for (const key of keys) {
      for (let n = 0; n < 4; n += 1) expect((await write(key)).isRefused).toBe(false);
    }
    expect((await write(await world.customer({ organizationId }))).isRefused).toBe(true);
  });

  test.each([
    [7, 7, true],
    [7, 100, true],
    [8, 8, false],
    [9, 9, false],
  ])(
    'with a request quota of %i, usually 8, a key with a limit of %i counts towards it: %j',
    async (quota, own, isCounted) => {
      const { organizationId } = await world.customer();
      await setLimit(organizationId, 'writes-per-minute', quota);
      const wanted = { organizationId, mode: 'test', scopes: ['send'], writesPerMinute: own } as const;
      const { key } = await createApiKey(wanted, new Date());
      const owned = { http: createClient(world.url, key) };
      for (let n = 0; n < quota; n += 1) {
        expect(await write(owned)).toEqual({ isRefused: false, policy: expect.stringContaining(`q=${quota}; w=60`) });
      }
      expect((await write(owned)).isRefused).toBe(true);
      expect((await write(await world.customer({ organizationId }))).isRefused).toBe(isCounted);
    },
  );

  test('the command sets, shows and audits them, and refuses what is out of range', async () => {
    const { organizationId } = await world.customer();
    const run = (...words: string[]) => adminOf(world)(words);
    const set = (limit: string, value: string) =>
      run('org', 'set-limit', '--org', organizationId, '--limit', limit, '--value', value);
    expect((await set('active-webhooks', '150')).code).toBe(0);
    expect((await set('reads-per-minute', '2000')).code).toBe(0);
    expect((await set('stored-live-gb', '2000')).code).toBe(0);
    const shown = await run('org', 'limits', '--org', organizationId, '--json');
    expect(JSON.parse(shown.stdout).limits).toEqual({
      ...{ 'active-webhooks': 150, 'reads-per-minute': 2_000, 'stored-live-gb': 2_000 },
    });
    expect(await set('active-webhooks', '201')).toMatchObject({
      code: 1,
      output: '--value: "201" is not a whole number from 0 to 200.\n',
    });
    const entries = await AuditEntry.find({ subjectId: organizationId }).sort({ _id: 1 }).lean();
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['organization.limit-set', { limit: 'active-webhooks', value: 150 }],
      ['organization.limit-set', { limit: 'reads-per-minute', value: 2_000 }],
      ['organization.limit-set', { limit: 'stored-live-gb', value: 2_000 }],
    ]);
  });
});
