import { z } from 'zod';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { type AdminServices, defineCommand, option } from '#scripts/admin/command.ts';
import { withHints } from '#scripts/admin/with-hints.ts';
import { findLostLetters } from '#scripts/backup/compare/find-lost-letters.ts';
import { findPrintedSince, type PressSince } from '#scripts/backup/compare/find-printed-since.ts';
import { describeList } from './describe-list.ts';

const compare = defineCommand({
  name: 'backup compare',
  summary: 'list what was sent or printed after the restored backup, by the bucket and the hot folder',
  fields: {
    record: option(
      '--record',
      'record letters that were printed after the backup as printed; safe to repeat',
      z.boolean().optional(),
    ),
  },

  async run({ record = false }, services) {
    const { hotFolder } = services.config.print;
    const press: PressSince | null = hotFolder === null ? null : await findPrintedSince(hotFolder);
    const lostLetters = await services.withStore(findLostLetters);
    const recorded = record ? await recordPrinted(press?.printedLetters ?? [], services) : null;
    return { lostLetters, press, recorded };
  },
  describe({ lostLetters, press, recorded }) {
    const { printedLetters = [], unknownItems = [], unknownNumbers = [], batches = [] } = press ?? {};
    const withoutManifest = batches.filter(({ itemCount }) => itemCount === null);
    const lines = [
      ...describeList(
        recorded === null
          ? 'Printed after the backup, would be printed again. Record them: npm run admin -- backup compare --record'
          : 'Printed after the backup, and recorded as printed now',
        printedLetters,
        ({ mailJobId, organizationId, batchId }) => `${mailJobId}  ${organizationId}  ${batchId}`,
      ),
      ...describeList(
        'Batches whose items are not recorded any more. Ask the print system for them',
        withoutManifest,
        ({ batchId }) => batchId,
      ),
      ...describeList(
        'Printed items whose letters are lost',
        unknownItems,
        ({ itemId, batchId }) => `${itemId}  ${batchId}`,
      ),
      ...describeList(
        'Tracking numbers on printed labels that no letter has here. Keep them from being given again: npm run admin -- tracking skip',
        unknownNumbers,
        ({ number, batchId }) => `${number}  ${batchId}`,
      ),
      ...describeList(
        'Lost letters, only their print files remain. Their debits are gone too, so nothing was charged. Tell their senders',
        lostLetters,
        ({ mailJobId, organizationId, sentAt, printFile }) =>
          `${mailJobId}  ${organizationId}  ${sentAt}  ${printFile}`,
      ),
    ];
    if (press === null) lines.push('HOT_FOLDER is not set: nothing was compared with the press.');
    return lines.length > 0 ? lines.join('\n') : 'Nothing was sent or printed after the backup.';
  },
});

async function recordPrinted(letters: PressSince['printedLetters'], services: AdminServices): Promise<number> {
  const { actor, clock } = services;
  await withHints(services, async (hints) => {
    for (const { mailJobId } of letters) {
      await setLetterStatus({ mailJobId, target: 'printed', by: actor }, { hints, at: clock.now() });
    }
  });
  return letters.length;
}

export const compareCommands = [compare];
