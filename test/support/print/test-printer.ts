import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Keeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { findFreePort, probePort } from '#scripts/local-servers/ports.ts';
import { eventually } from '#test/support/jest.ts';
import { startKept } from './kept-server.ts';

/** What the printer got with a document. */
export type Print = { name: string; sides: string; media: string; colorMode: string; pdf: Buffer };

/** Starts a printer of IPP Everywhere (ippeveprinter) that prints PDFs in colour on both sides into a folder. */
export async function startTestPrinter(keeper: Keeper, folder: string) {
  const printedTo = join(folder, 'printed');
  const spool = join(folder, 'printer-spool');
  await Promise.all([mkdir(printedTo), mkdir(spool)]);
  const bus = await startBus(keeper, folder);
  const port = await findFreePort();
  const script = join(import.meta.dirname, 'printer.script.sh');
  const args = [
    '-r',
    'off',
    '-2',
    '-s',
    '10,10',
    '-p',
    String(port),
    '-n',
    'localhost',
    '-d',
    spool,
    '-f',
    'application/pdf',
  ];
  const server = await startKept(
    keeper,
    {
      ...{ name: 'ippeveprinter', command: 'ippeveprinter', args: [...args, '-c', script, 'Letters'], folder },
      environment: { DBUS_SYSTEM_BUS_ADDRESS: bus, PRINTED_TO: printedTo, HOME: folder },
    },
    () => requireListening(port),
  );
  const hold = join(printedTo, 'hold');
  return {
    ...server,
    uri: `ipp://localhost:${port}/ipp/print`,
    /** Makes the printer abort the next job. */
    failNext: () => writeFile(join(printedTo, 'fail-next'), ''),
    /** Keeps the printer from ending a job. Returns a function that ends that. */
    async hold(): Promise<() => Promise<void>> {
      await writeFile(hold, '');
      return () => rm(hold);
    },
    /** Returns what was printed, in no particular order. */
    async prints(): Promise<Print[]> {
      const names = (await readdir(printedTo)).filter((name) => name.endsWith('.txt'));
      return Promise.all(
        names.map(async (file) => {
          const lines = (await readFile(join(printedTo, file), 'utf8')).split('\n');
          const [name = '', sides = '', media = '', colorMode = ''] = lines;
          const pdf = await readFile(join(printedTo, file.replace('.txt', '.pdf')));
          return { name, sides, media, colorMode, pdf };
        }),
      );
    },
  };
}

/** Starts the private bus without which ippeveprinter ends at once. Returns its address. */
async function startBus(keeper: Keeper, folder: string): Promise<string> {
  const address = `unix:path=${join(folder, 'bus')}`;
  const config = join(folder, 'bus.conf');
  await writeFile(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy>
</busconfig>
`,
  );
  const args = ['--config-file', config, '--nofork', '--nopidfile'];
  await startKept(keeper, { name: 'dbus-daemon', command: 'dbus-daemon', args, folder }, () =>
    eventually(async () => {
      if (!(await readdir(folder)).includes('bus')) throw new Error('dbus-daemon does not listen');
    }),
  );
  return address;
}

/** Waits until something listens on a loopback port. */
export async function requireListening(port: number): Promise<void> {
  await eventually(async () => {
    if (!(await probePort(port))) throw new Error(`nothing listens on port ${port}`);
  });
}
