import type { Owner } from '../../common/modes.ts';
import { inTransaction } from '../../common/platform/transaction.ts';
import { type Movement, moveMoney } from '../../common/wallet/move-money.ts';

/** Movements that one transaction takes with ease. */
const atOnce = 250;

/** Posts movements to a wallet, all at the same moment and in their order; each gets a key of its own if it has none. */
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
