import type { CallerView } from '#common/oauth/caller.view.ts';
import type { StatementView } from '#common/wallet/statements/statement.view.ts';
import { amounts } from './letter-examples.ts';
import { byKey, createdAt, mailJobId, organizationId, recipient } from './shared-examples.ts';

export const aCaller = {
  ...{ organizationId, organizationName: 'Example Ltd', mode: 'test', scopes: ['read', 'send'] },
  credential: {
    ...{ kind: 'api_key', id: 'testk5x2v7q3n6a4c3d2', name: 'Billing', clientId: null, expiresAt: null },
  },
  createdAt,
} satisfies CallerView;

export const addressPath = { id: 'adr_01m7ynaxr6fqa9hh2zy9myc868' };
export const addressRequest = { kind: 'RECIPIENT', ...recipient, label: 'Ada, at home' } as const;
export const anAddress = {
  ...addressPath,
  ...addressRequest,
  line2: null,
  isDefault: false,
  ...byKey,
  createdAt,
  updatedAt: createdAt,
};

export const transactionId = 'txn_01m7ynaxr6fqa9hh3d0t9c8w2e';
export const aWallet = {
  balanceCents: 99_027,
  currency: 'EUR',
  mode: 'test',
  lowBalanceCents: 10_000,
  isLow: false,
  updatedAt: createdAt,
} as const;

const aLine = {
  transactionId: 'txn_01m7ynaxr6fqa9hh49v2c3q8wm',
  seq: 2,
  kind: 'debit',
  amountCents: -amounts.totalCents,
  balanceAfterCents: aWallet.balanceCents,
  mailJobId,
  itemId: null,
  reference: null,
  reason: null,
  createdAt,
} satisfies StatementView['lines'][number];
export const aWalletTransaction = { ...aLine, currency: 'EUR' } as const;

export const aStatement = {
  month: '2026-03',
  mode: 'test',
  currency: 'EUR',
  startsAt: '2026-02-28T23:00:00.000Z',
  endsAt: '2026-03-31T22:00:00.000Z',
  isFinal: true,
  openingBalanceCents: 100_000,
  lines: [aLine],
  vat: amounts.vat.map((rate) => ({ ...rate, grossCents: rate.netCents + rate.vatCents })),
  closingBalanceCents: aWallet.balanceCents,
} satisfies StatementView;
export const aStatementAsCsv = `record,createdAt,seq,transactionId,kind,amountCents,balanceCents,mailJobId,itemId,reference,reason,vatPercent,netCents,vatCents,grossCents\r
opening,2026-02-28T23:00:00.000Z,,,,,100000,,,,,,,,\r
line,${createdAt},2,${aLine.transactionId},debit,-973,99027,${mailJobId},,,,,,,\r
vat,,,,,,,,,,,0,896,0,896\r
vat,,,,,,,,,,,21,64,13,77\r
closing,2026-03-31T22:00:00.000Z,,,,,99027,,,,,,,,\r
`;
