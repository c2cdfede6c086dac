import { resolve } from 'node:path';
import { Command } from 'commander';
import { newWebhookSecret } from '../common/secrets.ts';
import { demoEnvironmentFile, readDemoEnvironment } from './demo/demo-environment.ts';
import { followEvents } from './listen/follow-events.ts';
import { OperatorError } from './operator-error.ts';
import { runProgram } from './run-program.ts';
import { shorten, terminal } from './supervisor/terminal.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type ListenOptions = { forward: string; key?: string; url?: string; secret?: string };

/** `npm run listen`: a key's events, posted to a local address as to a webhook, until Ctrl-C. */
async function listen(options: ListenOptions): Promise<number> {
  const forwardUrl = readAddress('--forward', options.forward);
  const { apiUrl, key } = await findService(options);
  const secret = options.secret ?? newWebhookSecret();
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw new OperatorError('--secret must look like whsec_… in base64.');

  terminal.print(`Events of ${apiUrl} go to ${forwardUrl}, signed with`);
  terminal.print(`WEBHOOK_SECRET=${secret}`);
  const stopping = new AbortController();
  const stopped = waitForStop('listen', () => process.exit(1)).then(() => stopping.abort());
  const print = terminal.print;
  const following = followEvents({
    apiUrl,
    key,
    forwardUrl,
    secret,
    signal: stopping.signal,
    print,
    note: terminal.note,
  });
  await Promise.race([following, stopped]);
  terminal.note('Stopped.');
  return 0;
}

/** What is given, else what the environment says, else the demonstration data of `npm start`. */
async function findService({ url, key }: ListenOptions): Promise<{ apiUrl: string; key: string }> {
  const dataDir = resolve(process.env.DATA_DIR?.trim() || '.data');
  const demo = await readDemoEnvironment(dataDir);
  const apiUrl = url ?? (process.env.BLUEJAY_URL?.trim() || demo.BLUEJAY_URL);
  const foundKey = key ?? (process.env.BLUEJAY_TEST_KEY?.trim() || demo.BLUEJAY_TEST_KEY);
  if (!apiUrl || !foundKey) {
    const missing = apiUrl ? 'key: give --key or BLUEJAY_TEST_KEY' : 'address: give --url or BLUEJAY_URL';
    const file = shorten(demoEnvironmentFile(dataDir));
    throw new OperatorError(`There is no ${missing}. Without them they come from ${file}, which npm start writes.`);
  }
  return { apiUrl: readAddress('--url', apiUrl), key: foundKey };
}

function readAddress(option: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OperatorError(`${option} must be an address such as http://localhost:8080/hook, not "${text}".`);
  }
  return url.href;
}

const command = new Command('npm run listen --')
  .description("Receives a key's events and posts them, signed like a webhook's, to an address of this machine.")
  .requiredOption('--forward <url>', 'where to post them, such as http://localhost:8080/hook')
  .option('--key <key>', 'an API key with the scope read; else BLUEJAY_TEST_KEY')
  .option('--url <url>', 'the address of the API; else BLUEJAY_URL')
  .option('--secret <secret>', 'whsec_…, which signs them; else one is made for this run')
  .addHelpText(
    'after',
    '\nWhat is not given and not in the environment comes from DATA_DIR/demo.env, as npm start writes it.',
  )
  .allowExcessArguments(false)
  .parse();
await runProgram(() => listen(command.opts<ListenOptions>()));
