import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { eventually, findProgram, guardMs, openOnce, testWithPrograms } from '#test/support/jest.ts';
import { startTestCupsd } from './test-cupsd.ts';
import { startTestPrinter } from './test-printer.ts';

const programs = ['cupsd', 'lpadmin', 'ippeveprinter', 'dbus-daemon'];

type Options = { maxJobs?: number };
type PrintSystem = Awaited<ReturnType<typeof startPrintSystem>>;

/** As `test`, for tests with a print system. Without its programs they are skipped, in CI they fail. */
export const testPrinting = testWithPrograms(...programs);

/** Opens a print system for the tests of a file, which are declared with `testPrinting`. */
export function openPrintSystem(options: Options = {}): PrintSystem {
  const isThere = programs.every((program) => findProgram(program) !== undefined);
  return openOnce(async () => (isThere ? await startPrintSystem(options) : ({} as PrintSystem)));
}

/** Starts a printer and a cupsd with a queue for it. */
async function startPrintSystem({ maxJobs = 500 }: Options) {
  // Without spaces: cupsd does not take them in its paths.
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-print-'));
  // cupsd runs its programs as another user when it is started by root.
  await chmod(folder, 0o755);
  const keeper = await startKeeper();
  const close = async () => {
    await keeper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const printer = await startTestPrinter(keeper, folder);
    const cupsd = await startTestCupsd(keeper, folder, { printerUri: printer.uri, maxJobs });
    // cupsd takes jobs for a new queue a moment before it knows what its printer supports.
    const client = createCupsPrinter({ uri: cupsd.uri, timeoutMs: guardMs });
    const requireReady = async () => {
      const { lacks } = await client.check();
      if (lacks.length > 0) throw new Error(`the queue lacks ${lacks.join(', ')}`);
    };
    await eventually(requireReady);
    return { printer, cupsd, close };
  } catch (error) {
    await close();
    throw error;
  }
}
