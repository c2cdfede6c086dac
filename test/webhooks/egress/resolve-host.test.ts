// Level: unit
import { Resolver } from 'node:dns/promises';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createLookup, type Lookup, vetTarget } from '#common/webhooks/egress/resolve-host.ts';
import { afterAll, beforeAll, describe, expect, guardMs, jest, test } from '#test/support/jest.ts';
import { type NameAnswer, type NameServer, startNameServer } from '#test/support/servers/name-server.ts';

const known: Record<string, { A: NameAnswer; AAAA: NameAnswer }> = {
  'both.test': { A: ['93.184.216.34', '8.8.8.8'], AAAA: ['2606:4700::1111'] },
  'four.test': { A: ['93.184.216.34'], AAAA: [] },
  'six.test': { A: [], AAAA: ['2606:4700::1111'] },
  'half-silent.test': { A: ['93.184.216.34'], AAAA: 'silent' },
  'silent.test': { A: 'silent', AAAA: 'silent' },
  'inside.test': { A: ['93.184.216.34'], AAAA: ['fd00::1'] },
};
const rules = targetRules({ allowLoopback: false, allowCidrs: [], ports: [443] });

describe('the DNS look-up', () => {
  let server: NameServer;
  let lookup: Lookup;
  const never = new AbortController().signal;
  const vet = (hostname: string) =>
    vetTarget({ protocol: 'https:', hostname, port: 443 }, rules, { lookup, timeoutMs: guardMs });

  beforeAll(async () => {
    server = await startNameServer((name, family) => known[name]?.[family] ?? []);
    lookup = createLookup([server.address]);
  });
  afterAll(() => server.close());

  test.each([
    ['both.test', ['93.184.216.34', '8.8.8.8', '2606:4700::1111']],
    ['four.test', ['93.184.216.34']],
    ['six.test', ['2606:4700::1111']],
  ])('of %s returns all addresses of both families', async (name, addresses) => {
    expect(await lookup(name, never)).toEqual(addresses);
  });

  test('returns IPv4 addresses soon when the IPv6 query is never answered', async () => {
    const cancel = jest.spyOn(Resolver.prototype, 'cancel');
    try {
      expect(await lookup('half-silent.test', never)).toEqual(['93.184.216.34']);
      // The resolver itself would give up after 3 s.
      expect(cancel).toHaveBeenCalledTimes(1);
    } finally {
      cancel.mockRestore();
    }
  });

  test('of an unknown name is a dns error', async () => {
    await expect(vet('missing.test')).rejects.toMatchObject({ errorClass: 'dns' });
  });

  test('times out with a dns error and cancels the query', async () => {
    const signals: AbortSignal[] = [];
    const watched: Lookup = (name, signal) => {
      signals.push(signal);
      return lookup(name, signal);
    };
    const target = { protocol: 'https:', hostname: 'silent.test', port: 443 };
    const vetting = vetTarget(target, rules, { lookup: watched, timeoutMs: 100 });
    const message = expect.stringContaining('no answer for silent.test within 100 ms');
    await expect(vetting).rejects.toMatchObject({ errorClass: 'dns', message });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('can be cancelled while the name server is silent', async () => {
    const cancelled = { status: 'rejected', reason: { code: 'ECANCELLED' } };
    await expect(lookup('silent.test', AbortSignal.timeout(100))).rejects.toMatchObject({
      errorClass: 'dns',
      cause: [cancelled, cancelled],
    });
  });

  test('with a private address among public ones is blocked without revealing it', async () => {
    await expect(vet('inside.test')).rejects.toMatchObject({
      errorClass: 'blocked_ip',
      message: expect.not.stringContaining('fd00'),
    });
  });

  test('of localhost in any spelling sends no query', async () => {
    const before = server.questions;
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      expect(await lookup(name, never)).toEqual(['127.0.0.1', '::1']);
    }
    expect(server.questions).toBe(before);
  });
});
