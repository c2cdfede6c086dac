import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { createLookup, type Lookup, vetTarget } from '../../common/webhooks/resolve-host.ts';
import { type NameAnswer, type NameServer, startNameServer } from '../support/name-server.ts';

const known: Record<string, { A: NameAnswer; AAAA: NameAnswer }> = {
  'both.test': { A: ['93.184.216.34', '8.8.8.8'], AAAA: ['2606:4700::1111'] },
  'four.test': { A: ['93.184.216.34'], AAAA: [] },
  'six.test': { A: [], AAAA: ['2606:4700::1111'] },
  'half-silent.test': { A: ['93.184.216.34'], AAAA: 'silent' },
  'silent.test': { A: 'silent', AAAA: 'silent' },
  'inside.test': { A: ['93.184.216.34'], AAAA: ['fd00::1'] },
};
const rules = targetRules({ allowLoopback: false, allowCidrs: [], ports: [443] });

describe('the addresses of a name', () => {
  let server: NameServer;
  let lookup: Lookup;
  const never = new AbortController().signal;
  const vet = (hostname: string) =>
    vetTarget({ protocol: 'https:', hostname, port: 443 }, rules, { lookup, timeoutMs: 3_000 });

  beforeAll(async () => {
    server = await startNameServer((name, family) => known[name]?.[family] ?? []);
    lookup = createLookup([server.address]);
  });
  afterAll(() => server.close());

  test.each([
    ['both.test', ['93.184.216.34', '8.8.8.8', '2606:4700::1111']],
    ['four.test', ['93.184.216.34']],
    ['six.test', ['2606:4700::1111']],
  ])('given %s, when it is looked up, then all addresses of both families come back', async (name, addresses) => {
    expect(await lookup(name, never)).toEqual(addresses);
  });

  test('given a name whose IPv6 question is never answered, when it is looked up, then IPv4 goes ahead at once', async () => {
    const startedMs = performance.now();
    expect(await lookup('half-silent.test', never)).toEqual(['93.184.216.34']);
    expect(performance.now() - startedMs).toBeLessThan(900);
  });

  test('given a name that nobody has, when it is looked up, then it is a dns error', async () => {
    await expect(vet('missing.test')).rejects.toMatchObject({ errorClass: 'dns' });
  });

  test('given a silent name server, when the time is up, then it is a dns error and the question is called off', async () => {
    const signals: AbortSignal[] = [];
    const watched: Lookup = (name, signal) => {
      signals.push(signal);
      return lookup(name, signal);
    };
    const target = { protocol: 'https:', hostname: 'silent.test', port: 443 };
    const startedMs = performance.now();
    const vetting = vetTarget(target, rules, { lookup: watched, timeoutMs: 300 });
    await expect(vetting).rejects.toMatchObject({ errorClass: 'dns' });
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('given a question to a silent name server, when it is called off, then it ends at once', async () => {
    const startedMs = performance.now();
    await expect(lookup('silent.test', AbortSignal.timeout(100))).rejects.toMatchObject({ errorClass: 'dns' });
    expect(performance.now() - startedMs).toBeLessThan(900);
  });

  test('given one private address among public ones, when the name is vetted, then it is blocked without naming it', async () => {
    await expect(vet('inside.test')).rejects.toMatchObject({
      errorClass: 'blocked_ip',
      message: expect.not.stringContaining('fd00'),
    });
  });

  test('given localhost in any spelling, when it is looked up, then no name server is asked', async () => {
    const asked = server.questions;
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      expect(await lookup(name, never)).toEqual(['127.0.0.1', '::1']);
    }
    expect(server.questions).toBe(asked);
  });
});
