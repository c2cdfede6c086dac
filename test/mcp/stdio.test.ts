// Level: ci
import { join } from 'node:path';
import { tools } from '#common/mcp/tools.ts';
import { openTools } from '#scripts/mcp/serve-tools.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { startProgramAgent, startStdioAgent } from '../support/mcp/agent.ts';
import { sendByTools, uploadByTool } from '../support/mcp/try-all-tools.ts';
import { isAlive, killStartedPrograms, startNode } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';

const script = join(import.meta.dirname, '../../scripts/mcp.ts');
const names = tools.map(({ name }) => name);

describe('npm run mcp', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  afterEach(killStartedPrograms);

  test('with --live it serves a live key, reports a faulty message without its text, and ends with its client', async () => {
    const { key } = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const lines: string[] = [];
    const agent = await startProgramAgent({ url: world.url, key }, ['--live'], (text) => void lines.push(text));
    const { pid } = agent.client.transport as unknown as { pid: number };
    const listed = (await agent.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(names.filter((name) => name !== 'simulate_letter'));
    const { text, data } = await agent.use('get_wallet');
    expect([text.slice(0, 7), data.mode, data.balanceCents]).toEqual(['[LIVE] ', 'live', 10_000]);

    const faulty = { jsonrpc: '2.0', id: { name: 'Ada Peeters' }, method: 5, params: { line1: 'Rue Haute 1' } };
    await agent.client.transport?.send(faulty as never);
    await eventually(() => expect(lines.join('')).toContain('mcp: message ignored'));
    expect(lines.join('')).toMatch(/^mcp: serving live tools of \S+\nmcp: message ignored: ZodError\n$/);

    await agent.close();
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  test('a live key without --live ends it with one sentence and the fix', async () => {
    const { key } = await world.customer({ mode: 'live' });
    const environment = { PATH: process.env.PATH, BLUEJAY_URL: world.url, BLUEJAY_API_KEY: key };
    const refused = startNode([script], { environment });
    expect([await refused.ended, refused.standardOutput()]).toEqual([1, '']);
    expect(refused.output()).toMatch(/^BLUEJAY_API_KEY is a live key\. Start with --live.*\n$/);
    expect(refused.output()).not.toContain(key);
  });

  test.each([
    [undefined, undefined, /^Set BLUEJAY_URL to the address of the API, such as https:/],
    ['file:///etc', undefined, /^Set BLUEJAY_URL to/],
    ['https://a.example', undefined, /^Set BLUEJAY_API_KEY to an API key: bjk_test….$/],
    ['https://a.example', 'bja_x', /^Set BLUEJAY_API_KEY to/],
  ])('the URL %s and the key %s are refused with the fix', (url, key, message) => {
    expect(() => openTools({ url, key, isLiveAllowed: false }, () => {})).toThrow(message);
  });

  test('an agent of the 2026 specification sees a page of its letter and sends it', async () => {
    const { key } = await world.customer();
    const agent = await startStdioAgent({ url: world.url, key, era: 'auto' });
    const { preflightId } = (await agent.use('check_document', { files: [{ s3Key: await uploadByTool(agent) }] })).data;
    const told = await eventually(async () => {
      const again = await agent.use('check_document', { preflightId });
      expect(again.data.status).toBe('done');
      return again;
    });
    expect([told.data.letter.pages, told.pictures]).toEqual([1, ['image/png']]);
    const mailJobId = await sendByTools(agent);
    expect((await agent.use('get_letter', { mailJobId })).data.status).toBe('queued');
    await agent.close();
  });

  test('an unreachable API and a revoked key are refusals, and the server goes on', async () => {
    const unreachable = await startStdioAgent({ key: 'bjk_test_x', url: 'http://127.0.0.1:1' });
    expect((await unreachable.use('get_wallet')).data.code).toBe('API_UNREACHABLE');
    const unknown = await startStdioAgent({ key: 'bjk_test_x', url: world.url });
    for (const _ of [1, 2]) expect((await unknown.use('get_wallet')).data.code).toBe('UNAUTHORIZED');
    for (const agent of [unreachable, unknown]) await agent.close();
  });
});
