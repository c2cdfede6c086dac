import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Keeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { guardMs } from '../jest.ts';
import { startKept } from './kept-server.ts';
import { requireListening } from './test-printer.ts';

const queue = 'letters';
const folders = ['root', 'cache', 'state', 'spool', 'spool/tmp'];

export type CupsdOptions = {
  /** The printer behind the queue. */
  printerUri: string;
  /** MaxJobs of cupsd. */
  maxJobs: number;
};

/** Starts a cupsd whose files are all in the folder, with one queue. */
export async function startTestCupsd(keeper: Keeper, folder: string, { printerUri, maxJobs }: CupsdOptions) {
  for (const name of folders) await mkdir(join(folder, name), { recursive: true });
  const port = await findFreePort();
  await writeFile(join(folder, 'cupsd.conf'), cupsdConf(port, maxJobs));
  await writeFile(join(folder, 'cups-files.conf'), cupsFilesConf(folder));
  // Without cups-filters nothing else lets a PDF pass to the printer as it is.
  await writeFile(join(folder, 'root/local.convs'), 'application/pdf application/vnd.cups-pdf 10 -\n');
  const args = ['-f', '-c', join(folder, 'cupsd.conf'), '-s', join(folder, 'cups-files.conf')];
  const server = await startKept(keeper, { name: 'cupsd', command: 'cupsd', args, folder }, () =>
    requireListening(port),
  );
  const run = async (command: string, ...params: string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder, CUPS_SERVER: `127.0.0.1:${port}` };
    await promisify(execFile)(command, params, { env, timeout: guardMs });
  };
  await run('lpadmin', '-p', queue, '-v', printerUri, '-m', 'everywhere', '-E');
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    uri: `ipp://127.0.0.1:${port}/printers/${queue}`,
    /** Whether a job with this name is on the disk. cupsd forgets other jobs when it is killed. */
    async isSaved(name: string): Promise<boolean> {
      const spool = join(folder, 'spool');
      const files = (await readdir(spool)).filter((file) => /^c\d+$/.test(file));
      const contents = await Promise.all(files.map((file) => readFile(join(spool, file))));
      return contents.some((content) => content.includes(name));
    },
    /** Keeps the queue from printing. It still takes jobs. */
    pause: () => run('cupsdisable', queue),
    resume: () => run('cupsenable', queue),
    /** Keeps the queue from taking jobs. */
    reject: () => run('cupsreject', queue),
    /** Makes it take jobs again. */
    accept: () => run('cupsaccept', queue),
  };
}

/** DirtyCleanInterval 0 saves jobs soon after cupsd has accepted them, but not before its answer. */
function cupsdConf(port: number, maxJobs: number): string {
  return `Listen 127.0.0.1:${port}
Browsing Off
DefaultAuthType None
DirtyCleanInterval 0
PreserveJobHistory Yes
PreserveJobFiles No
MaxJobs ${maxJobs}
JobRetryInterval 1
ErrorPolicy retry-job
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  JobPrivateAccess default
  JobPrivateValues default
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`;
}

function cupsFilesConf(folder: string): string {
  const isRoot = process.getuid?.() === 0;
  return `ServerRoot ${folder}/root
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/state
AccessLog ${folder}/access.log
ErrorLog ${folder}/error.log
PageLog ${folder}/page.log
Sandboxing relaxed
${isRoot ? 'User lp\nGroup lp\nSystemGroup root\n' : ''}`;
}
