import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { anApplication } from '../support/application.ts';
import { killStartedPrograms, startProgram } from '../support/process-control.ts';
import { blocksOf, sectionOf } from '../support/readme.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const [before = '', after = ''] = blocksOf(sectionOf('Applications with OAuth')).map(({ text }) => text);
/** Where a person would copy the code out of the address bar. */
const waitForCode = 'i=0; while [ $i -lt 300 ] && [ ! -s code ]; do i=$((i + 1)); sleep 0.1; done\n';
const script = before + waitForCode + after.replace("code='the code'", 'code=$(cat code)');
const promised = [...script.matchAll(/^# (\d{3}) /gm)].map(([, status]) => status);

function find(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    if (process.env.CI === 'true') throw new Error(`The README's lines must be tested in CI: there is no ${program}.`);
    return undefined;
  }
}

describe("the README's lines for an application", () => {
  const world = startWorld();
  let folder: string;
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world);
    folder = await mkdtemp(join(tmpdir(), 'bluejay readme '));
  });
  afterEach(killStartedPrograms);
  afterAll(async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const shell of ['dash', 'bash']) {
    const curl = find('curl');
    const isThere = curl !== undefined && find(shell) !== undefined && find('openssl') !== undefined;
    const testHere = isThere ? test : test.skip;
    testHere(
      `given ${shell}${isThere ? '' : ', curl and openssl, which are not all here'}, when the lines are run and the user consents, then each is answered as promised`,
      async () => {
        const checkout = join(folder, shell);
        await mkdir(join(checkout, '.data'), { recursive: true });
        await mkdir(join(checkout, 'bin'));
        const app = await anApplication(world, { redirectUri: 'http://127.0.0.1:8080/callback' });
        const environment = { URL: world.url, AUTH_URL: host.url, CLIENT_ID: app.clientId, CLIENT_SECRET: app.secret };
        const lines = Object.entries(environment).map(([name, value]) => `BLUEJAY_${name}='${value}'\n`);
        await writeFile(join(checkout, '.data/demo.env'), lines.join(''));
        const noting = `#!/bin/sh\nexec ${curl} "$@" -w '%{stderr}%{http_code}\\n' 2>>'${join(checkout, 'statuses')}'\n`;
        await writeFile(join(checkout, 'bin/curl'), noting, { mode: 0o755 });

        const shellPath = `${join(checkout, 'bin')}:${process.env.PATH}`;
        const program = startProgram(shell, ['-euc', script], { cwd: checkout, environment: { PATH: shellPath } });
        const address = await program.waitForLine(/^http:/, { withinMs: 10_000 });
        const user = await host.signedIn();
        const path = address.replace(host.url, '');
        const { location } = await user.send(path, '/oauth/authorize', { action: 'allow' });
        const back = new URL(location ?? '');
        expect(back.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
        await writeFile(join(checkout, 'code'), back.searchParams.get('code') ?? '');

        expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);
        expect((await readFile(join(checkout, 'statuses'), 'utf8')).trim().split('\n')).toEqual(promised);
        expect(promised).toEqual(['200', '200', '200', '200', '401']);
        expect(program.standardOutput()).toContain('"balanceCents":100000');
      },
      60_000,
    );
  }
});
