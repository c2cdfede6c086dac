import type { Hints } from '#common/platform/redis/queues.ts';

export type OperatorDeps = { hints: Hints };
