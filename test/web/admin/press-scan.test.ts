// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { ledgerOf } from '#test/support/product/customer.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';
import { bandOf, startPressHost, threeRecipients } from '#test/support/web/press-host.ts';
import { formsOf } from '#test/support/web/web-host.ts';

const path = '/admin/press/scan';

describe('the scan page in the administration area', () => {
  const { admin, scene, clock, host, beginDay, atPress, scan, stateOf, statusesOf } = startPressHost();
  beforeEach(beginDay);

  const entriesOf = async (subjectId: string) => await AuditEntry.find({ subjectId }).sort({ _id: 1 }).lean();

  test('scanning the mark of each item records it, and the last one finishes the batch', async () => {
    const { _id, items, batchId } = await atPress(threeRecipients, 5);
    for (const [index, { itemId }] of items.entries()) {
      expect(await stateOf(batchId)).toBe('at_press');
      const mark = toMarkText(itemId, 2, 3);
      expect(mark).toMatch(/^BJ1 MI_/);
      const { status, band, text } = await scan(`?mark=printed&batch=${batchId}`, mark);
      expect([status, ...band]).toEqual([200, 'success', 'Printed', `${itemId}, sheet 2 of 3`]);
      expect(text).toContain(`${index + 1} of 3 items of <code>${batchId}</code> are printed.`);
      expect(text).not.toContain('<audio');
    }
    expect([await stateOf(batchId), ...(await statusesOf(_id))]).toEqual(['printed', 'printed', 'printed', 'printed']);
    const [{ itemId = '' } = {}] = items;
    const actor = { kind: 'user', id: admin.user.userId };
    const detail = { from: 'queued', to: 'printed', mailJobId: _id, batchId };
    expect(await entriesOf(itemId)).toMatchObject([{ action: 'item.status-set', actor, mode: 'live', detail }]);
  });

  test('the page that comes back records the same again, in a field that has the focus', async () => {
    const { items } = await atPress(threeRecipients);
    const [first, second] = items.map(({ itemId }) => itemId) as [string, string];
    const page = await scan('?mark=posted', first);
    expect(page.text).toMatch(/<input type="text" id="scan-code"[^>]* autofocus>/);
    const form = formsOf(page.text).find(({ action }) => action === `/en${path}`);
    const next = await admin.post(form?.action ?? '', { ...form?.hidden, code: second });
    expect(bandOf(next.text)).toEqual(['success', 'Handed in', second]);
  });

  test('an item that was recorded already is amber, and nothing changes', async () => {
    const { _id, items } = await atPress();
    const [{ itemId = '' } = {}] = items;
    await scan('?mark=posted', itemId);
    const { updatedAt } = await scene.read(_id);
    clock.advance(1_000);
    for (const mark of ['posted', 'printed']) {
      const { status, band } = await scan(`?mark=${mark}`, itemId);
      expect([status, ...band]).toEqual([200, 'warning', 'Already posted', `${itemId}. Nothing has changed.`]);
    }
    expect((await scene.read(_id)).updatedAt).toEqual(updatedAt);
    expect(await entriesOf(itemId)).toHaveLength(1);
  });

  test('a wrong scan is red with a sentence and a sound, and records nothing', async () => {
    const other = await scene.sendRendered();
    const { _id, items } = await scene.sendRendered({ color: true });
    const { batchId } = await scene.bringToPress(other._id);
    await scene.bringToPress(_id);
    const [{ itemId = '' } = {}] = items;
    const unknown = 'mi_01h455vb4pex5vsknk084sn02q';
    const cases = [
      ['', 'bat_nothing', 400, 'This is not the mark of a sheet.'],
      ['', unknown, 404, `There is no item ${unknown} in a batch.`],
      [`?batch=${batchId}`, itemId, 409, 'This item belongs to another batch'],
      ['?mark=failed', itemId, 409, 'Say first why the items failed'],
    ] as const;
    for (const [query, code, status, sentence] of cases) {
      const answer = await scan(query, code);
      expect([code, answer.status, ...answer.band]).toEqual([
        code,
        status,
        'danger',
        'Wrong scan',
        expect.stringContaining(sentence),
      ]);
      expect(answer.text).toMatch(/role="alert".*<audio src="(\/assets\/\w+\.wav)" autoplay>/s);
      expect(answer.headers.get('content-security-policy')).toContain("media-src 'self'");
    }
    expect(await statusesOf(_id)).toEqual(['queued']);
    expect(await entriesOf(itemId)).toEqual([]);
    const [, sound = ''] = /<audio src="([^"]*)"/.exec((await scan('', 'x')).text) ?? [];
    const { status, headers, text } = await host.visitor().get(sound);
    expect([status, headers.get('content-type'), text.slice(0, 4)]).toEqual([200, 'audio/wav', 'RIFF']);
  });

  test('items that fail are refunded with the reason that was typed once, and are red afterwards', async () => {
    const { _id, items, batchId } = await atPress(threeRecipients);
    const [first, second] = items.map(({ itemId }) => itemId) as [string, string];
    const opened = await admin.get(`${path}?mark=failed`);
    expect(opened.text).toMatch(/name="reason"[^>]* autofocus>/);
    const onlyReason = await scan('?mark=failed', '', { reason: 'The paper tore.' });
    expect([onlyReason.status, onlyReason.band[0]]).toEqual([200, 'waiting']);
    expect(onlyReason.text).toMatch(/name="code"[^>]* autofocus>/);
    const failed = await scan('?mark=failed', first, { reason: 'The paper tore.' });
    expect(failed.band.slice(0, 2)).toEqual(['success', 'Recorded as failed']);
    expect(failed.text).toContain('value="The paper tore."');
    expect(await statusesOf(_id)).toEqual(['failed', 'queued', 'queued']);
    const refunds = (await ledgerOf(scene.customer)).filter(
      ({ kind, mailJobId }) => kind === 'refund' && mailJobId === _id,
    );
    expect(refunds.map(({ itemId }) => itemId)).toEqual([first]);

    const sentOn = await scan('?mark=posted', first);
    const sentence = 'This item has failed and is refunded. Put it aside, and do not send it.';
    expect([sentOn.status, ...sentOn.band]).toEqual([409, 'danger', 'Wrong scan', sentence]);
    expect((await scan('?mark=failed', first, { reason: 'Again.' })).band[0]).toBe('warning');
    const intoReason = await scan('?mark=failed', second, { reason: toMarkText(second, 1, 1) });
    expect(intoReason.band[2]).toBe('You scanned into the reason. Clear it first.');
    await scan('', second);
    expect(await stateOf(batchId)).toBe('at_press');
  });

  test('nothing of an open batch can be recorded as printed', async () => {
    const { items, batchId = '' } = await atPress();
    await Batch.updateOne({ _id: batchId }, { $set: { state: 'open' } });
    const { status, band } = await scan('', items[0]?.itemId ?? '');
    expect([status, band[2]]).toEqual([409, 'The batch of this item is still open, so nothing of it is printed.']);
  });

  test('the mark of a job ticket leads to its batch', async () => {
    const { batchId = '' } = await atPress();
    const { status, location } = await scan('', `BJ1 ${batchId}`.toUpperCase());
    expect([status, location]).toEqual([303, `/en/admin/press/${batchId}`]);
    expect((await scan('', 'BJ1 BAT_01H455VB4PEX5VSKNK084SN02Q')).band[0]).toBe('danger');
  });

  test('a form whose fields were changed records nothing', async () => {
    const { items, _id } = await atPress();
    const { status, band } = await scan('', items[0]?.itemId ?? '', { mark: 'queued' });
    expect([status, band[0]]).toEqual([400, 'danger']);
    expect(await statusesOf(_id)).toEqual(['queued']);
  });

  test('after a scan of ten thousand characters, the next one is recorded as what was chosen', async () => {
    const { items, _id, batchId } = await atPress();
    const reason = { reason: 'The paper tore.' };
    for (const query of [`?mark=posted&batch=${batchId}`, '?mark=label', '?mark=returned&reason=moved']) {
      const { status, band, text } = await scan(query, 'A'.repeat(10_000));
      expect(band.slice(0, 2)).toEqual(['danger', 'Wrong scan']);
      expect(status).toBeGreaterThanOrEqual(400);
      const hidden = formsOf(text).find(({ action }) => action === `/en${path}`)?.hidden;
      expect(hidden).toMatchObject(Object.fromEntries(new URLSearchParams(query)));
    }
    const long = await scan('?mark=failed', items[0]?.itemId ?? '', { reason: 'x'.repeat(10_000) });
    expect(long.band[2]).toMatch(/^Say first why the items failed, in at most 255 characters/);
    expect((await scan('?mark=failed', 'A'.repeat(10_000), reason)).text).toContain('value="The paper tore."');
    expect(await statusesOf(_id)).toEqual(['queued']);
  });

  test('a hundred scans in a minute are within the limit of a session', async () => {
    const { items } = await atPress();
    const [form] = formsOf((await admin.get(path)).text).filter(({ action }) => action.endsWith(path));
    const code = items[0]?.itemId ?? '';
    const post = () => untilAnswered(() => admin.post(form?.action ?? '', { ...form?.hidden, code }));
    // The first alone: those that come while it is recorded would try again.
    const answers = [await post(), ...(await Promise.all(Array.from({ length: 99 }, post)))];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await MailJob.countDocuments({ 'items.itemId': code, status: 'printed' })).toBe(1);
  });
});
