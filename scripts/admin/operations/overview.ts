import { readServiceState } from '#common/operations/read-service-state.ts';
import { defineCommand, describeFields } from '../command.ts';

const overview = defineCommand({
  name: 'overview',
  summary: 'show what is paused, what is due, and what needs a person',
  fields: {},

  async run(_input, { clock }) {
    const { waiting, pauses, batchesForOperator, liveLetters, lastReconcile } = await readServiceState(clock.now());
    return {
      pauses: pauses.map(({ work, organizationId, reason, by, since }) => {
        return { work, organizationId, reason, by, since: since.toISOString() };
      }),
      waiting: Object.fromEntries(
        Object.entries(waiting).map(([kind, { count, oldestAt }]) => {
          return [kind, { count, oldestAt: oldestAt?.toISOString() ?? null }];
        }),
      ),
      liveLetters,
      batchesForOperator,
      lastReconcile: lastReconcile && { at: lastReconcile.at.toISOString(), violations: lastReconcile.count },
    };
  },
  describe({ pauses, waiting, liveLetters, batchesForOperator, lastReconcile }) {
    const paused = pauses.map(({ work, organizationId, reason, by, since }) => {
      return `Paused: ${work} of ${organizationId ?? 'all organizations'}, since ${since} by ${by}: ${reason}`;
    });
    const due = Object.entries(waiting).map(([kind, { count, oldestAt }]) => {
      return [`Due, ${kind}`, oldestAt === null ? '0' : `${count}, oldest ${oldestAt}`];
    });
    const letters = Object.entries(liveLetters).map(([status, count]) => [`Live letters, ${status}`, String(count)]);
    const ledger =
      lastReconcile === null
        ? 'not checked yet'
        : `${lastReconcile.violations} violations, checked ${lastReconcile.at}`;
    const facts = describeFields({
      ...Object.fromEntries(due),
      ...Object.fromEntries(letters),
      'Batches that need you': batchesForOperator,
      Ledger: ledger,
    });
    return [...(paused.length > 0 ? paused : ['Nothing is paused.']), facts].join('\n');
  },
});

export const overviewCommands = [overview];
