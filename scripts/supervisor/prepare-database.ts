import { systemClock } from '#common/clock.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo, isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { migrations } from '#common/schema/migrations.ts';
import { OperatorError } from '../operator-error.ts';

/** Migrates the database, because a data folder may come from an earlier version. Throws OperatorError. */
export async function prepareDatabase(url: string): Promise<void> {
  try {
    await connectMongo(url, 'bluejay-start');
    await migrate(migrations, systemClock, createLog('start', 'warn'));
  } catch (error) {
    if (!isMongoUnavailable(error)) throw error;
    const { message } = error as Error;
    throw new OperatorError(`MongoDB does not answer (${message}). Check MONGODB_URI, and that it is a replica set.`);
  } finally {
    await disconnectMongo();
  }
}
