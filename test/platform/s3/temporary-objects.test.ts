// Level: push
import { plusMs } from '#common/clock.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { TemporaryObject } from '#common/platform/s3/temporary-object.model.ts';
import {
  removeTemporaryObjects,
  signTemporaryObject,
  signUrl,
  storeTemporaryObject,
} from '#common/platform/s3/temporary-objects.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const minuteMs = 60_000;

describe('temporary objects', () => {
  const world = startWorld();
  let made = 0;
  const make = async () => {
    made += 1;
    return { bytes: Buffer.from(`letter ${made}`) };
  };
  const organization = (organizationId: string) => ({ organizationId, mode: 'test' }) as const;
  const pdf = { filename: 'mi_1.pdf', contentType: 'application/pdf', owner: organization('one'), maxBytes: 100 };
  const sign = (name: string, at: Date, store: ObjectStore = world.store) =>
    signTemporaryObject({ ...pdf, name }, make, { store, at });
  const keysOf = async (name: string) => (await TemporaryObject.find({ name }).lean()).map(({ _id }) => _id);

  test('a signed URL returns the object for five minutes', async () => {
    const now = new Date();
    const { url, expiresAt } = await sign('a proof', now);
    expect(expiresAt).toEqual(plusMs(now, 5 * minuteMs));
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(await answer.text()).toBe(`letter ${made}`);
    const old = await sign('a proof', plusMs(now, -5 * minuteMs - 1_000));
    expect((await fetch(old.url)).status).toBe(403);
  });

  test('requests share an object until it would not outlive their URL', async () => {
    const now = new Date();
    const before = made;
    await sign('shared', now);
    await sign('shared', plusMs(now, 10 * minuteMs - 1));
    expect(made).toBe(before + 1);
    await sign('shared', plusMs(now, 10 * minuteMs));
    expect(made).toBe(before + 2);
    await sign('another', now);
    expect(made).toBe(before + 3);
  });

  test('an object outlives a URL that is signed at the last moment', async () => {
    const now = new Date();
    const object = { name: 'overlay', filename: 'pf_1.png', contentType: 'image/png' };
    const stored = { store: world.store, at: now, keptMs: minuteMs };
    const key = await storeTemporaryObject(object, { bytes: Buffer.from('x') }, stored);
    const { expiresAt } = await signUrl(key, { store: world.store, at: plusMs(now, minuteMs) });
    await removeTemporaryObjects(world, plusMs(expiresAt, -1));
    expect(await world.store.head(key)).not.toBeNull();
    await removeTemporaryObjects(world, expiresAt);
    expect(await world.store.head(key)).toBeNull();
  });

  test('objects are removed after 15 minutes, also those whose storing was interrupted', async () => {
    const now = new Date();
    await sign('kept 15 minutes', now);
    const failing: ObjectStore = { ...world.store, put: () => Promise.reject(new Error('interrupted')) };
    await expect(sign('interrupted', now, failing)).rejects.toThrow('interrupted');
    const [key = ''] = await keysOf('kept 15 minutes');
    await removeTemporaryObjects(world, plusMs(now, 15 * minuteMs - 1));
    expect(await world.store.head(key)).not.toBeNull();
    await removeTemporaryObjects(world, plusMs(now, 15 * minuteMs));
    expect(await world.store.head(key)).toBeNull();
    expect([await keysOf('kept 15 minutes'), await keysOf('interrupted')]).toEqual([[], []]);
  });

  test('an organization has at most 2 GiB in one mode, also by simultaneous requests', async () => {
    const now = new Date();
    const [owner, maxBytes] = [organization('large'), 512 * 1024 ** 2];
    let makes = 0;
    // Each waits until all have been decided, so none has its real, small size yet.
    const decided = Promise.withResolvers<void>();
    let ended = 0;
    const countEnd = () => {
      ended += 1;
      if (ended === 6) decided.resolve();
    };
    const large = async (name: string) =>
      await signTemporaryObject(
        { ...pdf, name, owner, maxBytes },
        async () => {
          makes += 1;
          countEnd();
          await decided.promise;
          return { bytes: Buffer.from('x') };
        },
        { store: world.store, at: now },
      ).catch((error: unknown) => {
        countEnd();
        return error;
      });
    await TemporaryObject.create({
      ...{ _id: 't/0', name: 'stored', storedAt: now, removeAt: plusMs(now, minuteMs) },
      ...{ ...owner, sizeBytes: maxBytes },
    });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => large(`large ${index}`)));
    expect(makes).toBeLessThanOrEqual(3);
    const refused = answers.filter((answer) => answer instanceof Error);
    expect(refused).toHaveLength(6 - makes);
    for (const error of refused) expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 60 });
    const others = [{ ...owner, mode: 'live' as const }, organization('other')];
    for (const other of others) {
      const signed = signTemporaryObject({ ...pdf, name: 'x', owner: other, maxBytes }, make, {
        store: world.store,
        at: now,
      });
      await expect(signed).resolves.toMatchObject({ url: expect.any(String) });
    }
    // What was stored counts with its size, and what was refused no more.
    await expect(large('later')).resolves.toMatchObject({ url: expect.any(String) });
  });

  test('an object that cannot be made leaves no row', async () => {
    const now = new Date();
    const failing = () => Promise.reject(new Error('not drawn'));
    await expect(
      signTemporaryObject({ ...pdf, name: 'none' }, failing, { store: world.store, at: now }),
    ).rejects.toThrow('not drawn');
    expect(await keysOf('none')).toEqual([]);
  });

  test('an object that cannot be removed is tried again ten minutes later', async () => {
    const now = new Date();
    await sign('locked', now);
    const [key = ''] = await keysOf('locked');
    const store: ObjectStore = { ...world.store, delete: () => Promise.reject(new Error('Object locked')) };
    const at = plusMs(now, 15 * minuteMs);
    await removeTemporaryObjects({ ...world, store }, at);
    await removeTemporaryObjects(world, plusMs(at, 10 * minuteMs - 1));
    expect(await keysOf('locked')).toEqual([key]);
    await removeTemporaryObjects(world, plusMs(at, 10 * minuteMs));
    expect(await keysOf('locked')).toEqual([]);
    expect(await world.store.head(key)).toBeNull();
  });
});
