import { z } from 'zod';
import { type AuditStamp, type NewAuditEntry, recordAudit } from '../audit/record-audit.ts';
import { AppError, type Issue } from '../errors.ts';
import { issueSentence } from '../fields/issue-sentence.ts';
import { newId } from '../ids.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';
import { clearTariffCache } from './find-tariff.ts';
import { Tariff, type TariffRecord } from './tariff.model.ts';
import { TariffEntry } from './tariff.schema.ts';

const TariffFile = z.array(z.unknown()).min(1).max(1_000);

/** A valid entry with its index in the file. */
type ParsedEntry = { index: number; record: TariffRecord };

/**
 * Stores all entries of a tariff file or none. Throws VALIDATION_ERROR with every fault of the file. An entry with the
 * zone, service and instant of a stored tariff is a fault: tariffs are added, never changed.
 */
export async function importTariffs(file: unknown, stamp?: AuditStamp): Promise<TariffRecord[]> {
  const { placed, issues } = await readTariffFile(file);
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { message: 'The tariff file is invalid.', issues });
  const records = placed.map(({ record }) => record);
  try {
    await inTransaction(async (session) => {
      await Tariff.insertMany(records, { session });
      if (!stamp) return;
      for (const record of records) await recordAudit(toAudit('tariff.imported', record), stamp.by, stamp.at, session);
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw new AppError('CONFLICT', {
        message: 'Nothing was imported: a tariff of the same zone, service and instant was just stored.',
      });
    throw error;
  }
  clearTariffCache();

  return records;
}

/** Returns every fault of a tariff file, in file order. */
export async function findTariffFaults(file: unknown): Promise<Issue[]> {
  return (await readTariffFile(file)).issues;
}

async function readTariffFile(file: unknown): Promise<{ placed: ParsedEntry[]; issues: Issue[] }> {
  const list = TariffFile.safeParse(file, { error: issueSentence });
  if (!list.success) return { placed: [], issues: toIssues(list.error) };
  const issues: Issue[] = [];
  const placed = list.data.flatMap((entry, index): ParsedEntry[] => {
    const parsed = TariffEntry.safeParse(entry, { error: issueSentence });
    if (!parsed.success) issues.push(...toIssues(parsed.error, index));
    return parsed.success ? [{ index, record: toRecord(parsed.data) }] : [];
  });
  issues.push(...findRepeats(placed), ...(await findStored(placed)));
  return { placed, issues: issues.toSorted((left, right) => Number(left.path[0] ?? 0) - Number(right.path[0] ?? 0)) };
}

function toAudit(action: 'tariff.imported' | 'tariff.removed', tariff: TariffRecord): NewAuditEntry {
  const { _id: subjectId, zone, serviceType, validFrom } = tariff;
  return { action, subjectId, detail: { zone, serviceType, validFrom: validFrom.toISOString() } };
}

function toIssues(error: z.ZodError, ...place: number[]): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: [...place, ...(path as (string | number)[])], message }));
}

function toRecord({ validFrom, ...entry }: TariffEntry): TariffRecord {
  return { _id: newId('tar'), ...entry, validFrom: new Date(validFrom) };
}

const tariffKey = ({ zone, serviceType, validFrom }: TariffRecord) =>
  `${zone} ${serviceType} ${validFrom.toISOString()}`;

function findRepeats(placed: readonly ParsedEntry[]): Issue[] {
  const firstIndex = new Map<string, number>();
  return placed.flatMap(({ index, record }) => {
    const name = tariffKey(record);
    const first = firstIndex.get(name);
    if (first === undefined) firstIndex.set(name, index);
    return first === undefined ? [] : [{ path: [index], message: `repeats entry ${first}: ${name}` }];
  });
}

async function findStored(placed: readonly ParsedEntry[]): Promise<Issue[]> {
  if (placed.length === 0) return [];
  const keys = placed.map(({ record: { zone, serviceType, validFrom } }) => ({ zone, serviceType, validFrom }));
  const stored = new Set((await Tariff.find({ $or: keys }).lean<TariffRecord[]>()).map(tariffKey));
  return placed.flatMap(({ index, record }) =>
    stored.has(tariffKey(record)) ? [{ path: [index], message: `is stored already: ${tariffKey(record)}` }] : [],
  );
}

/** Far above what operators import: six combinations of zone and service, each with a few price changes a year. */
const maxListed = 10_000;

/** Returns all tariffs by zone, service and instant; at most 10,000. */
export async function listTariffs(): Promise<TariffRecord[]> {
  return await Tariff.find()
    .sort({ zone: 1, serviceType: 1, validFrom: 1 })
    .hint({ zone: 1, serviceType: 1, validFrom: -1 })
    .limit(maxListed)
    .lean<TariffRecord[]>();
}

/** Removes a tariff. Jobs priced by it keep their amounts. Throws NOT_FOUND. */
export async function removeTariff(tariffId: string, stamp?: AuditStamp): Promise<void> {
  const tariff = await Tariff.findOneAndDelete({ _id: tariffId }).lean<TariffRecord>();
  if (!tariff) throw new AppError('NOT_FOUND', { message: 'There is no such tariff.' });
  clearTariffCache();
  if (stamp) await recordAudit(toAudit('tariff.removed', tariff), stamp.by, stamp.at);
}
