import { createServer } from 'node:http';
import { closeServer, listen } from '#common/platform/process/metrics.ts';

/** What the server of a metadata document answers. */
export type MetadataAnswer = { status?: number; headers?: Record<string, string>; body?: string | object };

/** The server of a public client's metadata, whose URL is the id of the client. */
export type MetadataServer = Awaited<ReturnType<typeof startMetadataServer>>;

/** Starts the server of a public client's metadata on this machine. */
export async function startMetadataServer(path = '/client.json') {
  let answer: MetadataAnswer = {};
  let requests = 0;
  let agent: string | undefined;
  let isStalled = false;
  const stalled: (() => void)[] = [];
  let clientId = '';
  const document = () => ({
    client_id: clientId,
    client_name: 'Letter agent',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'https://agent.example/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
  const server = createServer((request, response) => {
    requests += 1;
    agent = request.headers['user-agent'];
    const reply = () => {
      const { status = 200, headers = {}, body = document() } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (isStalled) stalled.push(reply);
    else reply();
  });
  const port = await listen(server, 0, '127.0.0.1');
  clientId = `http://127.0.0.1:${port}${path}`;
  return {
    clientId,
    /** Returns the document as it should be. */
    document,
    /** Changes what is answered from now on. */
    answerWith(next: MetadataAnswer) {
      answer = next;
    },
    /** Answers nothing until `goOn`, if that comes. */
    stall() {
      isStalled = true;
    },
    goOn() {
      isStalled = false;
      for (const reply of stalled.splice(0)) reply();
    },
    countRequests: () => requests,
    /** Returns the User-Agent of the newest request. */
    lastAgent: () => agent,
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
