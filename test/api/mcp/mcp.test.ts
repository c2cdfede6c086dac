// Level: push
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { tools } from '#common/mcp/tools.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startHttpAgent } from '#test/support/mcp/agent.ts';
import { refusedInputs, sendByTools, uploadByTool, useEachTool } from '#test/support/mcp/try-all-tools.ts';
import { startWorld } from '#test/support/product/world.ts';

const names = tools.map(({ name }) => name);

describe('the tools at /mcp', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  test('an agent of the 2026 specification uses each tool, from the quote to delivery', async () => {
    const customer = await world.customer();
    const agent = await startHttpAgent({ url: world.url, key: customer.key, era: 'auto' });
    const steps = await useEachTool(agent, customer);
    expect(steps.filter(({ isError }) => isError)).toEqual([]);
    expect(steps.map(({ tool }) => tool).sort()).toEqual([...names].sort());
    expect(steps.filter(({ text }) => !text.startsWith('[TEST] '))).toEqual([]);
    await agent.close();
  });

  test('each tool refuses a wrong call with the mode, a code and what to do next', async () => {
    const { key } = await world.customer();
    const agent = await startHttpAgent({ url: world.url, key });
    const cases = refusedInputs(await uploadByTool(agent));
    expect(cases.map(([tool]) => tool).sort()).toEqual([...names].sort());
    for (const [tool, input, code] of cases) {
      const { isError, text, data } = await agent.use(tool, input);
      expect([tool, isError, data.code]).toEqual([tool, true, code]);
      expect(text).toMatch(/^\[TEST\] Refused with [A-Z_]+\. .{10}/);
      expect(data.whatNext.length).toBeGreaterThan(10);
      if (code === 'VALIDATION_ERROR') expect(data.issues.length).toBeGreaterThan(0);
    }
    await agent.close();
  });

  test('a checked document comes with a picture of its first page, for its customer alone', async () => {
    const [owner, other] = [await world.customer(), await world.customer()];
    const agent = await startHttpAgent({ url: world.url, key: owner.key });
    const files = [{ s3Key: await uploadByTool(agent) }];
    const { preflightId } = (await agent.use('check_document', { files })).data;
    const told = await eventually(async () => {
      const again = await agent.use('check_document', { preflightId });
      expect(again.data.status).toBe('done');
      return again;
    });
    expect([told.data.letter.pages, told.pictures]).toEqual([1, ['image/png']]);
    const both = await agent.use('check_document', { preflightId, files });
    expect(both.data.issues).toEqual([{ path: ['files'], message: 'Give either files or a preflightId.' }]);
    const stranger = await startHttpAgent({ url: world.url, key: other.key });
    const refused = await stranger.use('check_document', { preflightId });
    expect([refused.data.code, refused.pictures]).toEqual(['NOT_FOUND', []]);

    await Preflight.updateOne({ _id: preflightId }, { 'result.overlayKey': 't/gone.png' });
    const without = await agent.use('check_document', { preflightId });
    expect([without.isError, without.data.status, without.pictures]).toEqual([false, 'done', []]);
    for (const each of [agent, stranger]) await each.close();
  });

  test('the tools have the scopes of their caller', async () => {
    const { key } = await world.customer({ scopes: ['read'] });
    const agent = await startHttpAgent({ url: world.url, key });
    const { data } = await agent.use('create_upload_link', { filename: 'a', mimeType: 'image/png', sizeBytes: 1 });
    expect([data.code, data.message]).toEqual(['FORBIDDEN', 'The credential lacks the scope send.']);
    expect((await agent.use('list_letters')).isError).toBe(false);
    await agent.close();
  });

  test('a live key sees no sandbox, pays with real money, and each result says so', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const agent = await startHttpAgent({ url: world.url, key: customer.key });
    const listed = (await agent.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(names.filter((name) => name !== 'simulate_letter'));
    await sendByTools(agent);
    const { text, data } = await agent.use('get_wallet');
    expect([text.slice(0, 7), data.mode]).toEqual(['[LIVE] ', 'live']);
    expect(data.balanceCents).toBeLessThan(10_000);
    await agent.close();
  });

  test('a customer reads nothing of another one', async () => {
    const [owner, other] = [await world.customer(), await world.customer()];
    const mailJobId = await owner.sendAccepted();
    const agent = await startHttpAgent({ url: world.url, key: other.key });
    expect((await agent.use('get_letter', { mailJobId })).data.code).toBe('NOT_FOUND');
    expect((await agent.use('cancel_letter', { mailJobId })).data.code).toBe('NOT_FOUND');
    expect((await agent.use('list_letters')).data.letters).toEqual([]);
    await agent.close();
  });
});
