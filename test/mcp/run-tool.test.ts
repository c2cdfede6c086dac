// Level: unit
import { z } from 'zod';
import { runTool } from '#common/mcp/run-tool.ts';
import { defineTool, reads, type ToolContext } from '#common/mcp/tool.ts';
import { describe, expect, test } from '../support/jest.ts';

const description = { name: 'get_bug', title: 'Fail', description: 'Fails.', annotations: reads };

describe('a tool with a bug', () => {
  const bug = new TypeError('of Ada Peeters, Rue Haute 1');
  const broken = defineTool({
    ...description,
    input: {},
    output: { answer: z.string() },
    run: () => Promise.reject(bug),
  });
  const contextOf = (signal: AbortSignal) => {
    const bugs: unknown[] = [];
    const unused = () => Promise.reject(new Error('not used'));
    const quotes = {} as ToolContext['quotes'];
    const reportBug = (error: unknown) => void bugs.push(error);
    const context: ToolContext = { call: unused, mode: 'test', quotes, loadPicture: unused, signal, reportBug };
    return { bugs, context };
  };

  test('is INTERNAL_ERROR with the mode, and only the operator sees the cause', async () => {
    const { bugs, context } = contextOf(new AbortController().signal);
    const result = await runTool(broken, {}, context);
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ text: expect.stringMatching(/^\[TEST\] Refused with INTERNAL_ERROR\./) });
    expect(JSON.stringify(result)).not.toContain('Ada');
    expect(bugs).toEqual([bug]);
  });

  test('is not reported when the caller has cancelled', async () => {
    const { bugs, context } = contextOf(AbortSignal.abort());
    await expect(runTool(broken, {}, context)).rejects.toBe(bug);
    expect(bugs).toEqual([]);
  });
});
