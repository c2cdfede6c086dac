import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startNode, startProgram } from '#test/support/processes/process-control.ts';
import { anApplication, anOrganization } from '#test/support/product/application.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root, sectionOf } from '#test/support/project/markdown.ts';
import { installSdkPackage } from '#test/support/sdk/install-sdk-package.ts';
import { signVectors } from '#test/support/sdk/webhook-vectors.ts';

const readme = readText('scripts/sdk/typescript/README.md');
const secret = 'whsec_of_the_tests';
const client = `import { Bluejay } from 'bluejay-sdk';
const { BLUEJAY_API_KEY: apiKey, BLUEJAY_URL: baseUrl } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });
`;

/** Returns a block of JavaScript as it is printed. */
function block(heading: string, index = 0): string {
  const blocks = blocksOf(sectionOf(readme, heading)).filter(({ language }) => language === 'js');
  return blocks[index]?.text ?? '';
}

describe('the README of the TypeScript SDK, as it is printed', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sdk = openOnce(async () => {
    const installed = await installSdkPackage();
    for (const name of ['express', 'hono']) {
      await symlink(join(root, 'node_modules', name), join(installed.folder, 'node_modules', name));
    }
    await copyFile(join(root, 'scripts/examples/letter.pdf'), join(installed.folder, 'letter.pdf'));
    return { ...installed, close: installed.remove };
  });
  afterEach(killStartedPrograms);

  /** Starts a program made of what the README assumes, its block, and what shows the result. */
  async function start(text: string, environment: Record<string, string>) {
    await writeFile(join(sdk.folder, 'program.mjs'), text);
    return startNode(['program.mjs'], {
      ...{ cwd: sdk.folder, environment: { PATH: process.env.PATH, BLUEJAY_URL: world.url, ...environment } },
    });
  }

  /** Returns what such a program prints. */
  async function run(text: string, environment: Record<string, string> = {}) {
    const program = await start(text, environment);
    return { code: await program.ended, output: program.output() };
  }

  test('each block of code is run by a test', () => {
    const counted = [...readme.matchAll(/^## (.*)\n/gm)].map(([, heading = '']) => {
      const blocks = blocksOf(sectionOf(readme, heading)).filter(({ language }) => language !== 'sh');
      return [heading, blocks.length] as const;
    });
    expect(Object.fromEntries(counted.filter(([, blocks]) => blocks > 0))).toEqual({
      ...{ 'A first letter': 1, Calls: 2, Webhooks: 1, OAuth: 2 },
    });
  });

  test('lists are iterated and read by pages', async () => {
    const sender = await aSender(world);
    const ids = [await sender.sendAccepted(), await sender.sendAccepted()];
    for (const id of ids) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    const shown = 'console.log(data.length, nextCursor);';
    const { output } = await run(`${client}${block('Calls')}${shown}`, { BLUEJAY_API_KEY: sender.key });
    expect(output.trim().split('\n').toSorted()).toEqual(['2 null', ...ids.map((id) => `${id} posted`)].toSorted());
  });

  test('events are followed', async () => {
    const sender = await aSender(world);
    const observed = `${client}const open = bluejay.events.stream;
      bluejay.events.stream = (query) => open.call(bluejay.events, query, { onOpen: () => console.log('open') });\n`;
    const program = await start(observed + block('Calls', 1), { BLUEJAY_API_KEY: sender.key });
    await program.waitForLine(/^open$/);
    const id = await sender.sendAccepted();
    await program.waitForLine(/^MAIL_QUEUED \{/);
    await program.waitForLine(new RegExp(id));
  });

  test('webhooks are verified in Next.js, Hono and Express', async () => {
    const signed = signVectors(secret).find(({ accepted }) => accepted);
    const before = `import { createServer } from 'node:http';
      import createExpress from 'express';
      import { Hono } from 'hono';
      const [hono, express] = [new Hono(), createExpress()];\n`;
    const after = `const server = createServer(express).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const url = \`http://127.0.0.1:\${server.address().port}/hooks\`;
      const { body, header } = JSON.parse(process.env.SIGNED);
      for (const signature of [header, 't=1,v1=0']) {
        const init = { method: 'POST', body, headers: { 'x-service-signature': signature } };
        for (const post of [POST, (request) => hono.request(request), fetch]) {
          console.log((await post(new Request(url, init))).status);
        }
      }
      server.close();\n`;
    const environment = { WEBHOOK_SECRET: secret, SIGNED: JSON.stringify(signed) };
    const { code, output } = await run(before + block('Webhooks') + after, environment);
    const genuine = ['MAIL_POSTED mj_1', '204'];
    expect([code, output.trim().split('\n')]).toEqual([
      ...[0, [...genuine, ...genuine, ...genuine, '401', '401', '401']],
    ]);
  });

  test('a user consents to an OAuth application', async () => {
    const app = await anApplication(world);
    const { clientId, secret: clientSecret, redirectUri } = app;
    const given = { clientId, clientSecret, redirectUri, baseUrl: world.url, authUrl: 'https://app.example.com' };
    const constants = (values: object) =>
      Object.entries(values)
        .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`)
        .join('');
    const asked = await run(`${constants(given)}${block('OAuth')}console.log(JSON.stringify(request));`);
    const request = JSON.parse(asked.output);
    const query = new URL(request.url).searchParams;
    const callback = await app.consent(await anOrganization(world), { verifier: request.codeVerifier, query });
    // Consent is given for the issuer of the tests, which is not the address of their server.
    callback.searchParams.delete('iss');
    const later = `import { Bluejay, BluejayOAuth } from 'bluejay-sdk';\n${constants({ ...given, request })}
      const store = (saved) => console.log('stored', Object.keys(saved).join());
      const callbackUrl = ${JSON.stringify(callback.href)};
      const oauth = new BluejayOAuth({ clientId, clientSecret, redirectUri, baseUrl, authUrl });\n`;
    const used = 'await source.refresh();\nconsole.log((await bluejay.mails.list()).data.length);';
    const { output } = await run(`${later}${block('OAuth', 1)}${used}`);
    expect(output).toBe('stored accessToken,refreshToken,expiresAtMs\n0\n');
  });

  test('the commands check a letter, price it and listen', async () => {
    const { key } = await world.customer();
    const lines = [...sectionOf(readme, 'The command line').matchAll(/^ {4}(.*)$/gm)].map(([, line = '']) => line);
    const environment = {
      PATH: `${join(sdk.folder, 'node_modules/.bin')}:${process.env.PATH}`,
      ...{ BLUEJAY_API_KEY: key, BLUEJAY_URL: world.url, HOME: sdk.folder, XDG_CONFIG_HOME: sdk.folder },
    };
    const startLine = (line: string) => startProgram('sh', ['-c', line], { cwd: sdk.folder, environment });
    const [login = '', preflight = '', send = '', listen = '', ...others] = lines;
    expect(others).toEqual([]);
    // It asks for the key, which only a person has. The tests of the command give it.
    expect(login).toMatch(/^npx bluejay-sdk login --url https:/);
    const asked = startLine(login);
    expect([await asked.ended, asked.output()]).toEqual([2, expect.stringContaining('--key-stdin')]);
    for (const [line, shown] of [
      [preflight, /1 page, 1 sheet/],
      [send, /EUR/],
    ] as const) {
      const program = startLine(line);
      expect([line, await program.ended, program.output()]).toEqual([line, 0, expect.stringMatching(shown)]);
    }
    await startLine(`exec ${listen}`).waitForLine(/^Listening/);
  });
});
