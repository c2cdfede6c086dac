// Level: ci
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test, useTempFolders } from '../support/jest.ts';

const root = join(import.meta.dirname, '../..');
const checker = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const config = join(root, 'scripts/import-rules.config.cjs');
const houses = ['api', 'workers', 'common', 'scripts', 'test'];

type Files = Record<string, string>;
type Violation = { from: string; rule: { name: string } };

const makeFolder = useTempFolders();

/** Checks a miniature tree. Its packages are not installed, so unresolved imports are ignored. */
async function check(files: Files): Promise<Violation[]> {
  const folder = await makeFolder();
  for (const house of houses) await mkdir(join(folder, house));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const args = [checker, '--config', config, '--output-type', 'json', ...houses];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  const violations: Violation[] = JSON.parse(output).summary.violations;
  return violations.filter(({ rule }) => rule.name !== 'everything-imported-exists');
}

/** The names of the rules. */
const topOnly = (house: string) => `${house}-imports-allowed-top-folders-only`;
const lowerOnly = (folder: string) => `common/${folder}-imports-from-lower-tiers-only`;
const scoped = (name: string) => `${name}-stays-in-its-scope`;
const [hasTier, ofWallet] = ['each-folder-has-a-tier', 'only-the-wallet-knows-its-ledger'];
const byHooks = 'the-sandbox-is-entered-by-its-hooks';
const sdk = 'the-sdk-stands-alone';
const cli = 'the-command-line-uses-only-the-client-and-commander';

/** A line, the file that contains it, and the rule that refuses it. */
const refused = [
  ["import '../workers/plain.ts';", 'api/a.ts', topOnly('api')],
  ["import '../api/plain.ts';", 'workers/b.ts', topOnly('workers')],
  ["import '../api/plain.ts';", 'common/c.ts', topOnly('common')],
  ["import '../workers/plain.ts';", 'scripts/d.ts', topOnly('scripts')],
  ["import('../test/plain.ts');", 'api/e.ts', topOnly('api')],
  // Between folders of one tier, from a higher tier, and of a folder in a top-level file.
  ["import '../pricing/plain.ts';", 'common/wallet/f.ts', lowerOnly('wallet')],
  ["import type { P } from '../oauth/plain.ts'; export type G = P;", 'common/platform/g.ts', lowerOnly('platform')],
  ["export * from './wallet/plain.ts';", 'common/h.ts', lowerOnly('.')],
  ["import '../helpers/plain.ts';", 'common/mail-jobs/i.ts', hasTier],
  // Letters ask the sandbox, and only its routes and workers enter it.
  ["import '../sandbox/advance/plain.ts';", 'common/mail-jobs/y.ts', lowerOnly('mail-jobs')],
  ["import '../sandbox/clocks/plain.ts';", 'common/production/z.ts', byHooks],
  ["import '../common/sandbox/advance/plain.ts';", 'api/z.ts', byHooks],
  // Framework and components of pages know no area, and no area imports one that is built on it.
  [
    "import '../account/letters/plain.ts';",
    'api/web/framework/aa.ts',
    'api/web/framework-imports-from-lower-tiers-only',
  ],
  ["import '../framework/plain.ts';", 'api/web/design/ab.ts', 'api/web/design-imports-from-lower-tiers-only'],
  [
    "import '../send/plain.ts';",
    'api/web/account/letter/ac.ts',
    'api/web/account/letter-imports-from-lower-tiers-only',
  ],
  ["import '../account/send/plain.ts';", 'api/web/mails/ad.ts', 'api/web/mails-imports-from-lower-tiers-only'],
  // The same inside a folder.
  ["import '../sending/plain.ts';", 'common/webhooks/egress/t.ts', lowerOnly('webhooks/egress')],
  ["import '../plain.ts';", 'common/wallet/ledger/u.ts', lowerOnly('wallet/ledger')],
  ["import '../misc/plain.ts';", 'common/webhooks/sending/v.ts', hasTier],
  ["import type { K } from './k.ts'; export type J = K;", 'common/wallet/j.ts', 'no-cycles'],
  [
    "import type { L } from '../wallet/ledger/ledger-entry.model.ts'; export type R = L;",
    'common/mail-jobs/r.ts',
    ofWallet,
  ],
  ["import '../common/wallet/ledger/wallet.model.ts';", 'scripts/s.ts', ofWallet],
  ["import 'express';", 'workers/l.ts', scoped('express')],
  ["import type { Redis } from 'ioredis';", 'common/wallet/m.ts', scoped('ioredis')],
  ["import 'bullmq';", 'common/webhooks/n.ts', scoped('bullmq')],
  ["import '@aws-sdk/client-s3';", 'api/routes/o.ts', scoped('aws-sdk')],
  ["import 'undici';", 'workers/p.ts', scoped('undici')],
  ["import 'mongoose';", 'api/routes/q.ts', scoped('mongoose')],
  ["import '../../../plain.ts';", 'scripts/sdk/typescript/src/w.ts', sdk],
  // Another package, and what the client does not export.
  ["import 'zod';", 'scripts/sdk/cli/x.ts', cli],
  ["import '../typescript/src/http/y.ts';", 'scripts/sdk/cli/y.ts', cli],
] as const;

const targets = [
  ...houses.filter((house) => house !== 'common'),
  ...['framework', 'account/letters', 'account/send'].map((folder) => `api/web/${folder}`),
  ...[
    'wallet',
    'pricing',
    'oauth',
    'helpers',
    'webhooks/sending',
    'webhooks/misc',
    'sandbox/clocks',
    'sandbox/advance',
  ].map((folder) => `common/${folder}`),
].map((folder) => [`${folder}/plain.ts`, 'export type P = 1;'] as const);
const models = ['ledger-entry', 'wallet'].map(
  (name) => [`common/wallet/ledger/${name}.model.ts`, 'export type L = 1;'] as const,
);

describe('the import rules', () => {
  let violations: Violation[];
  beforeAll(async () => {
    const faulty = refused.map(([text, file]) => [file, text] as const);
    const circle = ['common/wallet/k.ts', "import type { J } from './j.ts'; export type K = J;"] as const;
    violations = await check(Object.fromEntries([...targets, ...models, ...faulty, circle]));
  });

  test.each(refused)('%s in %s is refused', (_text, file, rule) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  test('imports from lower tiers are allowed', async () => {
    const files = {
      'api/routes/a.ts': "import express from 'express'; import '../../common/oauth/a.ts';",
      'workers/a.ts': "import 'bullmq'; import '../common/production/a.ts';",
      'common/production/a.ts': "import '../mail-jobs/read/a.ts';",
      'common/mail-jobs/read/a.ts': "import '../model/a.ts'; import '../../webhooks/egress/webhook-client.ts';",
      'common/mail-jobs/model/a.ts': "import '../../wallet/a.model.ts';",
      'common/mail-jobs/items/a.ts': "import '../../sandbox/steps/a.ts'; import '../../sandbox/clocks/letter-time.ts';",
      'common/sandbox/steps/a.ts': "import '../../mail-jobs/model/a.ts';",
      'common/sandbox/clocks/letter-time.ts': '',
      'common/sandbox/advance/a.ts': "import '../../mail-jobs/items/a.ts'; import '../clocks/letter-time.ts';",
      'api/routes/sandbox/a.ts': "import '../../../common/sandbox/advance/a.ts';",
      'common/oauth/a.ts': "import '../access/a.ts';",
      'common/access/a.ts': "import '../organizations/a.ts'; import '../money.ts';",
      'common/organizations/a.ts': "import '../platform/redis.ts';",
      'common/platform/redis/redis.ts': "import 'ioredis';",
      'common/wallet/a.model.ts': "import 'mongoose';",
      'common/webhooks/egress/webhook-client.ts': "import 'undici';",
      'common/money.ts': '',
      'scripts/a.ts': "import '../common/production/a.ts';",
      'scripts/sdk/typescript/src/a.ts': "import 'node:fs/promises'; import './http/a.ts';",
      'scripts/sdk/typescript/src/http/a.ts': '',
      'scripts/sdk/typescript/src/index.ts': '',
      'scripts/sdk/cli/a.ts': "import 'node:fs'; import 'commander'; import '../typescript/src/index.ts';",
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
