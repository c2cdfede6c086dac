// Level: push
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '#common/config/config.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';
import { composeText, readCompose, root } from '../support/project/compose-file.ts';

describe('scripts/deploy/make-env.sh', () => {
  const makeFolder = useTempFolders();

  async function prepare() {
    const folder = await makeFolder();
    await mkdir(join(folder, 'scripts/deploy'), { recursive: true });
    await copyFile(join(root, '.env.example'), join(folder, '.env.example'));
    const script = join(folder, 'scripts/deploy/make-env.sh');
    await copyFile(join(root, 'scripts/deploy/make-env.sh'), script);
    return { script, file: join(folder, '.env') };
  }

  test('the new .env sets all that docker-compose.yml requires and is readable by its owner only', async () => {
    const { script, file } = await prepare();
    execFileSync('sh', [script]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const values = parseEnv(await readFile(file, 'utf8')) as Record<string, string>;
    const { services } = readCompose(values);
    for (const name of ['api', 'workers', 'render']) readConfig(services[name]?.environment ?? {});
    const demanded = [...composeText.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name ?? '');
    for (const name of demanded) expect([name, values[name]]).toEqual([name, expect.stringMatching(/^\S{7,}$/)]);
  });

  test('two installations share no secret', async () => {
    const [first, second] = [await prepare(), await prepare()];
    for (const { script } of [first, second]) execFileSync('sh', [script]);
    const [one, other] = await Promise.all(
      [first, second].map(async ({ file }) => parseEnv(await readFile(file, 'utf8'))),
    );
    const same = Object.keys(one ?? {}).filter(
      (name) => /KEYS?$|PASSWORD$/.test(name) && one?.[name] === other?.[name],
    );
    expect(same).toEqual([]);
  });

  test('an .env of an earlier version gets the missing passwords and keeps the rest', async () => {
    const { script, file } = await prepare();
    const before = 'ENCRYPTION_KEYS=k1:kept\nREDIS_PASSWORD=kept';
    await writeFile(file, before);
    expect(execFileSync('sh', [script], { encoding: 'utf8' })).toContain(
      'Added to .env: MONGODB_PASSWORD MONGODB_ROOT_PASSWORD MONGODB_KEY.',
    );
    const after = await readFile(file, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    const values = parseEnv(after);
    expect([values.ENCRYPTION_KEYS, values.REDIS_PASSWORD]).toEqual(['k1:kept', 'kept']);
    for (const name of ['MONGODB_PASSWORD', 'MONGODB_ROOT_PASSWORD', 'MONGODB_KEY']) {
      expect([name, values[name]]).toEqual([name, expect.stringMatching(/^[0-9a-f]{48}$/)]);
    }
  });

  test('a complete .env is not changed', async () => {
    const { script, file } = await prepare();
    execFileSync('sh', [script]);
    const before = await readFile(file, 'utf8');
    const { status, stderr } = spawnSync('sh', [script], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('already exists')]);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});
