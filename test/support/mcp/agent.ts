import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { openTools } from '#scripts/mcp/serve-tools.ts';
import { guardMs } from '../jest.ts';

const runScript = join(import.meta.dirname, '../../../scripts/run.sh');

/** What a tool answered: the first text, and the JSON of the second. */
export type Told = {
  isError: boolean;
  /** The first line, which begins with the mode. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of the tests check the results
  data: any;
  /** The media types of pictures. */
  pictures: string[];
};

/** A client of the official library, as agents use it. */
export type Agent = {
  client: Client;
  /** Calls a tool. Its result is checked against the tool's outputSchema by the library. */
  use(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Told>;
  close(): Promise<void>;
};

/** How an agent speaks: as clients of the 2025 specifications do, or by the one of 2026. */
export type Era = 'legacy' | 'auto';

/** Where an agent finds the tools, with which key, and how it speaks. */
type AgentOptions = { url: string; key: string; era?: Era };

/** Starts the tools for a key as the configuration in the guide does, and a client that speaks to them. */
export async function startProgramAgent(
  { url, key }: Omit<AgentOptions, 'era'>,
  args: string[],
  onStandardError: (text: string) => void,
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: 'sh',
    args: [runScript, 'mcp', ...args],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', BLUEJAY_URL: url, BLUEJAY_API_KEY: key },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => onStandardError(chunk.toString()));
  // With the era `auto` the library starts a second process to ask for it.
  return await connectAgent(transport, 'legacy');
}

/** Connects a client to the tools of `npm run mcp` in this process, by streams in place of standard input and output. */
export async function startStdioAgent({ url, key, era = 'legacy' }: AgentOptions): Promise<Agent> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  openTools({ url, key, isLiveAllowed: false }, () => {}, new StdioServerTransport(input, output));
  const agent = await connectAgent(new StdioServerTransport(output, input), era);
  return {
    ...agent,
    async close() {
      await agent.close();
      input.end();
    },
  };
}

/** Connects a client to `/mcp` of an API with a key or an access token. */
export async function startHttpAgent({ url, key, era = 'legacy' }: AgentOptions): Promise<Agent> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return await connectAgent(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }), era);
}

/** Connects a client by a transport, and lists the tools, whose output schemas the client then checks. */
async function connectAgent(transport: Parameters<Client['connect']>[0], era: Era): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(transport, { timeout: guardMs });
  await client.listTools({}, { timeout: guardMs });
  return {
    client,
    async use(name, input = {}, signal) {
      const result = await client.callTool({ name, arguments: input }, { timeout: guardMs, ...(signal && { signal }) });
      const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const pictures = result.content.flatMap((part) => (part.type === 'image' ? [part.mimeType] : []));
      const [text = '', json = 'null'] = texts;
      return { isError: result.isError === true, text, data: JSON.parse(json), pictures };
    },
    close: async () => await client.close(),
  };
}
