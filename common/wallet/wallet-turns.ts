import { createTurns } from '../platform/turns.ts';

/**
 * Transactions of one wallet take turns within a process: side by side they would abort each other on its one document.
 * More than 2,000 waiting, or a wait of over 5 s, is SERVICE_UNAVAILABLE: come back. The key is `walletIdOf`.
 */
export const walletTurns = createTurns({ maxWaiting: 2_000, maxWaitMs: 5_000 });
