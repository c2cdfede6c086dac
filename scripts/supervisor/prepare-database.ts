import { systemClock } from '../../common/clock.ts';
import { createLog } from '../../common/platform/log.ts';
import { migrate } from '../../common/platform/migrate.ts';
import { connectMongo, disconnectMongo, isMongoAway } from '../../common/platform/mongo.ts';
import { migrations } from '../../common/schema/migrations.ts';
import { OperatorError } from '../operator-error.ts';

/** Brings the database to the shape that this version needs: a data folder outlives versions. Throws OperatorError. */
export async function prepareDatabase(url: string): Promise<void> {
  try {
    await connectMongo(url, 'bluejay-start');
    await migrate(migrations, systemClock, createLog('start', 'warn'));
  } catch (error) {
    if (!isMongoAway(error)) throw error;
    const { message } = error as Error;
    throw new OperatorError(`MongoDB does not answer (${message}). Check MONGODB_URI, and that it is a replica set.`);
  } finally {
    await disconnectMongo();
  }
}
