// @ts-expect-error It comes without types.
import lightRunner from 'jest-light-runner';
import Tinypool from 'tinypool';

type Listener = (message: unknown) => void;
type Channel = { onMessage(listener: Listener): void; postMessage(message: unknown): void };

const run = Tinypool.prototype.run;

/**
 * Gives each test process a channel of its own. jest-light-runner 0.8.2 shares one: when the first process asks for its
 * configuration, all that have a task get it, and it is not sent again. A process that is still starting ignores it,
 * asks later, and waits for ever.
 */
Tinypool.prototype.run = function (this: Tinypool, task, options) {
  const shared = options?.channel as Channel | undefined;
  if (!shared) return run.call(this, task, options);
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
  return run.call(this, task, { ...options, channel });
};

// biome-ignore lint/style/noDefaultExport: jest takes the runner from the default export.
export default lightRunner;
