// Level: ci
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBase32 } from '#common/secrets.ts';
import { describe, expect, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { root } from '../support/project/markdown.ts';

const newFolder = useTempFolders();
const testWithGitleaks = testWithPrograms('gitleaks');

/** Returns the rules by which gitleaks finds a secret in the files of a folder. */
function scan(folder: string): string[] {
  const flags = ['--config', join(root, '.ci/gitleaks.toml'), '--report-format', 'json', '--report-path', '-'];
  const report = execFileSync('gitleaks', ['dir', ...flags, '--exit-code', '0', '--log-level', 'error', folder]);
  return (JSON.parse(report.toString()) as { RuleID: string }[]).map(({ RuleID }) => RuleID);
}

/** Secrets of this run: none of them is ever stored. */
const secrets: [string, () => string, string][] = [
  ['an API key', () => `bjk_live${randomBase32(10)}_${randomBase32(32)}`, 'bluejay-api-key'],
  ['an access token', () => `bja_${randomBase32(10)}_${randomBase32(32)}`, 'bluejay-oauth-secret'],
  ['a webhook secret', () => `whsec_${Buffer.from(randomBase32(20)).toString('base64')}`, 'bluejay-webhook-secret'],
  [
    'an encryption key',
    () => `ENCRYPTION_KEYS=k1:${Buffer.from(randomBase32(20)).toString('base64')}`,
    'bluejay-encryption-key',
  ],
  ['a GitHub token', () => `ghp_${randomBase32(32).slice(0, 36)}`, 'github-pat'],
];

describe('the search for secrets', () => {
  for (const [name, create, rule] of secrets) {
    testWithGitleaks(`it finds ${name} in a file that is added`, async () => {
      const folder = await newFolder();
      await mkdir(join(folder, 'api'));
      await writeFile(join(folder, 'api/settings.ts'), `export const value = '${create()}';\n`);
      expect(scan(folder)).toContain(rule);
    });
  }

  testWithGitleaks('it finds nothing in a file without a secret', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'settings.ts'), "export const value = process.env.S3_SECRET_ACCESS_KEY ?? '';\n");
    expect(scan(folder)).toEqual([]);
  });
});
