import { findPending, migrate } from '#common/platform/mongo/migrate.ts';
import { migrations } from '#common/schema/migrations.ts';
import { defineCommand } from '../command.ts';

const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'migrate the database to the schema of this version; safe to repeat',
  fields: {},
  runsUnmigrated: true,

  async run(_input, { clock, log }) {
    const pending = await findPending(migrations);
    await migrate(migrations, clock, log);
    return { migrated: pending.map(({ number, name }) => ({ number, name })) };
  },
  describe: ({ migrated }) =>
    migrated.length === 0
      ? 'The database is up to date.'
      : `Migrated:\n${migrated.map(({ number, name }) => `${number}  ${name}`).join('\n')}`,
});

export const migrateCommands = [migrateCommand];
