// Level: ci
import { afterEach, describe, eventually, expect } from '#test/support/jest.ts';
import { killStartedPrograms } from '#test/support/processes/process-control.ts';
import { anApplication, anOrganization } from '#test/support/product/application.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, sectionOf } from '#test/support/project/markdown.ts';
import { openPython, openTypescript, type ReadmeLanguage } from '#test/support/sdk/readme-languages.ts';
import { signVectors } from '#test/support/sdk/webhook-vectors.ts';

const secret = 'whsec_of_the_tests';
const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const [typescript, python] = [openTypescript(), openPython()];

/** What is run beside the blocks, and what it shows. */
type Samples = {
  connection: (key: string) => object;
  lists: () => string;
  listed: (ids: string[]) => string[];
  webhooks: () => string;
  verified: string[];
  application: (given: Record<'id' | 'secret' | 'uri' | 'url' | 'authUrl', string>) => object;
  verifierOf: (request: Record<string, string>) => string | undefined;
  showRequest: string;
  /** Between the two blocks: the request from the session, and where the user came back to. */
  comeBack: (given: string, request: object, callbackUrl: string) => string;
  useTokens: string;
  used: string[];
};

const ofTypescript: Samples = {
  connection: (apiKey) => ({ apiKey, baseUrl: world.url }),
  lists: () => `${typescript.block('Calls')}console.log(data.length, nextCursor);`,
  listed: (ids) => ['2 null', ...ids.map((id) => `${id} posted`)],
  webhooks: () => `import { createServer } from 'node:http';
    import createExpress from 'express';
    import { Hono } from 'hono';
    const [hono, express] = [new Hono(), createExpress()];
    ${typescript.block('Webhooks')}
    const server = createServer(express).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = \`http://127.0.0.1:\${server.address().port}/hooks\`;
    const { body, header } = JSON.parse(process.env.SIGNED);
    for (const signature of [header, 't=1,v1=0']) {
      const init = { method: 'POST', body, headers: { 'x-service-signature': signature } };
      for (const post of [POST, (request) => hono.request(request), fetch]) {
        console.log((await post(new Request(url, init))).status);
      }
    }
    server.close();\n`,
  // Next.js, Hono and Express.
  verified: [...Array(3).fill(['MAIL_POSTED mj_1', '204']).flat(), '401', '401', '401'],
  application: ({ id, secret: clientSecret, uri, url, authUrl }) => ({
    ...{ clientId: id, clientSecret, redirectUri: uri, baseUrl: url, authUrl },
  }),
  verifierOf: ({ codeVerifier }) => codeVerifier,
  showRequest: 'console.log(JSON.stringify(request));',
  comeBack: (given, request, callbackUrl) => `import { Bluejay, BluejayOAuth } from 'bluejay-post';
    ${given}${typescript.constants({ request, callbackUrl })}
    const store = (saved) => console.log('stored', Object.keys(saved).join());
    const oauth = new BluejayOAuth({ clientId, clientSecret, redirectUri, baseUrl, authUrl });\n`,
  useTokens: 'await source.refresh();\nconsole.log((await bluejay.mails.list()).data.length);',
  used: ['stored accessToken,refreshToken,expiresAtMs', '0'],
};

const ofPython: Samples = {
  connection: (key) => ({ key, url: world.url }),
  // The synchronous and the asynchronous client.
  lists: () => python.block('Calls') + python.block('Calls', 2),
  listed: (ids) => ids.flatMap((id) => [`${id} posted`, id]),
  webhooks: () => `${python.block('Webhooks')}
import json
signed, client = json.loads(os.environ["SIGNED"]), app.test_client()
for signature in (signed["header"], "t=1,v1=0"):
    print(client.post("/hooks", data=signed["body"], headers={"X-Service-Signature": signature}).status_code)
`,
  verified: ['MAIL_POSTED', '204', '401'],
  application: ({ authUrl, ...given }) => ({ ...given, auth_url: authUrl }),
  verifierOf: ({ code_verifier }) => code_verifier,
  showRequest: 'import json\nprint(json.dumps(vars(request)))',
  comeBack: (given, request, callbackUrl) => `${given}${python.block('OAuth')}
from bluejay_post import AuthorizationRequest
request = AuthorizationRequest(**${JSON.stringify(request)})
callback_url = ${JSON.stringify(callbackUrl)}
store = [].append
`,
  useTokens: 'print(len(bluejay.mails.list().page()["data"]))\n',
  used: ['0'],
};

const languages: [string, ReadmeLanguage, Samples][] = [
  ['TypeScript', typescript, ofTypescript],
  ['Python', python, ofPython],
];

describe.each(languages)('the README of the %s SDK, as it is printed', (_name, language, samples) => {
  const { readme, blocks, block, start, constants, client, testHere } = language;
  afterEach(async () => {
    python.stop();
    await killStartedPrograms();
  });

  /** Returns what a program prints until its end. */
  async function run(text: string, environment: Record<string, string> = {}) {
    const program = await start(text, environment);
    await program.ended;
    return program.lines();
  }

  testHere('each block of code is run by a test', () => {
    const counted = [...readme.matchAll(/^## (.*)\n/gm)].map(([, heading = '']) => {
      const found = blocksOf(sectionOf(readme, heading)).filter(({ language }) => language !== 'sh');
      return [heading, found.length] as const;
    });
    expect(Object.fromEntries(counted.filter(([, found]) => found > 0))).toEqual(blocks);
  });

  testHere('lists are iterated and read by pages', async () => {
    const sender = await aSender(world);
    const ids = [await sender.sendAccepted(), await sender.sendAccepted()];
    for (const id of ids) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    const printed = await run(constants(samples.connection(sender.key)) + client + samples.lists());
    expect(printed.toSorted()).toEqual(samples.listed(ids).toSorted());
  });

  testHere('events are followed', async () => {
    const sender = await aSender(world);
    const { lines } = await start(constants(samples.connection(sender.key)) + client + block('Calls', 1));
    await eventually(() => expect(lines()).toContain('open'));
    const id = await sender.sendAccepted();
    await eventually(() => expect(lines().join('\n')).toMatch(new RegExp(`^MAIL_QUEUED [\\s\\S]*${id}`, 'm')));
  });

  testHere('webhooks are verified in the frameworks that it names', async () => {
    const signed = signVectors(secret).find(({ accepted }) => accepted);
    const environment = { WEBHOOK_SECRET: secret, SIGNED: JSON.stringify(signed) };
    expect(await run(samples.webhooks(), environment)).toEqual(samples.verified);
  });

  testHere('a user consents to an OAuth application', async () => {
    const app = await anApplication(world);
    const { clientId: id, secret, redirectUri: uri } = app;
    const urls = { url: world.url, authUrl: 'https://app.example.com' };
    const given = constants(samples.application({ id, secret, uri, ...urls }));
    const [shown = ''] = await run(given + block('OAuth') + samples.showRequest);
    const request = JSON.parse(shown);
    const query = new URL(request.url).searchParams;
    const verifier = samples.verifierOf(request) ?? '';
    const callback = await app.consent(await anOrganization(world), { verifier, query });
    // Consent is given for the issuer of the tests, which is not the address of their server.
    callback.searchParams.delete('iss');
    const program = samples.comeBack(given, request, callback.href) + block('OAuth', 1) + samples.useTokens;
    expect(await run(program)).toEqual(samples.used);
  });
});
