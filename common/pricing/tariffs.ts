import { z } from 'zod';
import { AppError, type Issue } from '../errors.ts';
import { newId } from '../ids.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction } from '../platform/transaction.ts';
import { forgetTariffs } from './find-tariff.ts';
import { Tariff, type TariffRecord } from './tariff.model.ts';
import { TariffEntry } from './tariff.schema.ts';

const TariffFile = z.array(TariffEntry).min(1).max(1_000);

/**
 * Stores the entries of a tariff file, all or none. Throws VALIDATION_ERROR naming every fault of the file at once;
 * an entry with the zone, service and instant of a stored one is a fault: prices are added, never changed.
 */
export async function importTariffs(file: unknown): Promise<TariffRecord[]> {
  const parsed = TariffFile.safeParse(file);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path as (string | number)[], message }));
    throw new AppError('VALIDATION_ERROR', { message: 'The tariff file does not fit.', issues });
  }
  const records = parsed.data.map(
    ({ validFrom, ...entry }): TariffRecord => ({ _id: newId('tar'), ...entry, validFrom: new Date(validFrom) }),
  );
  const issues = [...findRepeats(records), ...(await findStored(records))];
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { message: 'The tariff file does not fit.', issues });
  try {
    await inTransaction(async (session) => void (await Tariff.insertMany(records, { session })));
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError('CONFLICT', { message: 'Such a tariff was stored meanwhile.' });
    throw error;
  }
  forgetTariffs();

  return records;
}

const sameTime = ({ zone, serviceType, validFrom }: TariffRecord) =>
  `${zone} ${serviceType} ${validFrom.toISOString()}`;

function findRepeats(records: readonly TariffRecord[]): Issue[] {
  const names = records.map(sameTime);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: [index], message: `repeats entry ${names.indexOf(name)}: ${name}` }] : [],
  );
}

async function findStored(records: readonly TariffRecord[]): Promise<Issue[]> {
  const keys = records.map(({ zone, serviceType, validFrom }) => ({ zone, serviceType, validFrom }));
  const stored = new Set((await Tariff.find({ $or: keys }).lean<TariffRecord[]>()).map(sameTime));
  return records.flatMap((record, index) =>
    stored.has(sameTime(record)) ? [{ path: [index], message: `is stored already: ${sameTime(record)}` }] : [],
  );
}

export async function listTariffs(): Promise<TariffRecord[]> {
  return await Tariff.find().sort({ zone: 1, serviceType: 1, validFrom: 1 }).lean<TariffRecord[]>();
}

/** Takes a tariff away; jobs priced by it keep their amounts. Throws NOT_FOUND. */
export async function removeTariff(tariffId: string): Promise<void> {
  const { deletedCount } = await Tariff.deleteOne({ _id: tariffId });
  if (deletedCount === 0) throw new AppError('NOT_FOUND', { message: 'There is no such tariff.' });
  forgetTariffs();
}
