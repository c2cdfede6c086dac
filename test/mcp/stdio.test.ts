import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { tools } from '#common/mcp/tools.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { type Agent, startStdioAgent } from '../support/mcp/agent.ts';
import { refusedInputs, sendByTools, uploadByTool, useEachTool } from '../support/mcp/try-all-tools.ts';
import { killStartedPrograms, startNode } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';

const script = join(import.meta.dirname, '../../scripts/mcp.ts');
const names = tools.map(({ name }) => name);

describe('npm run mcp', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const agents: Agent[] = [];
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close();
    await killStartedPrograms();
  });

  async function start(options: Partial<Parameters<typeof startStdioAgent>[0]> & { key: string }): Promise<Agent> {
    const agent = await startStdioAgent({ url: world.url, ...options });
    agents.push(agent);
    return agent;
  }

  test.each(['legacy', 'auto'] as const)('an agent (%s) uses each tool, from the quote to delivery', async (era) => {
    const customer = await world.customer();
    const agent = await start({ key: customer.key, era });
    const steps = await useEachTool(agent, customer);
    expect(steps.filter(({ isError }) => isError)).toEqual([]);
    expect(steps.map(({ tool }) => tool).sort()).toEqual([...names].sort());
    expect(steps.filter(({ text }) => !text.startsWith('[TEST] '))).toEqual([]);
  });

  test('each tool refuses a wrong call with the mode, a code and what to do next', async () => {
    const { key } = await world.customer();
    const agent = await start({ key });
    const cases = refusedInputs(await uploadByTool(agent));
    expect(cases.map(([tool]) => tool).sort()).toEqual([...names].sort());
    for (const [tool, input, code] of cases) {
      const { isError, text, data } = await agent.use(tool, input);
      expect([tool, isError, data.code]).toEqual([tool, true, code]);
      expect(text).toMatch(/^\[TEST\] Refused with [A-Z_]+\. .{10}/);
      expect(data.whatNext.length).toBeGreaterThan(10);
      if (code === 'VALIDATION_ERROR') expect(data.issues.length).toBeGreaterThan(0);
    }
  });

  test('a checked document comes with a picture of its first page', async () => {
    const { key } = await world.customer();
    const agent = await start({ key });
    const { preflightId } = (await agent.use('check_document', { files: [{ s3Key: await uploadByTool(agent) }] })).data;
    const told = await eventually(async () => {
      const again = await agent.use('check_document', { preflightId });
      expect(again.data.status).toBe('done');
      return again;
    });
    expect([told.data.letter.pages, told.pictures]).toEqual([1, ['image/png']]);
    const both = await agent.use('check_document', { preflightId, files: [{ s3Key: 'u/x' }] });
    expect(both.data.issues).toEqual([{ path: ['files'], message: 'Give either files or a preflightId.' }]);
  });

  test('a live key needs --live, sees no sandbox, and marks each result as live', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const environment = { PATH: process.env.PATH, BLUEJAY_URL: world.url, BLUEJAY_API_KEY: customer.key };
    const refused = startNode([script], { environment });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(/^BLUEJAY_API_KEY is a live key\. Start with --live/);
    expect(refused.output()).not.toContain(customer.key);

    const agent = await start({ key: customer.key, args: ['--live'] });
    const listed = (await agent.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(names.filter((name) => name !== 'simulate_letter'));
    const { text, data } = await agent.use('get_wallet');
    expect([text.slice(0, 7), data.mode, data.balanceCents]).toEqual(['[LIVE] ', 'live', 10_000]);
    const mailJobId = await sendByTools(agent);
    expect(await MailJob.countDocuments({ _id: mailJobId, mode: 'live' })).toBe(1);
  });

  test('a missing or wrong URL or key ends it with one sentence and the fix', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /^Set BLUEJAY_URL to the address of the API, such as https:.*\n$/],
      [{ BLUEJAY_URL: 'file:///etc' }, /^Set BLUEJAY_URL to/],
      [{ BLUEJAY_URL: world.url }, /^Set BLUEJAY_API_KEY to an API key: bjk_test….\n$/],
      [{ BLUEJAY_URL: world.url, BLUEJAY_API_KEY: 'bja_x' }, /^Set BLUEJAY_API_KEY to/],
    ];
    for (const [variables, message] of cases) {
      const program = startNode([script], { environment: { PATH: process.env.PATH, ...variables } });
      expect([variables, await program.ended]).toEqual([variables, 1]);
      expect(program.output()).toMatch(message);
      expect(program.standardOutput()).toBe('');
    }
  });

  test('an unreachable API and a revoked key are refusals, and the server goes on', async () => {
    const unreachable = await start({ key: 'bjk_test_x', url: 'http://127.0.0.1:1' });
    expect((await unreachable.use('get_wallet')).data.code).toBe('API_UNREACHABLE');
    const unknown = await start({ key: 'bjk_test_x' });
    expect((await unknown.use('get_wallet')).data.code).toBe('UNAUTHORIZED');
    expect((await unknown.use('get_wallet')).data.code).toBe('UNAUTHORIZED');
  });

  test('1 MB of text is refused in one short answer', async () => {
    const { key } = await world.customer();
    const agent = await start({ key });
    const long = 'x'.repeat(1_000_000);
    const wrong = [{ query: long }, { query: 'x', [long]: 1 }, { query: Array.from({ length: 200_000 }, () => 'x') }];
    for (const input of wrong) {
      const told = await agent.use('search_docs', input);
      expect([told.isError, told.data.code]).toEqual([true, 'VALIDATION_ERROR']);
      expect(JSON.stringify(told).length).toBeLessThan(2_000);
    }
    expect((await agent.use('get_wallet')).isError).toBe(false);
  });

  test('a faulty message is one line of standard error, without its text', async () => {
    const { key } = await world.customer();
    const lines: string[] = [];
    const agent = await start({ key, onStandardError: (text) => void lines.push(text) });
    const faulty = { jsonrpc: '2.0', id: { name: 'Ada Peeters' }, method: 5, params: { line1: 'Rue Haute 1' } };
    await agent.client.transport?.send(faulty as never);
    await eventually(() => expect(lines.join('')).toContain('mcp: message ignored'));
    expect(lines.join('')).toMatch(/^mcp: serving test tools of \S+\nmcp: message ignored: ZodError\n$/);
  });

  test('it ends when the client closes its standard input', async () => {
    const { key } = await world.customer();
    const agent = await start({ key });
    const { pid } = agent.client.transport as unknown as { pid: number };
    agents.length = 0;
    await agent.close();
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });
});
