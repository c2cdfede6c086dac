// Level: push
import { Draft } from '#common/drafts/draft.model.ts';
import { withOptions } from '#common/drafts/draft-changes.ts';
import { DraftSentError, saveDraft } from '#common/drafts/save-draft.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { byLevel, describe, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { raceOnStore } from '../support/races/race-on-store.ts';
import { overSeeds, type Schedule } from '../support/races/schedule.ts';
import { aDraft } from '../support/web/draft-scene.ts';

describe('clicks and changes of one draft in any order of database commands', () => {
  const world = startWorld();

  async function raceClicks(schedule: Schedule): Promise<void> {
    const { send, draft, draftId, editor, organizationId, customer, totalCents } = await aDraft(world);
    const before = await customer.balanceCents();
    const answers: unknown[] = [];
    const click = async () => void answers.push(await send().catch((error: unknown) => error));
    const color = withOptions({ serviceType: 'standard', color: true, acknowledgmentReceipt: false, dropOn: null });
    const change = async () => {
      const saved = saveDraft(editor, { draftId, mode: draft.mode }, color, new Date());
      await saved.catch((error: unknown) => expect(error).toBeInstanceOf(DraftSentError));
    };
    const isChanged = schedule.seed % 2 === 0;
    const clicks = { 'click 1': click, 'click 2': click, 'click 3': click };
    await raceOnStore(schedule, { ...clicks, ...(isChanged && { change }) });

    const letters = await MailJob.find({ organizationId }).lean();
    const [letter] = letters;
    expect(letters.length).toBeLessThanOrEqual(1);
    expect(await customer.balanceCents()).toBe(before - (letter ? totalCents : 0));
    // The letter is the one that was shown. Each click is answered with it, or with the change that came before.
    if (letter) expect([letter.color, letter.externalId]).toEqual([false, draftId]);
    if (!isChanged) expect(answers).toEqual([letter?._id, letter?._id, letter?._id]);
    const isShown = (answer: unknown) => answer === letter?._id;
    for (const answer of answers) if (!isShown(answer)) expect(answer).toMatchObject({ code: 'CONFLICT' });
    if (answers.some(isShown)) expect(await Draft.countDocuments({ _id: draftId })).toBe(0);
  }

  test('each click shows the one letter, which is paid once and as it was shown', async () => {
    await overSeeds(byLevel({ quick: 10, full: 40, long: 200 }), raceClicks);
  });
});
