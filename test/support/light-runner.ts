import { join } from 'node:path';
// @ts-expect-error It comes without types.
import lightRunner from 'jest-light-runner';
import Tinypool from 'tinypool';
import { hangMessage } from './hang-message.ts';

type Listener = (message: unknown) => void;
type Channel = { onMessage(listener: Listener): void; postMessage(message: unknown): void };
type FileResult = { failureMessage?: string | null } | undefined;

const run = Tinypool.prototype.run;
const filename = join(import.meta.dirname, 'measured-runner.ts');

/**
 * Gives each test process a channel of its own. jest-light-runner 0.8.2 shares one: when the first process asks for its
 * configuration, all that have a task get it, and it is not sent again. A process that is still starting ignores it,
 * asks later, and waits for ever. Each file is measured, and a process in which a test hung is replaced: what that test
 * began may go on there.
 */
Tinypool.prototype.run = async function (this: Tinypool, task, options) {
  const shared = options?.channel as Channel | undefined;
  if (!shared) return await run.call(this, task, options);
  let own: Listener | undefined;
  const channel: Channel = {
    onMessage: (listener) => {
      own = listener;
    },
    postMessage(message) {
      if (own) shared.onMessage(own);
      shared.postMessage(message);
    },
  };
  const result: FileResult = await run.call(this, task, { ...options, channel, filename });
  if (result?.failureMessage?.includes(hangMessage)) await this.recycleWorkers();
  return result;
};

// biome-ignore lint/style/noDefaultExport: jest takes the runner from the default export.
export default lightRunner;
