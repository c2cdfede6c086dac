import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LedgerEntry } from '../../common/wallet/ledger-entry.model.ts';

const root = join(import.meta.dirname, '../..');
/** All but the benchmarks, whose bare floors write to databases of their own. */
const sources = ['api', 'workers', 'common', 'scripts'].flatMap((house) =>
  readdirSync(join(root, house), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|cjs|mjs|js)$/.test(name) && !name.startsWith('bench/'))
    .map((name) => [`${house}/${name}`, readFileSync(join(root, house, name), 'utf8')] as const),
);
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
  ])('given its model, when %s is called, then it is refused before the database is asked', async (_name, call) => {
    await expect(call()).rejects.toThrow('The ledger is append only');
  });

  test('given the whole tree, when it is read, then nothing reaches the collection past its model', () => {
    expect(filesWith(/ledger_entries/)).toEqual(['common/wallet/ledger-entry.model.ts']);
    expect(filesWith(/LedgerEntry\.(collection|db)\b/)).toEqual([]);
    const calls = sources.flatMap(([name, text]) =>
      [...text.matchAll(/\bLedgerEntry\s*\.(\w+)/g)].map(([, method]) => [name, method]),
    );
    const reads = ['aggregate', 'createIndexes', 'exists', 'find', 'findOne'];
    expect([...new Set(calls.map(([, method]) => method))].sort()).toEqual(reads);
    // What an aggregation could write by.
    expect(filesWith(/\$(out|merge)\b/)).toEqual([]);
    // Handed to a function, as what goes past its hooks must be: only to be inserted into.
    const handed = sources.flatMap(([name, text]) =>
      [...text.matchAll(/(\w+)(?:<\w+>)?\((?:[^()]*, *)?LedgerEntry\b/g)].map(([, callee]) => [name, callee]),
    );
    expect(new Set(handed.map(String))).toEqual(new Set(['common/wallet/move-money.ts,insertRows']));
  });

  test('given the whole tree, when it is read, then one file changes balances', () => {
    expect(filesWith(/\$inc:[^}]*balanceCents/)).toEqual(['common/wallet/move-money.ts']);
    expect(filesWith(/\$set:[^}]*\bbalanceCents/)).toEqual([]);
  });

  test('given the whole tree, when it is read, then wallets are written where they are opened and where they fall low, and else by moving money', () => {
    expect(filesWith(/collection: 'wallets'/)).toEqual(['common/wallet/wallet.model.ts']);
    expect(filesWith(/(?<!collection: )['"`]wallets['"`]|\bWallet\.(collection|db)\b/)).toEqual([]);
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
      ['common/wallet/move-money.ts', 'findRows'],
      ['common/wallet/move-money.ts', 'updateRows'],
      ['common/wallet/move-money.ts', 'rowsOf'],
    ]);
  });
});
