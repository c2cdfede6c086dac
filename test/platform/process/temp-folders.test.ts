// Level: ci
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { photoJpegPath } from '#test/support/documents/build-images.ts';
import { afterEach, describe, eventually, expect, openOnce, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { upload } from '#test/support/product/customer.ts';
import { findServicePorts } from '#test/support/product/service-process.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createVisitor } from '#test/support/web/web-host.ts';

const parentName = `bluejay-${process.getuid?.()}`;

describe('the temporary files of a process that is killed', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '3600', WORK_LEASE_S: '3' } });
  const tempFolder = useTempFolders();
  /** A store that starts each response and never ends it. */
  const stalling = openOnce(async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { etag: '"stalled"', 'content-length': '1000', 'content-type': 'application/pdf' });
      if (request.method === 'HEAD') response.end();
      else response.write('%PDF-1.7\n');
    });
    return { url: `http://127.0.0.1:${await listen(server, 0)}`, close: () => closeServer(server) };
  });
  afterEach(killStartedPrograms);

  const stallingStore = () => ({ S3_ENDPOINT: stalling.url });
  const filesIn = async (folder: string) => await readdir(folder, { recursive: true }).catch(() => []);
  const fileIn = async (folder: string, pattern: RegExp) =>
    await eventually(async () => {
      const path = (await filesIn(folder)).find((name) => pattern.test(name));
      if (path === undefined) throw new Error(`no ${pattern} in ${folder}`);
      return path;
    });

  /** Sends a letter of photos, which are rendered from the disk. */
  async function sendLetter(pages: number): Promise<string> {
    const customer = await world.customer();
    const photo = await readFile(photoJpegPath);
    const about = { filename: 'photo.jpg', mimeType: 'image/jpeg' };
    const files = await Promise.all(
      Array.from({ length: pages }, async () => ({ s3Key: await upload(customer, photo, about) })),
    );
    return await customer.sendAccepted({ pages, files });
  }

  /** Requests a page preview from an API process, which never arrives. */
  async function askForPreview(webPort: string): Promise<void> {
    const mailJobId = await sendLetter(1);
    const { organizationId } = await MailJob.findById(mailJobId).orFail().lean();
    const printFile = { s3Key: 'p/a', sha256: 'a', sizeBytes: 2_000_000, pageCount: 1, renderedAt: new Date() };
    await MailJob.updateOne({ _id: mailJobId }, { $set: { printFile }, $unset: { 'due.render': '' } });
    const user = { email: 'reader@example.com', password: 'correct horse battery' };
    await createUser({ organizationId, ...user, isAdmin: false, address: '192.0.2.1' }, new Date());
    const visitor = createVisitor(`http://127.0.0.1:${webPort}`);
    await visitor.signIn(user);
    visitor.get(`/en/account/letters/${mailJobId}/pages/1`).catch(() => {});
  }

  test('the files of a killed worker and a killed API are removed by the next start', async () => {
    const folder = await tempFolder();
    const environment = { ...world.environment, TMPDIR: folder };
    const worker = await startProductProcess('workers/main.ts', environment);
    await sendLetter(20);
    await fileIn(folder, /parts-[^/]+\/child-/);
    worker.kill('SIGKILL');
    await worker.ended;
    await fileIn(folder, /parts-/);
    const ports = await findServicePorts();
    const api = await startProductProcess('api/server.ts', { ...environment, ...ports, ...stallingStore() });
    expect((await filesIn(folder)).filter((path) => path.includes('render-'))).toEqual([]);
    await askForPreview(ports.WEB_PORT);
    await fileIn(folder, /print\.pdf/);
    api.kill('SIGKILL');
    await api.ended;
    await fileIn(folder, /print\.pdf/);

    await startProductProcess('workers/main.ts', { ...environment, WORKERS: 'cleanup' });
    const own = new RegExp(`^${parentName}/[^/]+$`);
    expect((await filesIn(folder)).filter((path) => path !== parentName && !own.test(path))).toEqual([]);
    expect((await filesIn(folder)).filter((path) => path.endsWith('.alive'))).toHaveLength(1);
  });

  test('a starting process keeps the files of a living one', async () => {
    const folder = await tempFolder();
    const environment = { ...world.environment, TMPDIR: folder };
    const rendering = { ...environment, ...stallingStore(), WORKERS: 'render,scanner' };
    await startProductProcess('workers/main.ts', rendering);
    await sendLetter(1);
    const source = await fileIn(folder, /source-0/);
    // The worker itself removes the source when it gives up the download, so a file of the test stands for it.
    const own = source.split('/').slice(0, 2).join('/');
    await writeFile(join(folder, own, 'kept'), '');
    await Promise.all([
      startProductProcess('api/server.ts', { ...environment, PORT: '0' }),
      startProductProcess('workers/main.ts', { ...environment, WORKERS: 'cleanup' }),
    ]);
    expect(await filesIn(folder)).toEqual(expect.arrayContaining([own, `${own}.alive`, `${own}/kept`]));
  });

  test('a start fails and names the path when the temporary folder is a link', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, parentName));
    const starting = startProductProcess('workers/main.ts', { ...world.environment, TMPDIR: folder });
    await expect(starting).rejects.toThrow(`${join(folder, parentName)} is not a folder of this user`);
  });

  test('a start fails with advice when the path of TMPDIR is too long', async () => {
    const folder = join(await tempFolder(), 'long'.repeat(20));
    await mkdir(folder);
    const starting = startProductProcess('workers/main.ts', { ...world.environment, TMPDIR: folder });
    await expect(starting).rejects.toThrow('Set TMPDIR to a folder on a local disk, with a path of at most 60 bytes.');
  });
});
