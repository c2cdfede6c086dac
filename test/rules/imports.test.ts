import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const checker = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const config = join(root, 'scripts/check-imports.config.cjs');
const houses = ['api', 'workers', 'common', 'scripts', 'test'];

type Files = Record<string, string>;
type Violation = { from: string; rule: { name: string } };

/** Checks a sketch of the tree. The packages are not installed in it; that they are missing is not what is asked. */
async function check(files: Files): Promise<Violation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-imports-'));
  for (const house of houses) await mkdir(join(folder, house));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const args = [checker, '--config', config, '--output-type', 'json', ...houses];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  await rm(folder, { recursive: true });
  const violations: Violation[] = JSON.parse(output).summary.violations;
  return violations.filter(({ rule }) => rule.name !== 'everything-imported-exists');
}

/** What is imported, the file at fault, its text, and the rule that refuses it. */
const refused = [
  ['api on workers', 'api/a.ts', "import '../workers/plain.ts';", 'api-keeps-to-its-arrows'],
  ['workers on api', 'workers/b.ts', "import '../api/plain.ts';", 'workers-keeps-to-its-arrows'],
  ['common on api', 'common/c.ts', "import '../api/plain.ts';", 'common-keeps-to-its-arrows'],
  ['scripts on workers', 'scripts/d.ts', "import '../workers/plain.ts';", 'scripts-keeps-to-its-arrows'],
  ['api on a test, at run time', 'api/e.ts', "import('../test/plain.ts');", 'api-keeps-to-its-arrows'],
  [
    'a folder on its neighbour',
    'common/wallet/f.ts',
    "import '../pricing/plain.ts';",
    'common/wallet-imports-from-lower-tiers-only',
  ],
  [
    'a lower tier on a type of a higher one',
    'common/platform/g.ts',
    "import type { P } from '../oauth/plain.ts'; export type G = P;",
    'common/platform-imports-from-lower-tiers-only',
  ],
  [
    'a plain file on a folder',
    'common/h.ts',
    "export * from './wallet/plain.ts';",
    'the-plain-files-of-common-import-no-folder',
  ],
  [
    'a folder without a tier',
    'common/mail-jobs/i.ts',
    "import '../helpers/plain.ts';",
    'each-folder-of-common-has-a-tier',
  ],
  ['a type in a circle', 'common/wallet/j.ts', "import type { K } from './k.ts'; export type J = K;", 'no-cycles'],
  [
    'the ledger outside the wallet',
    'common/mail-jobs/r.ts',
    "import type { L } from '../wallet/ledger-entry.model.ts'; export type R = L;",
    'only-the-wallet-knows-its-ledger',
  ],
  [
    'a wallet in a script',
    'scripts/s.ts',
    "import '../common/wallet/wallet.model.ts';",
    'only-the-wallet-knows-its-ledger',
  ],
  ['express outside the API', 'workers/l.ts', "import 'express';", 'express-stays-in-its-room'],
  ['a type of ioredis', 'common/wallet/m.ts', "import type { Redis } from 'ioredis';", 'ioredis-stays-in-its-room'],
  ['bullmq in a domain', 'common/webhooks/n.ts', "import 'bullmq';", 'bullmq-stays-in-its-room'],
  ['the S3 client in a route', 'api/routes/o.ts', "import '@aws-sdk/client-s3';", 'aws-sdk-stays-in-its-room'],
  ['undici in a worker', 'workers/p.ts', "import 'undici';", 'undici-stays-in-its-room'],
  ['mongoose in a route', 'api/routes/q.ts', "import 'mongoose';", 'mongoose-stays-in-its-room'],
] as const;

const targets = [
  ...houses.filter((house) => house !== 'common'),
  ...['wallet', 'pricing', 'oauth', 'helpers'].map((folder) => `common/${folder}`),
].map((folder) => [`${folder}/plain.ts`, 'export type P = 1;'] as const);
const models = ['ledger-entry', 'wallet'].map(
  (name) => [`common/wallet/${name}.model.ts`, 'export type L = 1;'] as const,
);

describe('the arrows between the folders', () => {
  let violations: Violation[];
  beforeAll(async () => {
    const faulty = refused.map(([, file, text]) => [file, text] as const);
    const circle = ['common/wallet/k.ts', "import type { J } from './j.ts'; export type K = J;"] as const;
    violations = await check(Object.fromEntries([...targets, ...models, ...faulty, circle]));
  });

  test.each(refused)('given %s, when the imports are checked, then it is refused', (_what, file, _text, rule) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  test('given imports along the arrows, when they are checked, then all pass', async () => {
    // given
    const files = {
      'api/routes/a.ts': "import express from 'express'; import '../../common/oauth/a.ts';",
      'workers/a.ts': "import 'bullmq'; import '../common/production/a.ts';",
      'common/production/a.ts': "import '../mail-jobs/a.ts';",
      'common/mail-jobs/a.ts': "import '../wallet/a.model.ts'; import '../webhooks/post-signed.ts';",
      'common/oauth/a.ts': "import '../access/a.ts';",
      'common/access/a.ts': "import '../organizations/a.ts'; import '../money.ts';",
      'common/organizations/a.ts': "import '../platform/redis.ts';",
      'common/platform/redis.ts': "import 'ioredis';",
      'common/wallet/a.model.ts': "import 'mongoose';",
      'common/webhooks/post-signed.ts': "import 'undici';",
      'common/money.ts': '',
      'scripts/a.ts': "import '../common/production/a.ts';",
      'test/a.test.ts': "import '../api/routes/a.ts'; import '../workers/a.ts'; import '../scripts/a.ts';",
    };
    // when
    const broken = await check(files);
    // then
    expect(broken).toEqual([]);
  });

  test('given the whole tree, when it is read, then no type is taken by import() in the middle of a line, which the check cannot see', async () => {
    // given
    const names = await Promise.all(houses.map((house) => readdir(join(root, house), { recursive: true })));
    const files = names.flatMap((list, index) => list.map((name) => join(root, houses[index] ?? '', name)));
    // when
    const sources = files.filter((name) => /\.ts$/.test(name) && !name.endsWith('imports.test.ts'));
    const offenders: string[] = [];
    for (const file of sources) {
      if (/typeof import\(|\bimport\('[^']+'\)\.[A-Z]/.test(await readFile(file, 'utf8'))) offenders.push(file);
    }
    // then
    expect(sources.length).toBeGreaterThan(50);
    expect(offenders).toEqual([]);
  });
});
