// Level: unit
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { personalData } from '#common/production/retention/personal-data.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const root = join(import.meta.dirname, '../../..');
/** All sources except the benchmarks, whose baselines write to their own databases. */
const sources = ['api', 'workers', 'common', 'scripts'].flatMap((house) =>
  readdirSync(join(root, house), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|cjs|mjs|js)$/.test(name) && !name.startsWith('bench/'))
    .map((name) => [`${house}/${name}`, readFileSync(join(root, house, name), 'utf8')] as const),
);
/** Names all collections, and says which are erased. */
const listFile = 'common/production/retention/personal-data.ts';
const filesWith = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([name]) => name);

const entry = new LedgerEntry({
  _id: 'txn_1',
  walletId: 'w',
  seq: 1,
  kind: 'debit',
  amountCents: -1,
  balanceAfterCents: 0,
  key: 'k',
  at: new Date(0),
});
const change = { $set: { amountCents: 1 } };

describe('the ledger', () => {
  test.each<[string, () => PromiseLike<unknown>]>([
    ['updateOne', () => LedgerEntry.updateOne({ _id: 'x' }, change)],
    ['updateMany', () => LedgerEntry.updateMany({}, change)],
    ['replaceOne', () => LedgerEntry.replaceOne({ _id: 'x' }, entry)],
    ['findOneAndUpdate', () => LedgerEntry.findOneAndUpdate({ _id: 'x' }, change)],
    ['findByIdAndUpdate', () => LedgerEntry.findByIdAndUpdate('x', change)],
    ['findOneAndReplace', () => LedgerEntry.findOneAndReplace({ _id: 'x' }, entry)],
    ['deleteOne', () => LedgerEntry.deleteOne({ _id: 'x' })],
    ['deleteMany', () => LedgerEntry.deleteMany({})],
    ['findOneAndDelete', () => LedgerEntry.findOneAndDelete({ _id: 'x' })],
    ['findByIdAndDelete', () => LedgerEntry.findByIdAndDelete('x')],
    ['bulkWrite', () => LedgerEntry.bulkWrite([{ deleteOne: { filter: { _id: 'x' } } }])],
    ['save', () => LedgerEntry.hydrate(entry.toObject()).save()],
    ['document.updateOne', () => LedgerEntry.hydrate(entry.toObject()).updateOne(change)],
    ['document.deleteOne', () => LedgerEntry.hydrate(entry.toObject()).deleteOne()],
  ])('%s of the model is refused before it reaches the database', async (_name, call) => {
    await expect(call()).rejects.toThrow('The ledger is append only');
  });

  test('no source file accesses the collection except through its model', () => {
    // `schema` names its indexes.
    const named = filesWith(/ledger_entries/).filter((name) => !name.startsWith('common/schema/') && name !== listFile);
    expect(named).toEqual(['common/wallet/ledger/ledger-entry.model.ts']);
    expect(filesWith(/LedgerEntry\.(collection|db)\b/)).toEqual([]);
    const calls = sources.flatMap(([name, text]) =>
      [...text.matchAll(/\bLedgerEntry\s*\.(\w+)/g)].map(([, method]) => [name, method]),
    );
    const reads = ['aggregate', 'exists', 'find', 'findOne'];
    expect([...new Set(calls.map(([, method]) => method))].sort()).toEqual(reads);
    // The aggregation stages that write.
    expect(filesWith(/\$(out|merge)\b/)).toEqual([]);
    // Passed to functions that bypass its hooks, only for inserts.
    const handed = sources.flatMap(([name, text]) =>
      [...text.matchAll(/(\w+)(?:<\w+>)?\((?:[^()]*, *)?LedgerEntry\b/g)].map(([, callee]) => [name, callee]),
    );
    expect(new Set(handed.map(String))).toEqual(new Set(['common/wallet/ledger/move-money.ts,insertRows']));
  });

  test('exactly one source file changes balances', () => {
    expect(filesWith(/\$inc:[^}]*balanceCents/)).toEqual(['common/wallet/ledger/move-money.ts']);
    expect(filesWith(/\$set:[^}]*\bbalanceCents/)).toEqual([]);
  });

  test('wallets are written only on opening, for low balances and by moving money', () => {
    expect(filesWith(/schemaOf\('wallets'/)).toEqual(['common/wallet/ledger/wallet.model.ts']);
    expect(filesWith(/(?<!schemaOf\()['"`]wallets['"`]|\bWallet\.(collection|db)\b/)).toEqual([listFile]);
    expect(personalData.none).toEqual(expect.arrayContaining(['wallets', 'ledger_entries']));
    const reads = ['createIndexes', 'exists', 'find', 'findById', 'findOne'];
    const writes = sources.flatMap(([name, text]) =>
      [...text.matchAll(/\bWallet\s*\.\s*(\w+)/g)].flatMap(([, method = '']) =>
        reads.includes(method) ? [] : [[name, method]],
      ),
    );
    expect(writes.sort()).toEqual([
      ['common/wallet/low-balance.ts', 'findOneAndUpdate'],
      ['common/wallet/wallets.ts', 'insertMany'],
      ['common/wallet/watch-low-balances.ts', 'findOneAndUpdate'],
      ['common/wallet/watch-low-balances.ts', 'updateMany'],
    ]);
    const handed = sources.flatMap(([name, text]) =>
      [...text.matchAll(/(\w+)(?:<\w+>)?\((?:[^()]*, *)?Wallet\b/g)].map(([, callee]) => [name, callee]),
    );
    expect(handed).toEqual([
      ['common/wallet/ledger/move-money.ts', 'findRows'],
      ['common/wallet/ledger/move-money.ts', 'updateRows'],
    ]);
  });
});
