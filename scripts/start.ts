import { resolve } from 'node:path';
import { Command } from 'commander';
import { readConfig } from '../common/config.ts';
import { sendDemoLetter } from './demo-letter.ts';
import { OperatorError } from './operator-error.ts';
import { runProgram } from './run-program.ts';
import { runService, type Service, type ServiceHold } from './supervisor/run-service.ts';
import { supervise } from './supervisor/supervise.ts';
import { describeTimeSince, shorten, terminal } from './supervisor/terminal.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type StartOptions = { demo: boolean; download: boolean };

/** `npm start`: brings everything up, keeps it up, and takes it down in order when asked to. */
async function start({ demo, download }: StartOptions): Promise<number> {
  const startMs = performance.now();
  const dataDir = resolve(process.env.DATA_DIR?.trim() || '.data');
  const stopping = new AbortController();
  let held: ServiceHold | undefined;
  const hold = (newHold: ServiceHold): void => {
    held = newHold;
  };
  const stopped = waitForStop('start', () => terminal.note('Still stopping; half a minute at most …'));
  try {
    const serving = runService({ given: process.env, dataDir, allowDownload: download }, hold).then((service) =>
      serve(service, { dataDir, demo, startMs, stopping }),
    );
    const reason = await Promise.race([stopped, serving]);
    stopping.abort();
    terminal.note(`\nStopping (${reason}) …`);
    await held?.close();
    terminal.note('Stopped.');
    return process.exitCode === 1 ? 1 : 0;
  } catch (error) {
    stopping.abort();
    await held?.close();
    throw error;
  }
}

type ServeOptions = { dataDir: string; demo: boolean; startMs: number; stopping: AbortController };

/** Says where everything is, sends the demonstration letter, and keeps all programs alive. Rejects when one keeps dying. */
async function serve(service: Service, { dataDir, demo, startMs, stopping }: ServeOptions): Promise<never> {
  const isDemoWanted = demo && !process.env.MONGODB_URI;
  describeService(service, dataDir, startMs);
  process.stdout.write('ready\n');
  const options = { stopping: stopping.signal, report: terminal.warn };
  const supervised = service.programs.map((program) => supervise(program, options));
  if (isDemoWanted) void runDemo(service, stopping.signal);
  const lost = service.lost.then(() => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    throw new OperatorError('The process that keeps the servers was killed, so everything was stopped. Start again.');
  });
  await Promise.all([lost, ...supervised]);
  return new Promise(() => {});
}

function describeService({ environment }: Service, dataDir: string, startMs: number): void {
  const { http } = readConfig(environment);
  const isOwnDatabase = !process.env.MONGODB_URI;
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
    await sendDemoLetter(environment);
  } catch (error) {
    if (stopping.aborted) return;
    process.exitCode = 1;
    terminal.fail(`THE DEMONSTRATION LETTER FAILED: ${error instanceof Error ? error.message : String(error)}`);
    terminal.fail('The service goes on. Its logs tell more; npm start -- --no-demo leaves the letter out.');
  }
}

const command = new Command('npm start --')
  .description('Starts Bluejay with everything it needs and keeps it running until Ctrl-C.')
  .option('--no-demo', 'send no demonstration letter')
  .option('--no-download', 'use only servers that are on this machine already')
  .addHelpText('after', '\nThe environment variables are explained in .env.example.')
  .allowExcessArguments(false)
  .parse();
await runProgram(() => start(command.opts<StartOptions>()));
