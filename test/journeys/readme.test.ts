import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { writeDemoEnvironment } from '../../scripts/demo/demo-environment.ts';
import { findFreePort } from '../../scripts/local-servers/ports.ts';
import { killStartedPrograms, startProgram } from '../support/process-control.ts';
import { blocksOf, root, sectionOf } from '../support/readme.ts';
import { startWorld } from '../support/world.ts';

const blocks = blocksOf(sectionOf('By hand, with curl')).map(({ text }) => text);
/** The last block ends the webhook: a person would first see the events arrive, one of them after its first retry. */
const waitForEvents = `i=0
while [ $i -lt 150 ] && [ "$(ls .data/inbox | grep -c "$id")" -lt 3 ]; do i=$((i + 1)); sleep 0.1; done
`;
const walk = [...blocks.slice(0, -1), waitForEvents, ...blocks.slice(-1)].join('\n');
const promised = [...walk.matchAll(/^# (\d{3}) /gm)].map(([, status]) => status);

function find(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    if (process.env.CI === 'true')
      throw new Error(`The README's lines must be tested in CI, but there is no ${program}.`);
    return undefined;
  }
}

describe("the README's lines for a shell", () => {
  const world = startWorld({ hasWorkers: true });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bluejay readme '));
  });
  afterEach(killStartedPrograms);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A folder as the repository's is to somebody who has typed `npm start`, and a curl that notes what it is answered. */
  async function aCheckout(name: string, curl: string): Promise<string> {
    const checkout = join(folder, name);
    await mkdir(join(checkout, '.data'), { recursive: true });
    await mkdir(join(checkout, 'bin'));
    await symlink(join(root, 'scripts'), join(checkout, 'scripts'));
    const { key, organizationId } = await world.customer();
    const unused = 'not-used';
    await writeDemoEnvironment(join(checkout, '.data'), {
      BLUEJAY_URL: world.url,
      BLUEJAY_AUTH_URL: unused,
      BLUEJAY_METRICS_URL: unused,
      BLUEJAY_ORG: organizationId,
      BLUEJAY_TEST_KEY: key,
      BLUEJAY_LIVE_KEY: unused,
      BLUEJAY_JOB_WEBHOOK_SECRET: unused,
      BLUEJAY_USER_EMAIL: unused,
      BLUEJAY_USER_PASSWORD: unused,
      BLUEJAY_CLIENT_ID: unused,
      BLUEJAY_CLIENT_SECRET: unused,
      BLUEJAY_ADMIN_EMAIL: unused,
      BLUEJAY_ADMIN_PASSWORD: unused,
    });
    const leashed = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'test/support/leash.program.ts')}' '${process.execPath}' "$@"\n`;
    const noting = `#!/bin/sh\nexec ${curl} "$@" -w '%{stderr}%{http_code}\\n' 2>>'${join(checkout, 'statuses')}'\n`;
    await writeFile(join(checkout, 'bin/curl'), noting, { mode: 0o755 });
    await writeFile(join(checkout, 'bin/node'), leashed, { mode: 0o755 });
    return checkout;
  }

  test('given the page, when its lines are counted, then each curl has the status that it promises', () => {
    expect(promised.length).toBeGreaterThan(10);
    expect(walk.match(/\bcurl /g)).toHaveLength(promised.length);
  });

  for (const shell of ['dash', 'bash']) {
    const curl = find('curl');
    const isThere = curl !== undefined && find(shell) !== undefined;
    const testHere = isThere ? test : test.skip;
    testHere(
      `given ${shell}${isThere ? '' : ' and curl, which are not both here'}, when the lines are run as they stand, then each is answered as promised`,
      async () => {
        const checkout = await aCheckout(shell, curl ?? '');
        const port = String(await findFreePort());
        const script = walk.replaceAll('4000', port).replace('node scripts', `PORT=${port} node scripts`);
        const environment = { PATH: `${join(checkout, 'bin')}:${process.env.PATH}` };

        const program = startProgram(shell, ['-euc', script], { cwd: checkout, environment });
        expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);

        const statuses = await readFile(join(checkout, 'statuses'), 'utf8');
        expect(statuses.trim().split('\n')).toEqual(promised);
        const [, id = 'none'] = /"mailJobId":"(mj_\w+)"/.exec(program.standardOutput()) ?? [];
        const kept = (await readdir(join(checkout, '.data/inbox'))).sort();
        expect(kept).toEqual(['MAIL_DELIVERED', 'MAIL_PRINTED', 'MAIL_QUEUED'].map((event) => `${event}.${id}.json`));
        expect(program.standardOutput()).toContain('"duplicate":true');
      },
      60_000,
    );
  }
});
