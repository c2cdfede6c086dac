// Level: push
import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { view } from '#api/web/framework/answer.ts';
import type { SentFile } from '#api/web/framework/forms/file-form.ts';
import { noTexts, pagesWith } from '#api/web/framework/page.ts';
import { pages } from '#api/web/pages.ts';
import { afterEach, describe, eventually, expect, openOnce, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { formsOf, openWebHost } from '../support/web/web-host.ts';

const { definePage, defineAction } = pagesWith('user', noTexts);

type Seen = { name: string; files: (SentFile & { sha256: string | null })[]; hasMoreFiles: boolean };
const seen: Seen[] = [];
const kB = 1_024;

const filesPage = definePage({
  path: '/files',
  show: async ({ visit, sent }) =>
    view({
      title: 'Files',
      body: html`<h1>Files</h1>${postForm({ visit, sent, action: '/files', hasFiles: true }, (fields) => fields.text({ name: 'name', label: 'Name' }))}`,
    }),
});
const filesAction = defineAction({
  path: '/files',
  form: z.object({ name: z.string().min(1, 'required') }),
  page: filesPage,
  files: { maxFiles: 3, maxFileBytes: 200 * kB, maxTotalBytes: 300 * kB },
  async run({ form, files, hasMoreFiles }) {
    const hashed = files.map(async (file) => ({ ...file, sha256: file.path && hashOf(await readFile(file.path)) }));
    seen.push({ name: form.name, files: await Promise.all(hashed), hasMoreFiles });
    return view({ title: 'Done', body: html`<h1>Done</h1>` });
  },
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('forms with files', () => {
  const world = startWorld({ hasTariffs: false });
  const host = openOnce(() => openWebHost(world, { pages: [...pages, filesPage, filesAction] }));

  afterEach(() => {
    seen.length = 0;
  });

  async function openForm() {
    const visitor = await host.signedIn();
    const [form] = formsOf((await visitor.get('/files')).text).filter(({ action }) => action.endsWith('/files'));
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const token = form?.hidden._csrf ?? '';
    return {
      cookie,
      token,
      async send(parts: readonly (readonly [string, string | File])[], headers: Record<string, string> = {}) {
        const body = new FormData();
        for (const [name, value] of parts) body.append(name, value);
        const init = { method: 'POST', body, headers: { cookie, ...headers }, redirect: 'manual' } as const;
        return await fetch(`${host.url}/en/files`, init);
      },
    };
  }

  test('files arrive in order with their bytes, and are removed when the action ends', async () => {
    const { token, send } = await openForm();
    const contents = [randomBytes(150 * kB), randomBytes(1)];
    const files = contents.map((bytes, index) => ['files', new File([bytes], `é ${index}.pdf`)] as const);
    const answer = await send([['_csrf', token], ...files, ['name', 'after the files']]);
    expect(answer.status).toBe(200);
    expect(seen[0]?.name).toBe('after the files');
    expect(seen[0]?.files.map(({ filename, fault, sha256 }) => [filename, fault, sha256])).toEqual(
      contents.map((bytes, index) => [`é ${index}.pdf`, null, hashOf(bytes)]),
    );
    // The answer may arrive before the folder is removed.
    for (const { path } of seen[0]?.files ?? []) {
      await eventually(async () => await expect(stat(path ?? '')).rejects.toThrow('ENOENT'));
    }
  });

  test('a faulty file keeps its place with its fault, and the files beside it are kept', async () => {
    const { token, send } = await openForm();
    const file = (size: number, name: string) => ['files', new File([Buffer.alloc(size)], name)] as const;
    const named = [['_csrf', token] as const, ['name', 'x'] as const];
    expect((await send([...named, file(200 * kB + 1, 'large'), file(0, 'empty'), file(10, 'good')])).status).toBe(200);
    expect(
      (await send([...named, file(200 * kB, 'most'), file(101 * kB, 'more'), file(100 * kB, 'fits')])).status,
    ).toBe(200);
    expect((await send([...named, ...['a', 'b', 'c', 'd'].map((name) => file(1, name))])).status).toBe(200);
    expect((await send([...named, file(0, '')])).status).toBe(200);
    expect(seen.map(({ files }) => files.map(({ filename, fault }) => [filename, fault]))).toEqual([
      [
        ['large', 'too_large'],
        ['empty', 'empty'],
        ['good', null],
      ],
      [
        ['most', null],
        ['more', 'too_large_together'],
        ['fits', null],
      ],
      ['a', 'b', 'c'].map((name) => [name, null]),
      [],
    ]);
    expect(seen.map(({ hasMoreFiles }) => hasMoreFiles)).toEqual([false, false, true, false]);
  });

  test('without a valid token before the first file, the action never runs', async () => {
    const { token, send } = await openForm();
    const stranger = await openForm();
    const file = ['files', new File(['x'], 'a.pdf')] as const;
    const name = ['name', 'x'] as const;
    expect((await send([name, file, ['_csrf', token]])).status).toBe(403);
    expect((await send([['_csrf', stranger.token], name, file])).status).toBe(403);
    expect((await send([name])).status).toBe(403);
    expect((await send([['_csrf', token], name, file], { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send([['_csrf', token], name, file], { cookie: '' })).status).toBe(303);
    expect(seen).toEqual([]);
    expect((await send([['_csrf', token], name, file])).status).toBe(200);
  });

  test('another content type, a malformed body and an invalid form are refused', async () => {
    const { token, cookie, send } = await openForm();
    const post = (body: string | Uint8Array<ArrayBuffer>, contentType: string) =>
      fetch(`${host.url}/en/files`, { method: 'POST', body, headers: { cookie, 'content-type': contentType } });
    expect((await post(`_csrf=${token}`, 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post('x', 'multipart/form-data; charset=utf-8')).status).toBe(400);
    const part = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const notUtf8 = Buffer.from(`${part('_csrf', token)}${part('name', '\xe9')}--x--\r\n`, 'latin1');
    expect((await post(notUtf8, 'multipart/form-data; boundary=x')).status).toBe(400);
    expect(seen).toEqual([]);
    const head = '--b\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n';
    expect((await post(`${head}${token}`, 'multipart/form-data; boundary=b')).status).toBe(400);
    const invalid = await send([['_csrf', token]]);
    expect([invalid.status, (await invalid.text()).includes('role="alert"')]).toEqual([400, true]);
    const long = await send([
      ['_csrf', token],
      ['name', 'x'.repeat(70_000)],
    ]);
    expect(long.status).toBe(400);
    expect(seen).toEqual([]);
  });

  test('a connection that breaks in the middle of a file ends the form, and the next one works', async () => {
    const { token, cookie, send } = await openForm();
    const { hostname, port } = new URL(host.url);
    const field = `--b\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${token}\r\n`;
    const file = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nhalf';
    for (let round = 0; round < 20; round += 1) {
      const socket = connect(Number(port), hostname);
      const head = `POST /en/files HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n`;
      await new Promise<void>((resolve) => socket.write(head + field + file, () => resolve()));
      socket.destroy();
    }
    // More rounds than forms are read at a time: each has given its permit back.
    await eventually(async () =>
      expect(
        (
          await send([
            ['_csrf', token],
            ['name', 'x'],
          ])
        ).status,
      ).toBe(200),
    );
    expect(seen).toHaveLength(1);
  });

  test('a client that goes on sending after its refusal is read for 16 MiB, then cut off', async () => {
    const { cookie } = await openForm();
    const { hostname, port } = new URL(host.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = new Promise<void>((resolve) => socket.once('error', () => {}).once('close', () => resolve()));
    const head = `POST /en/files HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000000\r\n\r\n`;
    socket.write(`${head}--b\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n`);
    const chunk = Buffer.alloc(1024 * kB, 'x');
    let sent = 1;
    socket.write(chunk);
    await eventually(() => {
      if (!answer.includes('403')) throw new Error(`No answer: ${answer}`);
    });
    // In turns: a chunk is sent when the server has read those before.
    while (!socket.destroyed && sent < 800) {
      await Promise.race([closed, new Promise((resolve) => socket.write(chunk, resolve))]);
      sent += 1;
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(sent).toBeGreaterThan(15);
    expect(sent).toBeLessThan(800);
  });
});
