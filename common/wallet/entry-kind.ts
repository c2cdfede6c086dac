/** Why money of a wallet moves. */
export const entryKinds = ['debit', 'refund', 'top_up', 'adjustment'] as const;
export type EntryKind = (typeof entryKinds)[number];
