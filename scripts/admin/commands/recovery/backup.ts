import { resolve } from 'node:path';
import { z } from 'zod';
import { recordBackup } from '#common/operations/backup-age.ts';
import { type AdminServices, argument, defineCommand, describeFields, option } from '#scripts/admin/command.ts';
import { wholeNumber } from '#scripts/admin/option.schema.ts';
import { checkBackup } from '#scripts/backup/check-backup.ts';
import { createBackup } from '#scripts/backup/create-backup.ts';
import { holdingBackups } from '#scripts/backup/holding-backups.ts';
import { removeOldBackups } from '#scripts/backup/remove-old-backups.ts';
import { restoreBackup } from '#scripts/backup/restore-backup.ts';
import { type SettledRestore, settleRestored } from '#scripts/backup/settle-restored.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { describeList } from './describe-list.ts';

const path = z.string().min(1);
const withoutObjects = option(
  '--without-objects',
  'leave the bucket to the tools of its store',
  z.boolean().optional(),
);

async function withStoreUnless<Result>(
  isLeftOut: boolean | undefined,
  { withStore }: AdminServices,
  work: (store: Parameters<Parameters<AdminServices['withStore']>[0]>[0] | null) => Promise<Result>,
): Promise<Result> {
  return isLeftOut ? await work(null) : await withStore(work);
}

const create = defineCommand({
  name: 'backup create',
  summary: 'back up the database and the bucket while the service runs',
  fields: {
    to: option('--to <folder>', 'the folder of all backups; later ones copy only new objects', path),
    keep: option(
      '--keep <number>',
      'remove all but this many of the newest backups afterwards: 1 to 1000',
      wholeNumber(1, 1_000).optional(),
    ),
    withoutObjects,
  },

  async run({ to, keep, withoutObjects: isLeftOut }, services) {
    const { keyRing, clock, log, workingDir } = services;
    const root = resolve(workingDir, to);
    return await holdingBackups(log, async (isStillAlone) => {
      const created = await withStoreUnless(isLeftOut, services, (store) =>
        createBackup({ root, store, keyRing, clock }),
      );
      // An older backup may have what this one has lost.
      if (keep === undefined || (created.objects?.lost.length ?? 0) > 0) return { ...created, removed: null };
      if (!(await isStillAlone())) {
        throw new OperatorError(
          `The backup ${created.folder} is complete. No old one was removed, because another backup may have begun meanwhile. The next one removes them.`,
        );
      }
      return { ...created, removed: await removeOldBackups(root, { keep, at: clock.now() }) };
    });
  },
  hasFailed: ({ objects }) => (objects?.lost.length ?? 0) > 0,
  describe({ folder, rows, sizeBytes, seconds, snapshotSeconds, snapshotWindowSeconds, objects, removed }) {
    const window = snapshotWindowSeconds === null ? '' : ` of the ${snapshotWindowSeconds} s that it keeps a snapshot`;
    const lines = [
      describeFields({
        Backup: folder,
        Rows: `${rows}, ${sizeBytes} bytes`,
        ...(objects && { Objects: `${objects.count}, of which ${objects.copied} are new` }),
        Took: `${seconds} s`,
        'Read the database for': `${snapshotSeconds} s${window}`,
        ...(removed && { Removed: `${removed.backups} old backups, ${removed.objects} objects` }),
      }),
    ];
    if (snapshotWindowSeconds !== null && snapshotSeconds > snapshotWindowSeconds / 2) {
      lines.push('Raise minSnapshotHistoryWindowInSeconds of MongoDB: a slower backup would fail.');
    }
    const lost = objects?.lost ?? [];
    if (lost.length > 0)
      lines.push(
        `Letters need objects that the bucket does not have. No older backup was removed, because it may have them. This one was not recorded for the alert on its age:\n${lost.join('\n')}`,
      );
    return lines.join('\n');
  },
});

const backupFolder = argument('the folder of one backup, such as backups/20260504T130000Z', path);

const check = defineCommand({
  name: 'backup check',
  summary: 'read every file of a backup, and prove that ENCRYPTION_KEYS fit it; restores nothing',
  fields: { folder: backupFolder },
  runsUnmigrated: true,

  async run({ folder }, { keyRing, workingDir }) {
    const { startedAt, collections, objects, keys } = await checkBackup(resolve(workingDir, folder), keyRing);
    const rows = collections.reduce((total, each) => total + each.rows, 0);
    return { takenAt: startedAt, rows, objects: objects.count, keys: keys.map(({ id }) => id) };
  },
  describe: ({ takenAt, rows, objects, keys }) =>
    `The backup of ${takenAt} is complete: ${rows} rows, ${objects} objects. These keys fit: ${keys.join(', ')}.`,
});

const restore = defineCommand({
  name: 'backup restore',
  summary: 'restore a backup into an empty database and the bucket; API and workers must not run',
  fields: {
    folder: backupFolder,
    withoutObjects,
    intoUsedBucket: option(
      '--into-used-bucket',
      'the bucket may have objects, which those of the backup replace; never in a drill',
      z.boolean().optional(),
    ),
  },
  runsUnmigrated: true,

  async run({ folder, withoutObjects: isLeftOut, intoUsedBucket = false }, services) {
    const { keyRing, clock, actor, log, workingDir } = services;
    return await withStoreUnless(isLeftOut, services, (store) =>
      restoreBackup({ folder: resolve(workingDir, folder), store, intoUsedBucket, keyRing, clock, actor, log }),
    );
  },
  describe: ({ takenAt, rows, objects, seconds, ...settled }) =>
    [
      `Restored ${rows} rows as they were at ${takenAt}, in ${seconds} s.`,
      ...(objects ? [`Objects: ${objects.count}, of which the bucket did not have ${objects.stored}.`] : []),
      ...describeSettled(settled),
    ].join('\n'),
});

const settle = defineCommand({
  name: 'backup settle',
  summary: 'after a restore by other tools, before any worker runs: keep letters from being printed twice',
  fields: {},

  run: async (_input, { actor, clock }) => await settleRestored(actor, clock.now()),
  describe: (settled) => describeSettled(settled).join('\n'),
});

function describeSettled({ closedBatches, pausedBulks }: SettledRestore): string[] {
  return [
    `Batches that were collecting letters, and are closed: ${closedBatches}.`,
    ...describeList('Confirmed lists, which are paused', pausedBulks, ({ bulkId, organizationId }) =>
      [bulkId, organizationId].join('  '),
    ),
    'No batch goes to the press: dispatch is paused.',
    'Before API and workers start: npm run reconcile, then npm run admin -- backup compare.',
    'Resume dispatch after backup compare: npm run admin -- resume dispatch',
  ];
}

const record = defineCommand({
  name: 'backup record',
  summary: 'record that a backup by another tool is complete, for the alert on its age',
  fields: {},

  async run(_input, { clock }) {
    const at = clock.now();
    await recordBackup(at);
    return { at: at.toISOString() };
  },
  describe: ({ at }) => `Recorded a backup of ${at}.`,
});

export const backupCommands = [create, check, restore, settle, record];
