// Level: push
import { PDFDocument } from '@cantoo/pdf-lib';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { Batch, type BatchRecord, partsWork } from '#common/production/batches/batch.model.ts';
import { makePrintParts, removePrintParts } from '#common/production/submission/print-parts.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('the print parts of a batch', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const two = { recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo' })] };

  test('an operator gets one PDF whose copies begin on the front of a sheet, for 30 days', async () => {
    const { _id } = await scene.sendRendered(two, 3);
    clock.advance(1_000);
    await scene.sendRendered({}, 2);
    await scene.bringToPress(_id);
    const batch = await scene.batchOf(_id);
    expect([batch.state, batch.printParts, batch.due.parts?.at === undefined]).toEqual(['at_press', [], false]);
    const claim = await claimDue<BatchRecord>(partsWork, batch._id, clock.now());
    const { store, log } = world;
    const { signal } = new AbortController();
    await makePrintParts(claim!, { store, log, clock, slots: createRenderSlots() }, signal);

    const { printParts, due } = await scene.batchOf(_id);
    // Two copies of three pages with a blank back each, and one of two pages.
    expect(printParts).toMatchObject([{ pageCount: 10, firstSequence: 1, copyCount: 3 }]);
    expect(due).toEqual({});
    const [part] = printParts;
    const bytes = await store.get({ key: part?.s3Key ?? '', maxBytes: 10_000_000 });
    expect([bytes.length, (await PDFDocument.load(bytes)).getPageCount()]).toEqual([part?.sizeBytes, 10]);

    clock.advance(30 * 24 * 3_600_000 - 1);
    expect(await removePrintParts({ store, log }, clock.now())).toBe(0);
    clock.advance(1);
    expect(await removePrintParts({ store, log }, clock.now())).toBe(1);
    expect(await store.head(part?.s3Key ?? '')).toBeNull();
    const cleared = await Batch.findById(batch._id).lean<BatchRecord>();
    expect([cleared?.printParts, cleared?.removePartsAt]).toEqual([[], undefined]);
  });
});
