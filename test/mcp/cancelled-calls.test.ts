// Level: push
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { startHttpAgent, startStdioAgent } from '../support/mcp/agent.ts';
import { uploadByTool } from '../support/mcp/try-all-tools.ts';
import { startWorld } from '../support/product/world.ts';

describe('a client that cancels a call', () => {
  const lines: string[] = [];
  // Without workers the check of a document takes as long as a request waits for it.
  const world = startWorld({ onLogLine: (line) => void lines.push(line), hasTariffs: false });

  test.each([
    ['stdio', 'legacy', ['/v1/preflight']],
    ['stdio', 'auto', ['/v1/preflight']],
    ['http', 'auto', ['/mcp', '/v1/preflight']],
  ] as const)('ends the request of the tool (%s, %s), and the next call works', async (transport, era, routes) => {
    const { key, organizationId } = await world.customer();
    const start = transport === 'stdio' ? startStdioAgent : startHttpAgent;
    const agent = await start({ url: world.url, key, era });
    const files = [{ s3Key: await uploadByTool(agent) }];
    lines.length = 0;
    const cancelling = new AbortController();
    const call = agent.use('check_document', { files }, cancelling.signal);
    const hasBegun = async () => expect(await Preflight.countDocuments({ organizationId })).toBe(1);
    await Promise.all([
      expect(call).rejects.toThrow(),
      eventually(hasBegun).then(() => cancelling.abort(new Error('The user has cancelled.'))),
    ]);
    const cut = () => lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 499);
    const cutRoutes = () => cut().map(({ route }) => route);
    await eventually(() => expect(cutRoutes().sort()).toEqual(routes));
    // Both lines of a message have the same request ID.
    expect(new Set(cut().map(({ requestId }) => requestId)).size).toBe(1);
    expect((await agent.use('get_wallet')).isError).toBe(false);
    await agent.close();
  });
});
