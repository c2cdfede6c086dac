import { findPending } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { migrations } from '#common/schema/migrations.ts';
import { OperatorError } from './operator-error.ts';

/** Connects the models while `work` runs. `appName` identifies the process in the database's log. */
export async function withMongo<Result>(url: string, appName: string, work: () => Promise<Result>): Promise<Result> {
  await connectMongo(url, appName);
  return await work().finally(disconnectMongo);
}

/** Throws OperatorError when the connected database has pending migrations. */
export async function requireMigrated(): Promise<void> {
  const isReady = (await findPending(migrations)).length === 0;
  if (!isReady) throw new OperatorError('The database needs migrating first: npm run admin -- migrate');
}
