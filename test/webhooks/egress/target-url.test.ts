// Level: unit
import { isAddressAllowed, targetRules } from '#common/webhooks/egress/address-rules.ts';
import type { Lookup } from '#common/webhooks/egress/resolve-host.ts';
import { checkTargetUrl } from '#common/webhooks/egress/target-url.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const settings = { allowLoopback: false, allowCidrs: [] as string[], ports: [443, 8443] };
const strict = targetRules(settings);
const onThisMachine = targetRules({ ...settings, allowLoopback: true });
const answer =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;
const publicName = { lookup: answer('93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946') };
const unreachable = 'Use a host that the public internet can reach.';

/** At least one literal of every forbidden range, as an attacker would write it. */
const forbiddenHosts: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '0'],
  loopback: [
    '127.0.0.1',
    '127.255.255.254',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.0.0.１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '017700000001',
  ],
  'private 10/8': ['10.0.0.1', '10.255.255.255', '0xa.1'],
  'private 172.16/12': ['172.16.0.1', '172.31.255.255'],
  'private 192.168/16': ['192.168.0.1', '192.168.255.255', '3232235521'],
  'shared 100.64/10': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', '169.254.0.1', '[fe80::1]', '[febf::1]'],
  'protocol assignments 192.0.0/24': ['192.0.0.1', '192.0.0.170'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]'],
  '6to4 relay': ['192.88.99.1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '[2001:2::1]'],
  multicast: ['224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]'],
  'reserved 240/4': ['240.0.0.1', '254.1.2.3'],
  broadcast: ['255.255.255.255'],
  'unspecified and loopback v6': ['[::]', '[::1]', '[0:0:0:0:0:0:0:1]'],
  'v4-mapped': ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]'],
  'v4-compatible ::/96': ['[::127.0.0.1]', '[::8.8.8.8]'],
  'v4-translated': ['[::ffff:0:10.0.0.1]'],
  'NAT64 64:ff9b::/96': ['[64:ff9b::7f00:1]', '[64:ff9b::8.8.8.8]'],
  'local NAT64 64:ff9b:1::/48': ['[64:ff9b:1::1]'],
  'discard 100::/64': ['[100::1]'],
  '6to4 2002::/16': ['[2002:7f00:1::]', '[2002:808:808::]'],
  'Teredo 2001::/32': ['[2001::1]'],
  'segment routing 5f00::/16': ['[5f00::1]'],
  'ISATAP, any prefix': [
    '[2606:4700:1:2:0:5efe:10.0.0.1]',
    '[2606:4700:1:2:200:5efe:192.168.0.1]',
    '[2606:4700::5efe:127.0.0.1]',
    '[2a00:1450:4001:81c:0:5efe:8.8.8.8]',
    '[2606:4700:1:2:300:5efe:a9fe:a9fe]',
  ],
  '6bone 3ffe::/16': ['[3ffe::]', '[3ffe::1]', '[3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff]'],
  'unique local fc00::/7': ['[fc00::1]', '[fdff::1]'],
  'site-local fec0::/10': ['[fec0::1]'],
  'not handed out': ['[4000::1]', '[8000::1]', '[1::1]'],
};
const forbidden = Object.entries(forbiddenHosts).flatMap(([range, hosts]) =>
  hosts.map((host) => [range, host] as const),
);

describe('the check of a webhook URL', () => {
  test('covers at least 45 forbidden literals', () => {
    expect(forbidden.length).toBeGreaterThanOrEqual(45);
  });

  test.each(forbidden)('refuses the %s address %s', async (_, host) => {
    const never: Lookup = () => Promise.reject(new Error('a literal is not looked up'));
    expect(await checkTargetUrl(`https://${host}/hooks`, strict, { lookup: never })).toEqual([unreachable]);
  });

  const forbiddenAnswers = forbidden
    .map(([, host]) => new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, ''))
    .filter((address, index, all) => all.indexOf(address) === index);
  test.each(forbiddenAnswers)('refuses a name that resolves to %s and a public address', async (address) => {
    const lookup = answer('93.184.216.34', address);
    expect(await checkTargetUrl('https://hooks.example.test/', strict, { lookup })).toEqual([unreachable]);
  });

  test.each([
    'https://hooks.example.test',
    'https://hooks.example.test:443/a?b=c#d',
    'https://hooks.example.test:8443/',
    'https://8.8.8.8/',
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
    'https://[2606:4700:4700::1111]/',
    'https://[2606:4700:1:2:400:5efe:808:808]/',
    'https://[2606:4700:1:5efe::1]/',
    'https://[3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/',
    'https://[3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/',
    'https://[3fff:1000::]/',
    'https://[::ffff:8.8.8.8]/',
    'https://bücher.example/',
    `https://hooks.example.test/${'a'.repeat(2048 - 27)}`,
  ])('accepts the public address %s', async (url) => {
    expect(await checkTargetUrl(url, strict, publicName)).toEqual([]);
  });

  test.each([
    ['http://hooks.example.test/', ['Use https.']],
    ['ftp://hooks.example.test/', ['Use https.']],
    ['file:///etc/passwd', ['Use https.']],
    ['javascript:alert(1)', ['Use https.']],
    ['https://hooks.example.test:22/', ['Use port 443 or 8443.']],
    ['https://hooks.example.test:80/', ['Use port 443 or 8443.']],
    ['https://user:pw@hooks.example.test/', [expect.stringMatching(/^Take the user name and password out/)]],
    ['https://user@hooks.example.test/', [expect.stringMatching(/^Take the user name and password out/)]],
    [
      'http://a:b@10.0.0.1:22/',
      ['Use https.', expect.stringMatching(/^Take the user/), 'Use port 443 or 8443.', unreachable],
    ],
    ['https://hooks.example.test:443@10.0.0.1/', [expect.stringMatching(/^Take the user/), unreachable]],
    ['https://localhost/', [unreachable]],
    ['https://localhost%2e/', [unreachable]],
    ['https://[fe80::1%25eth0]/', [expect.stringMatching(/^Give a whole url/)]],
    ['https://LOCALHOST./', [unreachable]],
    ['https://inside.localhost/', [unreachable]],
    ['/hooks', [expect.stringMatching(/^Give a whole url/)]],
    ['https://', [expect.stringMatching(/^Give a whole url/)]],
    ['https://[::1/', [expect.stringMatching(/^Give a whole url/)]],
    ['https://1.2.3.400/', [expect.stringMatching(/^Give a whole url/)]],
    ['https://hooks.example.test:70000/', [expect.stringMatching(/^Give a whole url/)]],
    ['https://hooks.exam\nple.test/', [expect.stringMatching(/^Take spaces/)]],
    ['https://hooks.example.test/\ud800', [expect.stringMatching(/^Take spaces/)]],
    [`https://hooks.example.test/${'a'.repeat(2048 - 26)}`, ['Use a url of at most 2048 characters.']],
  ])('of %j says what to change', async (url, messages) => {
    expect(await checkTargetUrl(url, strict, publicName)).toEqual(messages);
  });

  test.each([
    ['that does not resolve yet', () => Promise.reject(new Error('ENOTFOUND'))],
    ['whose name server is silent', () => new Promise<string[]>(() => {})],
  ] as [string, Lookup][])('accepts a name %s', async (_name, lookup) => {
    expect(await checkTargetUrl('https://soon.example.test/', strict, { lookup, timeoutMs: 50 })).toEqual([]);
  });

  test('refuses a name with no address or an invalid address', async () => {
    for (const lookup of [answer(), answer('93.184.216.34', 'what'), answer('1')]) {
      expect(await checkTargetUrl('https://odd.example.test/', strict, { lookup })).toEqual([unreachable]);
    }
  });
});

describe("the operator's target rules", () => {
  test.each([
    'http://localhost:8080/hooks',
    'http://127.0.0.1:1/',
    'http://[::1]:9/',
    'https://localhost:5000/',
    'http://a.localhost/',
  ])('with loopback allowed accept %s', async (url) => {
    const lookup = answer('127.0.0.1', '::1');
    expect(await checkTargetUrl(url, onThisMachine, { lookup })).toEqual([]);
  });

  test('with loopback allowed refuse other hosts by http or on other ports', async () => {
    const inside = { lookup: answer('127.0.0.1') };
    expect(await checkTargetUrl('http://hooks.example.test/', onThisMachine, inside)).toEqual(['Use https.']);
    expect(await checkTargetUrl('https://hooks.example.test:5000/', onThisMachine, inside)).toHaveLength(1);
    expect(await checkTargetUrl('https://10.0.0.1/', onThisMachine, inside)).toEqual([unreachable]);
    // A local name that resolves to another host.
    const elsewhere = { lookup: answer('93.184.216.34') };
    expect(await checkTargetUrl('http://a.localhost/', onThisMachine, elsewhere)).toEqual([unreachable]);
  });

  test('with private networks allowed add only those, by https only', async () => {
    const rules = targetRules({ ...settings, allowCidrs: ['10.20.0.0/16', 'fd00:1::/64'] });
    expect(['10.20.0.1', '::ffff:10.20.1.1', 'fd00:1::5'].every((ip) => isAddressAllowed(ip, rules))).toBe(true);
    expect(['10.21.0.1', '127.0.0.1', 'fd00:2::5', '::1', 'x'].some((ip) => isAddressAllowed(ip, rules))).toBe(false);
    expect(await checkTargetUrl('https://10.20.0.1/', rules)).toEqual([]);
    expect(await checkTargetUrl('http://10.20.0.1/', rules)).toEqual(['Use https.']);
  });

  test.each(['10.0.0.1', '10.0.0.0/33', 'intranet', ''])('report the invalid network %j to the operator', (cidr) => {
    expect(() => targetRules({ ...settings, allowCidrs: [cidr] })).toThrow(/WEBHOOK_ALLOW_CIDRS/);
  });
});
