// Level: ci
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { byLevel, describe, eventually, expect } from '#test/support/jest.ts';
import { testPrinting } from '#test/support/print/print-system.ts';
import { aRequestAddress, upload } from '#test/support/product/customer.ts';
import { download } from '#test/support/product/download.ts';
import { s10Of } from '#test/support/production/s10-of.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';
import { testInBrowser, useBrowser } from '#test/support/web/open-browser.ts';
import { aPage, usePressWalk, type WalkProvider } from '#test/support/web/press-walk.ts';

const inWeeks = (weeks: number) => new Date(Date.now() + weeks * 7 * 24 * 3_600_000).toISOString();
const ada = aRequestAddress({ name: 'Ada Peeters' });
const bo = aRequestAddress({ name: 'Bo Janssens', zip: '9000', city: 'Gent' });
const cy = aRequestAddress({ name: 'Cy Maes', zip: '2000', city: 'Antwerpen' });

const openPage = useBrowser();

describe.each(byLevel<WalkProvider[]>({ quick: ['hot-folder'], full: ['hot-folder', 'cups'] }))(
  'live letters from the check of a file to the addressee, printed by: %s',
  (provider) => {
    const walk = provider === 'cups' ? testPrinting : testInBrowser;
    const production = usePressWalk(provider, openPage);
    const { customer, open, read, send, proofOf, close, reach, confirmPrinted, post } = production;
    const { statusesOf, eventsOf, countPrints, scanLabels, scanReturn, deliver } = production;

    walk('checked, mended, sent, proofed, printed, labelled, posted and delivered', async () => {
      const check = async (s3Key: string) =>
        (await customer.http.post('/v1/preflight', { files: [{ s3Key }], serviceType: 'registered' })).body;
      const bad = await check(await upload(customer, await aPage(0)));
      expect(bad.findings).toMatchObject([{ code: 'outside_printable_area', fix: expect.any(String) }]);
      const s3Key = await upload(customer, await aPage(100));
      expect(await check(s3Key)).toMatchObject({ canBePrinted: true, findings: [] });

      const fields = { files: [{ s3Key }], serviceType: 'registered', recipients: [ada, bo] };
      const { id, itemIds } = await send({ ...fields, scheduledDropAt: inWeeks(2) });
      const proofs = await Promise.all(itemIds.map(async (itemId) => (await proofOf(id, itemId)).body));
      for (const { url } of proofs) expect((await download(url)).type).toBe('application/pdf');

      const batchId = await close(id, 1);
      await reach(batchId, 'printed');
      expect((await read(id)).recipients).toMatchObject(
        proofs.map(({ itemId, sha256 }) => ({ itemId, status: 'printed', copySha256: sha256 })),
      );
      expect(await countPrints(itemIds)).toEqual([1, 1]);
      const numbers = itemIds.map((_, index) => s10Of(index + (provider === 'cups' ? 11 : 1)));
      await scanLabels(itemIds, numbers);
      await post(batchId);
      await deliver(numbers);
      await eventually(async () => expect(await read(id)).toMatchObject({ status: 'delivered' }));

      expect((await read(id)).recipients).toMatchObject(numbers.map((number) => ({ trackingNumber: number })));
      const { data } = (await customer.http.get(`/v1/mails/${id}/timeline`)).body;
      const stepsOf = (of: string | null) =>
        data.filter(({ itemId }: { itemId: string | null }) => itemId === of).map(({ kind }: { kind: string }) => kind);
      expect(stepsOf(null)).toEqual(['queued', 'rendered']);
      for (const itemId of itemIds) {
        expect(stepsOf(itemId)).toEqual(['batched', 'printed', 'tracked', 'posted', 'delivered']);
      }
      const expected = ['MAIL_DELIVERED', 'MAIL_POSTED', 'MAIL_PRINTED', 'MAIL_QUEUED'];
      await eventually(() => expect(eventsOf(id)).toEqual(expected));
      expect(await findViolations()).toEqual([]);
    });

    walk('one is cancelled in time and one too late, one of three copies fails, another returns', async () => {
      const scheduledDropAt = inWeeks(3);
      const before = await customer.balanceCents();
      const regretted = await send({ recipients: [cy], scheduledDropAt });
      const { id, itemIds, totalCents } = await send({ recipients: [ada, bo, cy], scheduledDropAt });
      const [torn, moved, kept] = itemIds as [string, string, string];
      const cancel = (one: string) => customer.http.post(`/v1/mails/${one}/cancel`);
      expect(await cancel(regretted.id)).toMatchObject({ status: 200, body: { status: 'failed' } });
      expect(await customer.balanceCents()).toBe(before - totalCents);

      const batchId = await close(id, 1);
      expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'NOT_CANCELLABLE' } });
      await reach(batchId, 'printed');
      expect(await countPrints([...regretted.itemIds, ...itemIds])).toEqual([0, 1, 1, 1]);
      const page = await open(`/scan?mark=failed&batch=${batchId}`);
      await page.getByLabel('They failed because').fill('The paper tore.');
      await page.getByLabel('Scan the mark of a sheet').fill(torn);
      await page.keyboard.press('Enter');
      await page.getByText('Recorded as failed').waitFor();
      const letter = await read(id);
      expect(await customer.balanceCents()).toBe(before - totalCents + letter.refundedCents);
      expect(letter.refundedCents).toBe(totalCents / 3);

      await post(batchId);
      await scanReturn(moved);
      expect(await statusesOf(id)).toEqual(['failed', 'posted', 'posted']);
      const returned = (await customer.http.get('/v1/items?status=returned')).body.data;
      expect(returned).toMatchObject([{ itemId: moved, mailJobId: id, returned: { reason: 'moved' } }]);
      const next = await customer.send({ recipients: [bo], dryRun: true });
      expect(next.body.warnings).toMatchObject([{ code: 'RECIPIENT_RETURNED' }]);
      expect((await read(id)).recipients.map(({ itemId }: { itemId: string }) => itemId)).toEqual([torn, moved, kept]);

      await eventually(() => expect(eventsOf(regretted.id)).toEqual(['MAIL_FAILED', 'MAIL_QUEUED']));
      const expected = ['ITEM_RETURNED', 'MAIL_POSTED', 'MAIL_PRINTED', 'MAIL_QUEUED'];
      await eventually(() => expect(eventsOf(id)).toEqual(expected));
      expect(await findViolations()).toEqual([]);
    });

    walk('a batch in doubt waits for the operator, who looks and says what happened', async () => {
      const { id } = await send({ recipients: [ada], scheduledDropAt: inWeeks(4) });
      const batchId = await close(id, 1);
      await eventually(async () => expect((await Batch.findById(batchId).orFail()).state).toBe('at_press'));
      // As a worker leaves it that dies while handing over to a provider that is configured no more.
      const gone = provider === 'cups' ? 'hot-folder' : 'cups';
      const abandoned = { state: 'submitting', provider: gone, 'due.press': newDue(new Date()) };
      await Batch.updateOne({ _id: batchId }, { $set: abandoned });
      await reach(batchId, 'needs_operator');
      const page = await open('');
      await page.getByRole('heading', { name: 'Needs you (1)' }).waitFor();
      expect(await statusesOf(id)).toEqual(['queued']);
      await confirmPrinted(batchId);
      expect(await statusesOf(id)).toEqual(['printed']);
      await post(batchId);
      expect(await statusesOf(id)).toEqual(['posted']);
      expect(await findViolations()).toEqual([]);
    });
  },
);
