import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '../support/jest.ts';

const root = join(import.meta.dirname, '../..');
const checker = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const config = join(root, 'scripts/import-rules.config.cjs');
const houses = ['api', 'workers', 'common', 'scripts', 'test'];

type Files = Record<string, string>;
type Violation = { from: string; rule: { name: string } };

/** Checks a miniature tree. Its packages are not installed, so unresolved imports are ignored. */
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

/** The names of the rules. */
const topOnly = (house: string) => `${house}-imports-allowed-top-folders-only`;
const lowerOnly = (folder: string) => `common/${folder}-imports-from-lower-tiers-only`;
const scoped = (name: string) => `${name}-stays-in-its-scope`;
const [hasTier, ofWallet] = ['each-folder-of-common-has-a-tier', 'only-the-wallet-knows-its-ledger'];

/** Description, file, its text, and the rule that refuses it. */
const refused = [
  ['an import of workers in api', 'api/a.ts', "import '../workers/plain.ts';", topOnly('api')],
  ['an import of api in workers', 'workers/b.ts', "import '../api/plain.ts';", topOnly('workers')],
  ['an import of api in common', 'common/c.ts', "import '../api/plain.ts';", topOnly('common')],
  ['an import of workers in scripts', 'scripts/d.ts', "import '../workers/plain.ts';", topOnly('scripts')],
  ['a dynamic import of test in api', 'api/e.ts', "import('../test/plain.ts');", topOnly('api')],
  ['an import between folders of one tier', 'common/wallet/f.ts', "import '../pricing/plain.ts';", lowerOnly('wallet')],
  [
    'a type import from a higher tier',
    'common/platform/g.ts',
    "import type { P } from '../oauth/plain.ts'; export type G = P;",
    lowerOnly('platform'),
  ],
  [
    'an import of a folder in a top-level file of common',
    'common/h.ts',
    "export * from './wallet/plain.ts';",
    'common/.-imports-from-lower-tiers-only',
  ],
  ['an import of a folder without a tier', 'common/mail-jobs/i.ts', "import '../helpers/plain.ts';", hasTier],
  [
    'an import from a higher tier inside a folder',
    'common/webhooks/egress/t.ts',
    "import '../sending/plain.ts';",
    lowerOnly('webhooks/egress'),
  ],
  [
    'an import of the parent folder from a lower tier',
    'common/wallet/ledger/u.ts',
    "import '../plain.ts';",
    lowerOnly('wallet/ledger'),
  ],
  ['an import of a subfolder without a tier', 'common/webhooks/sending/v.ts', "import '../misc/plain.ts';", hasTier],
  ['a cycle of type imports', 'common/wallet/j.ts', "import type { K } from './k.ts'; export type J = K;", 'no-cycles'],
  [
    'an import of the ledger outside the wallet',
    'common/mail-jobs/r.ts',
    "import type { L } from '../wallet/ledger/ledger-entry.model.ts'; export type R = L;",
    ofWallet,
  ],
  [
    'an import of the wallet model in a script',
    'scripts/s.ts',
    "import '../common/wallet/ledger/wallet.model.ts';",
    ofWallet,
  ],
  ['express outside api', 'workers/l.ts', "import 'express';", scoped('express')],
  ['a type of ioredis in a domain', 'common/wallet/m.ts', "import type { Redis } from 'ioredis';", scoped('ioredis')],
  ['bullmq in a domain', 'common/webhooks/n.ts', "import 'bullmq';", scoped('bullmq')],
  ['the AWS SDK in a route', 'api/routes/o.ts', "import '@aws-sdk/client-s3';", scoped('aws-sdk')],
  ['undici in a worker', 'workers/p.ts', "import 'undici';", scoped('undici')],
  ['mongoose in a route', 'api/routes/q.ts', "import 'mongoose';", scoped('mongoose')],
] as const;

const targets = [
  ...houses.filter((house) => house !== 'common'),
  ...['wallet', 'pricing', 'oauth', 'helpers', 'webhooks/sending', 'webhooks/misc'].map((folder) => `common/${folder}`),
].map((folder) => [`${folder}/plain.ts`, 'export type P = 1;'] as const);
const models = ['ledger-entry', 'wallet'].map(
  (name) => [`common/wallet/ledger/${name}.model.ts`, 'export type L = 1;'] as const,
);

describe('the import rules', () => {
  let violations: Violation[];
  beforeAll(async () => {
    const faulty = refused.map(([, file, text]) => [file, text] as const);
    const circle = ['common/wallet/k.ts', "import type { J } from './j.ts'; export type K = J;"] as const;
    violations = await check(Object.fromEntries([...targets, ...models, ...faulty, circle]));
  });

  test.each(refused)('%s is refused', (_what, file, _text, rule) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  test('imports from lower tiers are allowed', async () => {
    const files = {
      'api/routes/a.ts': "import express from 'express'; import '../../common/oauth/a.ts';",
      'workers/a.ts': "import 'bullmq'; import '../common/production/a.ts';",
      'common/production/a.ts': "import '../mail-jobs/read/a.ts';",
      'common/mail-jobs/read/a.ts': "import '../model/a.ts'; import '../../webhooks/egress/webhook-client.ts';",
      'common/mail-jobs/model/a.ts': "import '../../wallet/a.model.ts';",
      'common/oauth/a.ts': "import '../access/a.ts';",
      'common/access/a.ts': "import '../organizations/a.ts'; import '../money.ts';",
      'common/organizations/a.ts': "import '../platform/redis.ts';",
      'common/platform/redis/redis.ts': "import 'ioredis';",
      'common/wallet/a.model.ts': "import 'mongoose';",
      'common/webhooks/egress/webhook-client.ts': "import 'undici';",
      'common/money.ts': '',
      'scripts/a.ts': "import '../common/production/a.ts';",
      'test/a.test.ts': "import '../api/routes/a.ts'; import '../workers/a.ts'; import '../scripts/a.ts';",
    };
    const broken = await check(files);
    expect(broken).toEqual([]);
  });

  test('no source uses an inline import() type, which the checker cannot see', async () => {
    const names = await Promise.all(houses.map((house) => readdir(join(root, house), { recursive: true })));
    const files = names.flatMap((list, index) => list.map((name) => join(root, houses[index] ?? '', name)));
    const sources = files.filter((name) => /\.ts$/.test(name) && !name.endsWith('imports.test.ts'));
    const offenders: string[] = [];
    for (const file of sources) {
      if (/typeof import\(|\bimport\('[^']+'\)\.[A-Z]/.test(await readFile(file, 'utf8'))) offenders.push(file);
    }
    expect(sources.length).toBeGreaterThan(50);
    expect(offenders).toEqual([]);
  });
});
