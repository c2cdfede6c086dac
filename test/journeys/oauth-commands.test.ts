// Level: ci
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, findProgram, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { anApplication } from '../support/product/application.ts';
import { blocksOf, readText } from '../support/project/markdown.ts';
import { startWebHost } from '../support/web/web-host.ts';

const [before = '', after = ''] = blocksOf(readText('api/docs/guides/oauth.md')).map(({ text }) => text);
/** Waits for the code that a user would copy from the address bar. */
const waitForCode = 'i=0; while [ $i -lt 300 ] && [ ! -s code ]; do i=$((i + 1)); sleep 0.1; done\n';
const script = before + waitForCode + after.replace("code='the code'", 'code=$(cat code)');
const promised = [...script.matchAll(/^# (\d{3}) /gm)].map(([, status]) => status);

describe('the commands of the guide to OAuth', () => {
  const { world, host } = startWebHost();
  afterEach(killStartedPrograms);
  const newFolder = useTempFolders();

  for (const shell of ['dash', 'bash']) {
    const curl = findProgram('curl');
    testWithPrograms(
      shell,
      'curl',
      'openssl',
    )(`in ${shell} each command is answered as stated`, async () => {
      const checkout = await newFolder();
      await mkdir(join(checkout, '.data'));
      await mkdir(join(checkout, 'bin'));
      const app = await anApplication(world, { redirectUri: 'http://127.0.0.1:8080/callback' });
      const environment = { URL: world.url, AUTH_URL: host.url, CLIENT_ID: app.clientId, CLIENT_SECRET: app.secret };
      const lines = Object.entries(environment).map(([name, value]) => `BLUEJAY_${name}='${value}'\n`);
      await writeFile(join(checkout, '.data/demo.env'), lines.join(''));
      const noting = `#!/bin/sh\nexec ${curl} "$@" -w '%{stderr}%{http_code}\\n' 2>>'${join(checkout, 'statuses')}'\n`;
      await writeFile(join(checkout, 'bin/curl'), noting, { mode: 0o755 });

      const shellPath = `${join(checkout, 'bin')}:${process.env.PATH}`;
      const program = startProgram(shell, ['-euc', script], { cwd: checkout, environment: { PATH: shellPath } });
      const address = await program.waitForLine(/^http:/);
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
    });
  }
});
