import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startProgram } from '#test/support/processes/process-control.ts';
import { anApplication, anOrganization } from '#test/support/product/application.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root, sectionOf } from '#test/support/project/markdown.ts';
import { pythonWithHttpx, testWithPython } from '#test/support/sdk/python.ts';
import { signVectors } from '#test/support/sdk/webhook-vectors.ts';

const readme = readText('scripts/sdk/python/README.md');
const secret = 'whsec_of_the_tests';
const client = `import os
from bluejay import Bluejay
key, url = os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"]
bluejay = Bluejay(key, url)
`;

/** Returns a block of Python as it is printed. */
function block(heading: string, index = 0): string {
  const blocks = blocksOf(sectionOf(readme, heading)).filter(({ language }) => language === 'python');
  return blocks[index]?.text ?? '';
}

describe('the README of the Python SDK, as it is printed', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  afterEach(killStartedPrograms);

  /** Starts a program made of what the README assumes, its block, and what shows the result. */
  async function start(text: string, environment: Record<string, string>) {
    const folder = await newFolder();
    await writeFile(join(folder, 'program.py'), text);
    const paths = { PYTHONPATH: join(root, 'scripts/sdk/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
    const variables = { ...paths, PYTHONUNBUFFERED: '1', BLUEJAY_URL: world.url, ...environment };
    return startProgram(pythonWithHttpx(), ['program.py'], { cwd: folder, environment: variables });
  }

  /** Returns what such a program prints. */
  async function run(text: string, environment: Record<string, string> = {}) {
    const program = await start(text, environment);
    return { code: await program.ended, output: program.output() };
  }

  testWithPython('each block of code is run by a test', () => {
    const counted = [...readme.matchAll(/^## (.*)\n/gm)].map(([, heading = '']) => {
      const blocks = blocksOf(sectionOf(readme, heading)).filter(({ language }) => language !== 'sh');
      return [heading, blocks.length] as const;
    });
    expect(Object.fromEntries(counted.filter(([, blocks]) => blocks > 0))).toEqual({
      ...{ 'A first letter': 1, Calls: 3, Webhooks: 1, OAuth: 2 },
    });
  });

  testWithPython('lists are iterated by both clients', async () => {
    const sender = await aSender(world);
    const ids = [await sender.sendAccepted(), await sender.sendAccepted()];
    for (const id of ids) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    for (const [index, line] of [
      [0, (id: string) => `${id} posted`],
      [2, (id: string) => id],
    ] as const) {
      const { output } = await run(client + block('Calls', index), { BLUEJAY_API_KEY: sender.key });
      expect(output.trim().split('\n').toSorted()).toEqual(ids.map(line).toSorted());
    }
  });

  testWithPython('events are followed', async () => {
    const sender = await aSender(world);
    const observed = `${client}
import functools
bluejay.events.stream = functools.partial(bluejay.events.stream, on_open=lambda: print("open"))
`;
    const program = await start(observed + block('Calls', 1), { BLUEJAY_API_KEY: sender.key });
    await program.waitForLine(/^open$/);
    const id = await sender.sendAccepted();
    await program.waitForLine(new RegExp(`^MAIL_QUEUED .*${id}`));
  });

  testWithPython('webhooks are verified in Flask', async () => {
    const signed = signVectors(secret).find(({ accepted }) => accepted);
    const after = `
import json
signed, client = json.loads(os.environ["SIGNED"]), app.test_client()
for signature in (signed["header"], "t=1,v1=0"):
    print(client.post("/hooks", data=signed["body"], headers={"X-Service-Signature": signature}).status_code)
`;
    const environment = { WEBHOOK_SECRET: secret, SIGNED: JSON.stringify(signed) };
    const { output } = await run(block('Webhooks') + after, environment);
    expect(output).toBe('MAIL_POSTED\n204\n401\n');
  });

  testWithPython('a user consents to an OAuth application', async () => {
    const app = await anApplication(world);
    const given = { id: app.clientId, secret: app.secret, uri: app.redirectUri, url: world.url };
    const before = Object.entries({ ...given, auth_url: 'https://app.example.com' })
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join('');
    const asked = await run(`${before}${block('OAuth')}import json\nprint(json.dumps(vars(request)))`);
    const request = JSON.parse(asked.output);
    const query = new URL(request.url).searchParams;
    const callback = await app.consent(await anOrganization(world), { verifier: request.code_verifier, query });
    // Consent is given for the issuer of the tests, which is not the address of their server.
    callback.searchParams.delete('iss');
    const later = `
from bluejay import AuthorizationRequest
request = AuthorizationRequest(**${JSON.stringify(request)})
callback_url = ${JSON.stringify(callback.href)}
stored = []
store = stored.append
`;
    const used = 'print(len(bluejay.mails.list().page()["data"]))\n';
    const { output } = await run(`${before}${block('OAuth')}${later}${block('OAuth', 1)}${used}`);
    expect(output).toBe('0\n');
  });
});
