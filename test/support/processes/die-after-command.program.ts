import { onCommand } from '../races/on-command.ts';

/**
 * Loaded before a program under test (see `dyingAfter`). Kills its process when the database has answered a command,
 * before the program reads the answer: the nth one, counted from the first that DIE_COUNT_FROM matches, or one with this
 * name. 0: before that first command is sent.
 */
const { DIE_AFTER_COMMAND: wanted = '', DIE_COUNT_FROM: first = '' } = process.env;
let count = 0;

void onCommand(
  async ({ name }, run) => {
    const isCounted = count > 0 || new RegExp(first).test(name);
    if (isCounted && wanted === '0') process.kill(process.pid, 'SIGKILL');
    const answer = await run();
    if (isCounted) count += 1;
    if (isCounted && (wanted === String(count) || name.startsWith(wanted))) process.kill(process.pid, 'SIGKILL');
    return answer;
  },
  () => new Promise(() => {}),
);
