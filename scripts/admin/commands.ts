import type { AnyAdminCommand } from './command.ts';
import type { ListedCommand } from './parse-command-line.ts';

/** A module of commands, and what help shows of them before the module is loaded. */
type CommandModule = { listed: readonly ListedCommand[]; load(): Promise<readonly AnyAdminCommand[]> };

/** Help lists a group by its verbs alone. */
const group = (noun: string, ...verbs: string[]) => verbs.map((verb) => ({ name: `${noun} ${verb}` }));

/** All admin commands, in the order of the help text. A module loads most of the product. */
const modules: readonly CommandModule[] = [
  {
    listed: [{ name: 'overview', summary: 'show what is paused, what is due, and what needs a person' }],
    load: async () => (await import('./operations/overview.ts')).overviewCommands,
  },
  {
    listed: group('org', 'create', 'show', 'rotate-job-webhook-secret'),
    load: async () => (await import('./commands/org.ts')).orgCommands,
  },
  {
    listed: group('org', 'set-limit', 'limits'),
    load: async () => (await import('./operations/org-limits.ts')).orgLimitCommands,
  },
  {
    listed: group('key', 'create', 'revoke'),
    load: async () => (await import('./commands/key.ts')).keyCommands,
  },
  {
    listed: group('wallet', 'top-up', 'adjust', 'set-threshold', 'show'),
    load: async () => (await import('./commands/wallet.ts')).walletCommands,
  },
  {
    listed: group('tariff', 'import', 'list', 'remove'),
    load: async () => (await import('./commands/tariff.ts')).tariffCommands,
  },
  {
    listed: group('client', 'create', 'list', 'rotate-secret', 'set-limit', 'disable'),
    load: async () => (await import('./commands/client.ts')).clientCommands,
  },
  {
    listed: group('user', 'create'),
    load: async () => (await import('./commands/user.ts')).userCommands,
  },
  {
    listed: group('mail', 'set-status'),
    load: async () => (await import('./commands/mail.ts')).mailCommands,
  },
  {
    listed: group('batch', 'list', 'show', 'mark-printed', 'mark-posted', 'print-again'),
    load: async () => (await import('./commands/press-batch.ts')).batchCommands,
  },
  {
    listed: group('item', 'show', 'mark', 'reprint'),
    load: async () => (await import('./commands/press-item.ts')).itemCommands,
  },
  {
    listed: group('batch', 'close'),
    load: async () => (await import('./commands/close-batches.ts')).closeBatchesCommands,
  },
  {
    listed: group('tracking', 'record', 'receipts'),
    load: async () => (await import('./commands/tracking.ts')).trackingCommands,
  },
  {
    listed: group('tracking', 'add-range', 'ranges', 'assign', 'close-range', 'skip'),
    load: async () => (await import('./commands/tracking-ranges.ts')).trackingRangeCommands,
  },
  {
    listed: group('item', 'returned'),
    load: async () => (await import('./commands/returns.ts')).returnCommands,
  },
  {
    listed: group('secrets', 'reseal'),
    load: async () => (await import('./commands/secrets.ts')).secretsCommands,
  },
  {
    listed: [{ name: 'migrate', summary: 'migrate the database to the schema of this version; safe to repeat' }],
    load: async () => (await import('./commands/migrate.ts')).migrateCommands,
  },
  {
    listed: group('backup', 'create', 'check', 'restore', 'settle', 'record'),
    load: async () => (await import('./commands/recovery/backup.ts')).backupCommands,
  },
  {
    listed: group('backup', 'compare'),
    load: async () => (await import('./commands/recovery/compare.ts')).compareCommands,
  },
  {
    listed: [
      {
        name: 'pause',
        summary: 'let render, dispatch (handing batches to the press) or webhooks wait until they are resumed',
      },
      {
        name: 'resume',
        summary: 'end a pause; all ends that of drain',
      },
      {
        name: 'drain',
        summary:
          'pause all work and wait until none is in progress, before maintenance of the stores; end it by resume all',
      },
      {
        name: 'requeue',
        summary: 'after a repair, make failed work that waits for a retry due now and reset its attempts',
      },
    ],
    load: async () => (await import('./operations/control.ts')).controlCommands,
  },
];

/** Loads all commands. */
export async function loadCommands(): Promise<readonly AnyAdminCommand[]> {
  return (await Promise.all(modules.map(({ load }) => load()))).flat();
}

/** Loads the commands that these words may name. Of the others it returns what the list of all commands says. */
export async function loadNamedCommands(
  words: readonly string[],
): Promise<readonly (AnyAdminCommand | ListedCommand)[]> {
  const isNamed = ({ listed }: CommandModule) =>
    listed.some(({ name = '' }) => words.includes(name.split(' ')[0] ?? ''));
  return (await Promise.all(modules.map((each) => (isNamed(each) ? each.load() : each.listed)))).flat();
}
