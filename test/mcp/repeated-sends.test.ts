// Level: push
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { afterAll, afterEach, beforeAll, describe, expect, standingClock, test } from '../support/jest.ts';
import { type Agent, startHttpAgent, startStdioAgent } from '../support/mcp/agent.ts';
import { anAddress, aToolLetter, uploadByTool } from '../support/mcp/try-all-tools.ts';
import type { Customer } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

const minuteMs = 60_000;
const clock = standingClock();
const start = clock.now();
const world = startWorld({ clock });

describe('a repeat of send_letter whose first answer was lost', () => {
  let customer: Customer;
  let agent: Agent;
  let s3Key: string;
  beforeAll(async () => {
    customer = await world.customer();
    agent = await startHttpAgent({ url: world.url, key: customer.key });
    s3Key = await uploadByTool(agent);
  });
  afterAll(async () => await agent.close());
  // The object store refuses uploads of another time.
  afterEach(() => clock.set(start));

  async function send(letter: Record<string, unknown>, by = agent) {
    const { quoteToken, totalCents: maxTotalCents } = (await by.use('prepare_letter', { letter })).data;
    const input = { letter, quoteToken, maxTotalCents };
    const { data } = await by.use('send_letter', input);
    return { input, mailJobId: data.mailJobId as string };
  }
  const countJobs = async () => await MailJob.countDocuments({ organizationId: customer.organizationId });

  test('finds the letter after the entry of its recipient was changed or deleted', async () => {
    const entry = (await agent.use('save_address', { kind: 'RECIPIENT', ...anAddress })).data;
    const { input, mailJobId } = await send(aToolLetter(s3Key, { recipients: [{ addressId: entry.id }] }));
    const jobs = await countJobs();
    const changes = [
      () => customer.http.patch(`/v1/addresses/${entry.id}`, { line1: 'Rue Basse 2' }),
      () => customer.http.delete(`/v1/addresses/${entry.id}`),
    ];
    for (const change of changes) {
      await change();
      const told = await agent.use('send_letter', input);
      expect([told.isError, told.data.duplicate, told.data.mailJobId]).toEqual([false, true, mailJobId]);
      expect(told.text).toMatch(/was sent before/);
    }
    expect(await countJobs()).toBe(jobs);
  });

  test('finds the letter after the quote has expired', async () => {
    const { input, mailJobId } = await send(aToolLetter(s3Key));
    clock.advance(31 * minuteMs);
    const told = await agent.use('send_letter', input);
    expect([told.isError, told.data.duplicate, told.data.mailJobId]).toEqual([false, true, mailJobId]);
  });

  test('finds the letter after the client has restarted the program, but not for another key', async () => {
    const first = await startStdioAgent({ url: world.url, key: customer.key });
    const { input, mailJobId } = await send(aToolLetter(s3Key), first);
    await first.close();
    const next = await startStdioAgent({ url: world.url, key: customer.key });
    const told = await next.use('send_letter', input);
    expect([told.isError, told.data.duplicate, told.data.mailJobId]).toEqual([false, true, mailJobId]);
    const stranger = await startStdioAgent({ url: world.url, key: (await world.customer()).key });
    expect((await stranger.use('send_letter', input)).data.code).toBe('QUOTE_INVALID');
    for (const each of [next, stranger]) await each.close();
  });

  test('is what the refusal asks for when a gateway in between answered 502', async () => {
    const gateway = await startGateway(world.url);
    const through = await startStdioAgent({ url: gateway.url, key: customer.key });
    const letter = aToolLetter(s3Key);
    const { quoteToken, totalCents: maxTotalCents } = (await through.use('prepare_letter', { letter })).data;
    const jobs = await countJobs();
    gateway.loseNextSend();
    const lost = await through.use('send_letter', { letter, quoteToken, maxTotalCents });
    expect([lost.data.code, await countJobs()]).toEqual(['API_ANSWER_UNKNOWN', jobs + 1]);
    expect(lost.data.whatNext).toMatch(/^The call may have worked\. Make the same call once more/);
    const told = await through.use('send_letter', { letter, quoteToken, maxTotalCents });
    expect([told.data.duplicate, await countJobs()]).toEqual([true, jobs + 1]);
    await through.close();
    await gateway.close();
  });

  test('names the externalId to look for when the credential may not read letters', async () => {
    const sender = await world.customer({ scopes: ['send', 'addresses'] });
    const own = await startHttpAgent({ url: world.url, key: sender.key });
    const { input, mailJobId } = await send(aToolLetter(await uploadByTool(own)), own);
    const { externalId } = await MailJob.findById(mailJobId).orFail().lean<{ externalId: string }>();
    clock.advance(31 * minuteMs);
    const { data } = await own.use('send_letter', input);
    await own.close();
    expect([data.code, data.message]).toEqual(['QUOTE_EXPIRED', expect.stringContaining(externalId)]);
  });
});

/** Starts a gateway in front of an API that can lose the answer to a send: it then says 502 in HTML, although the API has worked. */
async function startGateway(to: string) {
  let isLosing = false;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const sent = await text(request);
    const body = method === 'POST' ? { body: sent } : {};
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const answer = await fetch(to + url, { method, headers: { authorization, 'content-type': type }, ...body });
    const answered = await answer.text();
    // Unlike a dry run, a send has an externalId.
    const isLost = isLosing && sent.includes('externalId');
    if (isLost) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered);
    if (isLost) isLosing = false;
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    loseNextSend() {
      isLosing = true;
    },
    close: async () => await closeServer(server),
  };
}
