import { resolve } from 'node:path';
import { Command } from 'commander';
import { readConfig, readSecrets } from '#common/config/config.ts';
import { OperatorError } from './program/operator-error.ts';
import { runProgram } from './program/run-program.ts';
import type { Service } from './supervisor/run-service.ts';
import { supervise } from './supervisor/supervise.ts';
import { describeTimeSince, shorten, terminal } from './supervisor/terminal.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type StartOptions = { demo: boolean; download: boolean };

/** `npm start` starts everything, restarts what ends, and stops it in order at a signal. */
async function start({ demo, download }: StartOptions): Promise<number> {
  const startMs = performance.now();
  const given = readSecrets(process.env);
  const dataDir = resolve(given.DATA_DIR?.trim() ?? '.data');
  const stopping = new AbortController();
  const held = new AsyncDisposableStack();
  const stopped = waitForStop('start', () => terminal.note('Still stopping, for at most half a minute …'));
  try {
    // Not a static import: an unknown option and a secret without its file need none of the stores' libraries.
    const { runService } = await import('./supervisor/run-service.ts');
    const serving = runService({ given, dataDir, allowDownload: download }, held).then((service) =>
      serve(service, { dataDir, demo, isOwnDatabase: !given.MONGODB_URI, startMs, stopping }),
    );
    const reason = await Promise.race([stopped, serving]);
    stopping.abort();
    terminal.note(`\nStopping (${reason}) …`);
    await held.disposeAsync();
    terminal.note('Stopped.');
    return process.exitCode === 1 ? 1 : 0;
  } catch (error) {
    stopping.abort();
    await held.disposeAsync();
    throw error;
  }
}

type ServeOptions = {
  dataDir: string;
  demo: boolean;
  /** Whether `npm start` runs MongoDB itself. */
  isOwnDatabase: boolean;
  startMs: number;
  stopping: AbortController;
};

/** Prints where everything is, sends the demo letters, and supervises all programs. Rejects when one keeps ending. */
async function serve(service: Service, options: ServeOptions): Promise<never> {
  const { demo, isOwnDatabase, stopping } = options;
  describeService(service, options);
  process.stdout.write('ready\n');
  const supervision = { stopping: stopping.signal, report: terminal.warn };
  const supervised = service.programs.map((program) => supervise(program, supervision));
  if (demo && isOwnDatabase) void runDemo(service, stopping.signal);
  const lost = service.lost.then(() => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    throw new OperatorError('The keeper process of the servers was killed, so everything was stopped. Start again.');
  });
  await Promise.all([lost, ...supervised]);
  return new Promise(() => {});
}

function describeService({ environment }: Service, { dataDir, isOwnDatabase, startMs }: ServeOptions): void {
  const { http } = readConfig(environment);
  terminal.print(
    [
      '',
      `Bluejay serves, ${describeTimeSince(startMs)} after the start.`,
      '',
      `  API        ${http.baseUrl}   (its documentation: ${http.baseUrl}/docs)`,
      `  Web host   ${http.authUrl}`,
      `  Metrics    http://localhost:${http.metricsPort}/metrics`,
      `  Data       ${shorten(dataDir)}   (logs in ${shorten(dataDir)}/logs)`,
      ...(isOwnDatabase ? [`  Demo keys  . ${shorten(dataDir)}/demo.env`] : []),
      '  Stop       Ctrl-C',
      '',
    ].join('\n'),
  );
}

async function runDemo({ environment }: Service, stopping: AbortSignal): Promise<void> {
  try {
    const { sendDemoLetter } = await import('./demo-letter.ts');
    await sendDemoLetter(environment);
  } catch (error) {
    if (stopping.aborted) return;
    process.exitCode = 1;
    terminal.fail(`THE DEMONSTRATION LETTER FAILED: ${error instanceof Error ? error.message : String(error)}`);
    terminal.fail('The service keeps running. See its logs; npm start -- --no-demo skips the letters.');
  }
}

const command = new Command('npm start --')
  .description('Starts Bluejay with everything it needs and keeps it running until Ctrl-C.')
  .option('--no-demo', 'send no demonstration letters')
  .option('--no-download', 'use only servers that are already on this machine')
  .addHelpText('after', '\nThe environment variables are explained in .env.example.')
  .allowExcessArguments(false)
  .parse();
await runProgram(() => start(command.opts<StartOptions>()));
