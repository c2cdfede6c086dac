import { resolve } from 'node:path';
import { Command } from 'commander';
import { newWebhookSecret } from '../common/secrets.ts';
import { demoEnvironmentFile, readDemoEnvironment } from './demo/demo-environment.ts';
import { OperatorError } from './program/operator-error.ts';
import { runProgram } from './program/run-program.ts';
import { describeForwarded, followEvents } from './sdk/typescript/src/cli/listen/follow-events.ts';
import { Refusal } from './sdk/typescript/src/cli/program/failure.ts';
import { shorten, terminal } from './supervisor/terminal.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type ListenOptions = { forward: string; key?: string; url?: string; secret?: string };

/** `npm run listen` posts a key's events to a local URL like webhook deliveries, until Ctrl-C. */
async function listen(options: ListenOptions): Promise<number> {
  const forwardUrl = readAddress('--forward', options.forward);
  const { apiUrl, key } = await findService(options);
  const secret = options.secret ?? newWebhookSecret();
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw new OperatorError('--secret must be whsec_ followed by base64.');

  terminal.print(`Events of ${apiUrl} go to ${forwardUrl}, signed with`);
  terminal.print(`WEBHOOK_SECRET=${secret}`);
  const stopping = new AbortController();
  const stopped = waitForStop('listen', () => process.exit(1)).then(() => stopping.abort());
  const following = followEvents({
    ...{ apiUrl, key, forwardUrl, secret, signal: stopping.signal, note: terminal.note },
    onForwarded: (event, answer) => terminal.print(describeForwarded(event, answer)),
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? new OperatorError(error.message) : error;
  });
  await Promise.race([following, stopped]);
  terminal.note('Stopped.');
  return 0;
}

/** Returns URL and key from the options, the environment or the demo data of `npm start`, in this order. */
async function findService({ url, key }: ListenOptions): Promise<{ apiUrl: string; key: string }> {
  const dataDir = resolve(process.env.DATA_DIR?.trim() || '.data');
  const demo = await readDemoEnvironment(dataDir);
  const apiUrl = url ?? (process.env.BLUEJAY_URL?.trim() || demo.BLUEJAY_URL);
  const foundKey = key ?? (process.env.BLUEJAY_TEST_KEY?.trim() || demo.BLUEJAY_TEST_KEY);
  if (!apiUrl || !foundKey) {
    const missing = apiUrl ? 'key: give --key or BLUEJAY_TEST_KEY' : 'address: give --url or BLUEJAY_URL';
    const file = shorten(demoEnvironmentFile(dataDir));
    throw new OperatorError(`There is no ${missing}. The defaults come from ${file}, which npm start writes.`);
  }
  return { apiUrl: readAddress('--url', apiUrl), key: foundKey };
}

function readAddress(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OperatorError(`${option} must be a URL such as http://localhost:8080/hook, not "${text}".`);
  }
  return url.href;
}

const command = new Command('npm run listen --')
  .description("Posts a key's events, signed like webhook deliveries, to a URL on this machine.")
  .requiredOption('--forward <url>', 'where to post them, such as http://localhost:8080/hook')
  .option('--key <key>', 'an API key with the scope read; default BLUEJAY_TEST_KEY')
  .option('--url <url>', 'the URL of the API; default BLUEJAY_URL')
  .option('--secret <secret>', 'the signing secret whsec_…; by default a new one for this run')
  .addHelpText('after', '\nKey and URL default to the environment, then to DATA_DIR/demo.env, which npm start writes.')
  .allowExcessArguments(false)
  .parse();
await runProgram(() => listen(command.opts<ListenOptions>()));
