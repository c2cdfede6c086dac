// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { newId } from '#common/ids.ts';
import { claimKey, type KeyClaim, keyLeaseMs, keyLifeMs } from '#common/platform/idempotency/claim-key.ts';
import { IdempotencyKey } from '#common/platform/idempotency/idempotency-key.model.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createClock } from '#common/sandbox/clocks/change-clocks.ts';
import { SandboxClock } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { createKeyRing } from '#common/secrets.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { Template } from '#common/templates/template.model.ts';
import { rotateSecret } from '#common/webhooks/console/rotate-secret.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const signerOf = (...entries: string[]) => createKeyRing(entries).signer('test');

describe('the claim of an Idempotency-Key', () => {
  const clock = standingClock();
  startWorld({ clock });
  let owner = { organizationId: '', mode: 'test' as const };
  beforeEach(() => {
    owner = { organizationId: newId('org'), mode: 'test' };
  });
  const claim = (request = 'body', signer = signerOf(keyOf('a', 1))) =>
    claimKey(owner, { key: 'Ada Peeters', request, signer }, clock.now());
  const claimNew = async (request?: string) => (await claim(request)) as KeyClaim;
  const inProgress = { code: 'SERVICE_UNAVAILABLE', retryAfterS: 1 };

  test('a repeat waits while the first request runs, and gets its result for 24 hours', async () => {
    const first = await claimNew();
    await expect(claim()).rejects.toMatchObject(inProgress);
    await first.finish('adr_1');
    expect(await claim()).toEqual({ result: 'adr_1' });
    clock.advance(keyLifeMs - 1);
    expect(await claim()).toEqual({ result: 'adr_1' });
    clock.advance(1);
    expect(await claim('another body')).toHaveProperty('finish');
  });

  test('another request with the key is refused, also while the first one runs and after its lease', async () => {
    const first = await claimNew();
    await expect(claim('other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    clock.advance(keyLeaseMs);
    await expect(claim('other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await first.finish('');
    await expect(claim('other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('a result is stored with its transaction or not at all', async () => {
    const first = await claimNew();
    const aborted = inTransaction(async (transaction) => {
      await first.finish('adr_1', transaction);
      throw new Error('aborted');
    });
    await expect(aborted).rejects.toThrow('aborted');
    await expect(claim()).rejects.toMatchObject(inProgress);
    await inTransaction((transaction) => first.finish('adr_2', transaction));
    await first.finish('not this');
    await first.release();
    expect(await claim()).toEqual({ result: 'adr_2' });
  });

  test('after the lease one repeat takes over, and the first request can no longer commit', async () => {
    const first = await claimNew();
    clock.advance(keyLeaseMs);
    const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claim()));
    const [taken, ...others] = claims.flatMap((each) => (each.status === 'fulfilled' ? [each.value as KeyClaim] : []));
    expect(others).toEqual([]);
    const late = inTransaction((transaction) => first.finish('late', transaction));
    await expect(late).rejects.toMatchObject(inProgress);
    await first.release();
    await taken?.finish('taken');
    expect(await claim()).toEqual({ result: 'taken' });
  });

  const at = clock.now();
  const entry = { kind: 'RECIPIENT' as const, ...aPostalAddress() };
  const template = { name: 'Keyed', language: 'en', text: 'Hello' } as const;
  const hook = { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED' as const] };
  const hooks = { checkTargetUrl: async () => [], keyRing: createKeyRing([keyOf('a', 1)]), maxActiveWebhooks: 9 };
  const creations: [string, { countDocuments(): PromiseLike<number> }, (claim: KeyClaim) => Promise<string>][] = [
    ['an address', Address, async (key) => (await createAddress(owner, entry, at, key))._id],
    ['a template', Template, async (key) => (await createTemplate(owner, template, at, key)).templateId],
    ['a test clock', SandboxClock, async (key) => (await createClock(owner, at, at, key))._id],
    ['a webhook', Webhook, async (key) => (await createWebhook(owner, hook, hooks, at, undefined, key)).record._id],
  ];
  test.each(creations)('%s is stored with its key or not at all, when the process dies', async (_, model, create) => {
    // It dies after the transaction: nothing else tells the repeat.
    const first = await claimNew();
    const isInside: (boolean | undefined)[] = [];
    const finish: KeyClaim['finish'] = async (result, transaction) => {
      isInside.push(transaction?.inTransaction());
      await first.finish(result, transaction);
    };
    const id = await create({ ...first, finish });
    expect(isInside).toEqual([true]);
    expect(await claim()).toEqual({ result: id });
    // Its lease has ended, and a repeat creates it.
    owner = { ...owner, organizationId: newId('org') };
    const late = await claimNew();
    clock.advance(keyLeaseMs);
    await claimNew();
    const count = await model.countDocuments();
    await expect(create(late)).rejects.toMatchObject(inProgress);
    expect(await model.countDocuments()).toBe(count);
  });

  test('a rotation is stored with its key or not at all, when the process dies', async () => {
    const { _id } = (await createWebhook(owner, hook, hooks, at)).record;
    const rotate = (key: KeyClaim) => rotateSecret(owner, _id, 0, hooks, at, undefined, key);
    const first = await claimNew();
    const finish: KeyClaim['finish'] = async (result, transaction) => {
      expect(transaction?.inTransaction()).toBe(true);
      await first.finish(result, transaction);
    };
    await rotate({ ...first, finish });
    // Waiting for the posts that are signed with the old secret failed.
    await first.release();
    expect(await claim()).toEqual({ result: '' });
    const late = (await claimKey(owner, { key: 'late', request: '', signer: signerOf(keyOf('a', 1)) }, at)) as KeyClaim;
    await late.release();
    const { secret } = (await Webhook.findById(_id).orFail()).toObject();
    await expect(rotate(late)).rejects.toMatchObject(inProgress);
    expect((await Webhook.findById(_id).orFail()).secret).toBe(secret);
  });

  test('a released key is free for another request', async () => {
    await (await claimNew()).release();
    await (await claimNew('other')).finish('');
    expect(await claim('other')).toEqual({ result: '' });
  });

  test('a repeat is recognized after the first encryption key was replaced', async () => {
    await (await claimNew()).finish('adr_1');
    expect(await claim('body', signerOf(keyOf('b', 2), keyOf('a', 1)))).toEqual({ result: 'adr_1' });
  });

  test('organizations and modes have keys of their own, whose text and request are not stored', async () => {
    await (await claimNew('secret body')).finish('adr_1');
    const request = { key: 'Ada Peeters', request: 'secret body', signer: signerOf(keyOf('a', 1)) };
    expect(await claimKey({ ...owner, mode: 'live' }, request, clock.now())).toHaveProperty('finish');
    expect(await claimKey({ ...owner, organizationId: newId('org') }, request, clock.now())).toHaveProperty('finish');
    const rows = JSON.stringify(await IdempotencyKey.find().lean());
    expect(rows).toContain('adr_1');
    expect(rows).not.toMatch(/Ada|secret/);
  });

  test('beyond the limit new keys are refused and leave nothing, and known ones are not', async () => {
    const claimOf = (key: string) =>
      claimKey(owner, { key, request: '', signer: signerOf(keyOf('a', 1)) }, clock.now(), 2);
    for (const key of ['one', 'two']) await ((await claimOf(key)) as KeyClaim).finish(key);
    await expect(claimOf('three')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await IdempotencyKey.countDocuments(owner)).toBe(2);
    expect(await claimOf('two')).toEqual({ result: 'two' });
    await IdempotencyKey.deleteOne({ result: 'one' });
    expect(await claimOf('three')).toHaveProperty('finish');
  });

  test('rows are removed after 24 hours without a worker', async () => {
    const indexes = await IdempotencyKey.collection.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });
});
