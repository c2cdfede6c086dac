// Level: push
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#common/ids.ts';
import { beforeAll, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { exampleTariffs } from '../support/product/tariffs.ts';
import { address, useAdmin } from '../support/wallet/admin.ts';

const unknownOrg = newId('org');

describe('mistakes on the administration command line', () => {
  const admin = useAdmin();
  const makeFolder = useTempFolders();
  let org: string;

  beforeAll(async () => {
    const early = await admin.run('org', 'create', '--name', 'Early', ...address);
    expect(early.stderr).toBe('The database needs migrating first: npm run admin -- migrate\n');
    expect((await admin.get('migrate')).migrated.length).toBeGreaterThan(0);
    org = (await admin.get('org', 'create', '--name', 'Test', ...address)).organizationId;
  });

  /** The whole error output by the arguments. `ORG` stands for the organization. */
  const problemsOf = {
    'key create': ['--org: Is missing.', '--mode: Is missing.', '--scopes: Is missing.'],
    'key create --org org_1 --mode tset --scopes read,sned': [
      '--org: "org_1" is not an id of this kind (org_…).',
      '--mode: "tset" is not one of test, live.',
      '--scopes: "sned" is not one of read, send, webhooks, addresses, wallet.',
    ],
    [`key create --org ${unknownOrg} --mode test --scopes read`]: ['--org: There is no such organization.'],
    'key create --org ORG --mode test --scopes read --reads-per-minute 1.5': [
      '--reads-per-minute: "1.5" is not a whole number from 1 to 1000000.',
    ],
    'key revoke bjk_nothing': ['<keyId>: Give the id of a key: test… or live…, without its secret.'],
    'key revoke testaaaaaaaaaaaaaaaa': ['There is no such key.'],
    [`wallet show --org ${unknownOrg} --mode test`]: [`--org: There is no organization ${unknownOrg}.`],
    [`wallet top-up --org ${unknownOrg} --mode test --cents 1 --reference r`]: [
      `--org: There is no organization ${unknownOrg}.`,
    ],
    'wallet top-up --org ORG --mode test --cents -5 --reference r': [
      '--cents: "-5" is not a whole number from 1 to 100000000.',
    ],
    'wallet top-up --org ORG --mode test --cents 12e3 --reference r': [
      '--cents: "12e3" is not a whole number from 1 to 100000000.',
    ],
    'org create --name N --line1 L --zip 999 --city C --country BE': [
      '--zip: A Belgian postal code has four digits, 1000 to 9999.',
    ],
    'org create --name N --line1 L --zip 1000 --city C --country be': [
      '--country: Give an ISO 3166-1 alpha-2 code in upper case, such as BE.',
    ],
    [`org show --org ${unknownOrg}`]: [`--org: There is no organization ${unknownOrg}.`],
    'tariff remove nothing': ['<tariffId>: "nothing" is not an id of this kind (tar_…).'],
    [`tariff remove ${newId('tar')}`]: ['There is no such tariff.'],
    'user create --org ORG --email nothing --password longer-than-twelve': ['--email: Give an e-mail address.'],
    'user create --org ORG --email a@example.com --password short': ['--password: Give 12 to 200 characters.'],
    'client create --name A --scopes read --mode live --redirect-uri http://127.0.0.1/a --redirect-uri https://a.example/#b':
      [
        '--redirect-uri: "http://127.0.0.1/a" must begin with https:// (in test mode also http://127.0.0.1 or http://[::1]).',
        '--redirect-uri: "https://a.example/#b" must not have a fragment (#…).',
      ],
    'mail set-status mj_1 lost': [
      '<mailJobId>: "mj_1" is not an id of this kind (mj_…).',
      '<status>: "lost" is not one of queued, printed, posted, delivered, failed.',
    ],
    'wallet show --organisation ORG': ["error: unknown option '--organisation'"],
    'wallets show': ["error: unknown command 'wallets'", '(Did you mean wallet?)'],
    'key revoke': ["error: missing required argument 'keyId'"],
  };
  test.each(Object.entries(problemsOf))(
    '"%s" prints one line per fault and exits with code 1',
    async (line, problems) => {
      const { code, stdout, stderr } = await admin.run(...line.replace('ORG', org).split(' '));
      expect({ code, stdout, problems: stderr.trimEnd().split('\n') }).toEqual({ code: 1, stdout: '', problems });
    },
  );

  test('creating a user with a used e-mail address is refused', async () => {
    const words = ['user', 'create', '--org', org, '--email', 'twice@example.com', '--password', 'twelve chars'];
    await admin.get(...words);
    expect((await admin.run(...words)).stderr).toBe('--email: A user with this e-mail address exists already.\n');
  });

  test('an invalid tariff file reports all faults and stores nothing', async () => {
    const file = join(await makeFolder(), 'tariffs.json');
    const [first, second] = exampleTariffs;
    const falling = [100, 50].map((upToGrams) => ({ upToGrams, cents: upToGrams }));
    const entries = [
      { ...first, pageCents: -1, colour: 3 },
      { ...second, postage: falling },
    ];
    await writeFile(file, JSON.stringify(entries));
    const { code, stderr } = await admin.run('tariff', 'import', file);
    expect(code).toBe(1);
    for (const place of ['[0].pageCents: ', '[0]: ', '[1].postage[1].upToGrams: ', '[1].postage[1].cents: ']) {
      expect(stderr.split('\n').some((line) => line.startsWith(place))).toBe(true);
    }
    expect(await admin.get('tariff', 'list')).toEqual([]);
  });

  test('a file that repeats a stored tariff stores nothing, not even its new ones', async () => {
    const folder = await makeFolder();
    const [first, second] = exampleTariffs;
    await writeFile(join(folder, 'one.json'), JSON.stringify([first]));
    await writeFile(join(folder, 'two.json'), JSON.stringify([first, second]));
    await admin.get('tariff', 'import', join(folder, 'one.json'));
    const { stderr } = await admin.run('tariff', 'import', join(folder, 'two.json'));
    expect(stderr).toBe('[0]: is stored already: NATIONAL standard 2020-01-01T00:00:00.000Z\n');
    expect(await admin.get('tariff', 'list')).toHaveLength(1);
  });

  test.each([
    ['nothing.json', null, /^There is no file .*nothing\.json\.\n$/],
    ['not-json.json', '{"zone"', /^.*not-json\.json is not JSON: .*\.\n$/],
    ['object.json', '{}', /^Must be a list\.\n$/],
  ])('importing %s says in one sentence what is wrong', async (name, text, sentence) => {
    const file = join(await makeFolder(), name);
    if (text !== null) await writeFile(file, text);
    const { code, stderr } = await admin.run('tariff', 'import', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  });
});
