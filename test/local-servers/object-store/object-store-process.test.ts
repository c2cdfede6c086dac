// Level: ci
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createObjectStoreClient, type ObjectStore } from '#common/platform/s3/s3.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import {
  afterEach,
  beforeEach,
  describe,
  eventually,
  expect,
  guardMs,
  test,
  useTempFolders,
} from '#test/support/jest.ts';
import {
  isAlive,
  killStartedPrograms,
  type Program,
  startNode,
  startProgram,
  waitUntilGone,
} from '#test/support/processes/process-control.ts';
import { errorCodeOf, sendRaw } from '#test/support/send-raw.ts';
import { access } from '#test/support/servers/embedded-object-store.ts';
import { hello, pdf } from '#test/support/servers/object-store-world.ts';

const main = join(import.meta.dirname, '../../../scripts/local-servers/object-store/main.ts');

describe('the embedded object store as a process', () => {
  let dir: string;
  let port: number;
  let running: Program;
  let store: ObjectStore;
  beforeEach(async () => {
    dir = await newFolder();
    port = await findFreePort();
  });
  afterEach(async () => {
    store?.close();
    await killStartedPrograms();
  });
  const newFolder = useTempFolders();

  /** Runs the store, after a shell command such as `ulimit`, and waits for it. */
  async function start({ wrapper = ':', parentPid = process.pid } = {}): Promise<void> {
    const environment = { PATH: process.env.PATH, OBJECT_STORE: JSON.stringify({ ...access, port, dir, parentPid }) };
    running = startProgram('sh', ['-c', `${wrapper}; exec "$@"`, 'sh', process.execPath, main], { environment });
    await running.waitForLine(/^ready$/);
    const endpoint = `http://127.0.0.1:${port}`;
    store = createObjectStoreClient({ ...access, endpoint, publicEndpoint: endpoint });
  }
  async function end(signal: NodeJS.Signals) {
    running.kill(signal);
    return await running.ended;
  }
  async function upload(key: string, body: Buffer) {
    const { url, headers } = await sign(key, body.length);
    return await sendRaw(url, { method: 'PUT', headers, body });
  }
  const sign = (key: string, sizeBytes: number) =>
    store.presignPut({ key, contentType: pdf, sizeBytes, expiresInS: 600, at: new Date() });
  /** Sends the first part of a file, by default half, and stops. Returns once that part is on disk. */
  async function sendPart(key: string, sizeBytes: number, partBytes = sizeBytes / 2) {
    const { url, headers } = await sign(key, sizeBytes);
    const sending = request(url, { method: 'PUT', agent: false, headers: { ...headers, 'content-length': sizeBytes } });
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(partBytes));
    await eventually(async () => expect(await temporaryBytes()).toBe(partBytes));
    return sending;
  }
  async function temporaryBytes(): Promise<number> {
    const [name, ...others] = (await readdir(dir)).filter((file) => file.endsWith('.tmp'));
    expect(others).toEqual([]);
    return name ? (await stat(join(dir, name))).size : 0;
  }

  test('after a kill during an upload nothing of the file is stored', async () => {
    await start();
    await sendPart('letter', 1_000_000);
    await end('SIGKILL');
    expect(await readdir(dir)).toHaveLength(1);
    await start();
    expect(await store.head('letter')).toBeNull();
    expect(await readdir(dir)).toEqual([]);
    expect(await upload('letter', hello)).toMatchObject({ status: 200 });
  });

  test('after a kill at any moment each upload is stored whole or not at all', async () => {
    const body = Buffer.alloc(400_000, 'letter');
    for (let round = 0; round < 5; round++) {
      await start();
      const keys = Array.from({ length: 20 }, (_, n) => `${round}/${n}`);
      const answers = keys.map((key) => upload(key, body).catch(() => null));
      await Promise.race(answers.slice(round * 4));
      await end('SIGKILL');
      const acknowledged = (await Promise.all(answers)).map((answer) => answer?.status === 200);
      expect(acknowledged).toContain(true);
      await start();
      const found = await Promise.all(keys.map((key) => store.head(key)));
      expect(found.filter((facts) => facts && facts.sizeBytes !== body.length)).toEqual([]);
      expect(keys.filter((_, n) => acknowledged[n] && !found[n])).toEqual([]);
      await end('SIGKILL');
    }
  });

  test('a restart keeps a stored file with all its metadata', async () => {
    await start();
    await upload('ü/../letter', hello);
    const facts = await store.head('ü/../letter');
    expect(facts).toMatchObject({ sizeBytes: hello.length, contentType: pdf });
    expect(await end('SIGTERM')).toBe(0);
    await start();
    expect(await store.head('ü/../letter')).toEqual(facts);
  });

  test('an upload whose client disconnects leaves nothing behind', async () => {
    await start();
    const sending = await sendPart('letter', 1_000_000);
    sending.destroy();
    await eventually(async () => expect(await readdir(dir)).toEqual([]));
    expect(await store.head('letter')).toBeNull();
  });

  test('the store ends after its parent was killed', async () => {
    const parent = startNode(['-e', 'setInterval(() => {}, 1000)']);
    await start({ parentPid: parent.pid });
    parent.kill('SIGKILL');
    await parent.ended;
    await waitUntilGone([running.pid]);
  });

  test('a full disk answers 507 with one log line, and the store keeps running', async () => {
    // Limits files to 1 MB. The operating system then refuses writes as on a full disk.
    await start({ wrapper: 'ulimit -f 1024' });
    const answer = await upload('large', Buffer.alloc(8_000_000));
    expect([answer.status, errorCodeOf(answer)]).toEqual([507, 'InsufficientStorage']);
    expect(await upload('small', hello)).toMatchObject({ status: 200 });
    expect(await store.head('large')).toBeNull();
    expect(await readdir(dir)).toHaveLength(1);
    expect(running.output()).toMatch(/^ready\nThe disk of the object store is full \(EFBIG\): .*\n$/);
    expect(isAlive(running.pid)).toBe(true);
  });

  test('a client that is still sending when the disk is full receives the answer', async () => {
    await start({ wrapper: 'ulimit -f 1024' });
    const sending = await sendPart('large', 8_000_000, 400_000);
    const answered = once(sending, 'response');
    sending.write(Buffer.alloc(2_000_000));
    // The write failed, and the upload was discarded.
    await eventually(async () => expect(await readdir(dir)).toEqual([]));
    const sent = once(sending, 'finish', { signal: AbortSignal.timeout(guardMs) });
    sending.end(Buffer.alloc(5_600_000));
    await sent;
    const [response] = await answered;
    expect(response.resume().statusCode).toBe(507);
  });

  test('ten processes are served, and one further connection is refused and logged', async () => {
    await start();
    await upload('letter', hello);
    const held: Socket[] = [];
    const hold = async () => {
      const socket = connect(port, '127.0.0.1');
      held.push(socket);
      await once(socket, 'connect');
      // The store closes those that it refuses.
      socket.on('error', () => undefined);
    };
    try {
      // Fewer at a time than the system queues for a server. One is left for the request.
      for (let left = 10 * 256 - 1; left > 0; left -= 100)
        await Promise.all(Array.from({ length: Math.min(100, left) }, hold));
      expect(await upload('letter', hello)).toMatchObject({ status: 200 });
      await hold();
      await hold();
      await eventually(() => expect(running.output()).toMatch(/refused a connection: 2560 are open\. Start fewer/));
      await expect(upload('letter', hello)).rejects.toThrow(/ECONNRESET|socket hang up/);
    } finally {
      for (const socket of held) socket.destroy();
    }
    await eventually(async () => expect(await upload('letter', hello)).toMatchObject({ status: 200 }));
    expect(running.output().match(/refused/g)).toHaveLength(1);
  });

  test('a store on a port in use exits with one sentence', async () => {
    await start();
    dir = join(dir, 'second');
    await expect(start()).rejects.toThrow(/:\nThe port of the object store is in use: .*\n$/);
  });
});
