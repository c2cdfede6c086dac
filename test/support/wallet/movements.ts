import type { Owner } from '#common/modes.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { type Movement, moveMoney } from '#common/wallet/ledger/move-money.ts';

/** Movements per transaction. */
const atOnce = 250;

/** Posts movements to a wallet in their order, all with the time `at`. A movement without a key gets a unique one. */
export async function post(
  owner: Owner,
  movements: readonly (Pick<Movement, 'amountCents'> & Partial<Movement>)[],
  at: Date,
): Promise<void> {
  const { organizationId, mode } = owner;
  for (let start = 0; start < movements.length; start += atOnce) {
    const some = movements.slice(start, start + atOnce).map((movement, index) => ({
      kind: movement.amountCents < 0 ? ('debit' as const) : ('top_up' as const),
      key: `test:${organizationId}:${mode}:${at.getTime()}:${start + index}:${Math.random()}`,
      ...movement,
      owner: { organizationId, mode },
    }));
    await inTransaction((transaction) => moveMoney(transaction, some, at));
  }
}
