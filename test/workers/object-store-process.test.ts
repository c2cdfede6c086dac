import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createObjectStoreClient, type ObjectStore } from '../../common/platform/s3.ts';
import { findFreePort } from '../../scripts/local-servers/ports.ts';
import { eventually } from '../support/eventually.ts';
import { endProcess, type StoreProcess, spawnObjectStore } from '../support/object-store-process.ts';
import { hello, pdf } from '../support/object-store-world.ts';
import { errorCodeOf, sendRaw } from '../support/send-raw.ts';

describe('the embedded object store as a process', () => {
  let dir: string;
  let port: number;
  let running: StoreProcess | undefined;
  let store: ObjectStore;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'object-store-process-'));
    port = await findFreePort();
  });
  afterEach(async () => {
    store?.close();
    if (running) await endProcess(running.child, 'SIGKILL');
    running = undefined;
    await rm(dir, { recursive: true });
  });

  async function start(options: { wrapper?: string } = {}): Promise<StoreProcess> {
    running = await spawnObjectStore({ dir, port, ...options });
    store = createObjectStoreClient(running.settings);
    return running;
  }
  function upload(key: string, body: Buffer) {
    const { url, headers } = sign(key, body.length);
    return sendRaw(url, { method: 'PUT', headers, body });
  }
  const sign = (key: string, sizeBytes: number) =>
    store.presignPut({ key, contentType: pdf, sizeBytes, expiresInS: 600, at: new Date() });
  /** Sends the first half of a file and leaves it at that; returns once the half lies on disk. */
  async function sendHalf(key: string, sizeBytes: number) {
    const { url, headers } = sign(key, sizeBytes);
    const sending = request(url, { method: 'PUT', headers: { ...headers, 'content-length': sizeBytes } });
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(sizeBytes / 2));
    await eventually(async () => expect(await temporaryBytes()).toBe(sizeBytes / 2), { withinMs: 5_000 });
    return sending;
  }
  async function temporaryBytes(): Promise<number> {
    const [name, ...others] = (await readdir(dir)).filter((file) => file.endsWith('.tmp'));
    expect(others).toEqual([]);
    return name ? (await stat(join(dir, name))).size : 0;
  }

  test('given an upload half way, when the store is killed and started again, then none of it is there', async () => {
    await start();
    await sendHalf('letter', 1_000_000);
    await endProcess(running!.child, 'SIGKILL');
    expect(await readdir(dir)).toHaveLength(1);
    await start();
    expect(await store.head('letter')).toBeNull();
    expect(await readdir(dir)).toEqual([]);
    expect(await upload('letter', hello)).toMatchObject({ status: 200 });
  });

  test('given uploads under way, when the store is killed at any moment, then each is there whole or not at all', async () => {
    const body = Buffer.alloc(400_000, 'letter');
    for (let round = 0; round < 5; round++) {
      await start();
      const keys = Array.from({ length: 20 }, (_, n) => `${round}/${n}`);
      const answers = keys.map((key) => upload(key, body).catch(() => null));
      await Promise.race(answers.slice(round * 4));
      await endProcess(running!.child, 'SIGKILL');
      const acknowledged = (await Promise.all(answers)).map((answer) => answer?.status === 200);
      expect(acknowledged).toContain(true);
      await start();
      const found = await Promise.all(keys.map((key) => store.head(key)));
      expect(found.filter((facts) => facts && facts.sizeBytes !== body.length)).toEqual([]);
      expect(keys.filter((_, n) => acknowledged[n] && !found[n])).toEqual([]);
      await endProcess(running!.child, 'SIGKILL');
    }
  });

  test('given a stored file, when the store is ended and started again, then it is found with all its facts', async () => {
    await start();
    await upload('ü/../letter', hello);
    const facts = await store.head('ü/../letter');
    expect(facts).toMatchObject({ sizeBytes: hello.length, contentType: pdf });
    expect(await endProcess(running!.child, 'SIGTERM')).toBe(0);
    await start();
    expect(await store.head('ü/../letter')).toEqual(facts);
  });

  test('given an upload half way, when its sender goes away, then none of it is kept', async () => {
    await start();
    const sending = await sendHalf('letter', 1_000_000);
    sending.destroy();
    await eventually(async () => expect(await readdir(dir)).toEqual([]), { withinMs: 5_000 });
    expect(await store.head('letter')).toBeNull();
  });

  test('given a parent, when it is killed, then the store is gone within 2 s', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    running = await spawnObjectStore({ dir, port, parentPid: parent.pid! });
    const ended = once(running.child, 'exit', { signal: AbortSignal.timeout(2_000) });
    await endProcess(parent, 'SIGKILL');
    await ended;
  });

  test('given a disk that takes no more, when a file is put, then 507 and one line, and the store goes on', async () => {
    // No file may grow over a megabyte: the operating system then refuses to write as it does on a full disk.
    const { log, child } = await start({ wrapper: 'ulimit -f 1024' });
    const answer = await upload('large', Buffer.alloc(8_000_000));
    expect([answer.status, errorCodeOf(answer)]).toEqual([507, 'InsufficientStorage']);
    expect(await upload('small', hello)).toMatchObject({ status: 200 });
    expect(await store.head('large')).toBeNull();
    expect(await readdir(dir)).toHaveLength(1);
    expect(log()).toMatch(/^The disk of the object store is full \(EFBIG\): .*\n$/);
    expect(child.exitCode).toBeNull();
  });

  test('given a port in use, when a second store is started on it, then it says so in one sentence and ends', async () => {
    await start();
    const second = spawnObjectStore({ dir: join(dir, 'second'), port });
    await expect(second).rejects.toThrow(/^The port of the object store is in use: .*\n$/);
  });
});
