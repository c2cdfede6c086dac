// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { reprintItem } from '#common/production/operator/reprint-item.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { ledgerOf } from '#test/support/product/customer.ts';
import { s10Of } from '#test/support/production/s10-of.ts';
import { startPressHost, threeRecipients } from '#test/support/web/press-host.ts';
import { formsOf } from '#test/support/web/web-host.ts';

const path = '/admin/press/items';

describe('an item in the administration area', () => {
  const { admin, scene, clock, beginDay, atPress, allAtPress, stateOf, statusesOf } = startPressHost();
  beforeEach(beginDay);

  async function anItem(overrides: Record<string, unknown> = {}) {
    const job = await atPress(overrides);
    const [{ itemId = '' } = {}] = job.items;
    return { job, itemId, page: `${path}/${itemId}` };
  }
  const actionsOf = (page: string, text: string) =>
    formsOf(text)
      .map(({ action }) => action.replace(`/en${page}/`, ''))
      .filter((action) => !action.startsWith('/'));
  const entriesOf = async (subjectId: string) => await AuditEntry.find({ subjectId }).sort({ _id: 1 }).lean();

  test('each status offers the steps after it, and its page has no name or street', async () => {
    const { itemId, page, job } = await anItem();
    const queued = await admin.get(page);
    expect(actionsOf(page, queued.text)).toEqual(['printed', 'posted', 'delivered', 'failed', 'reprint']);
    expect(queued.text).not.toMatch(/Peeters|Rue Haute/);
    for (const text of [job._id, job.batchId, itemId, '1000, Belgium', 'batched']) expect(queued.text).toContain(text);
    const offered = [];
    for (const mark of ['printed', 'posted', 'delivered']) {
      const done = await admin.send(page, `${page}/${mark}`, {});
      expect([done.status, done.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
      offered.push(actionsOf(page, (await admin.get(page)).text));
      clock.advance(1);
    }
    expect(offered).toEqual([
      ['posted', 'delivered', 'failed', 'reprint'],
      ['delivered', 'failed', 'returned'],
      ['returned'],
    ]);
    expect((await admin.get(page)).text).toContain('This item has reached its final status.');
    expect((await entriesOf(itemId)).map(({ action, detail }) => [action, detail.from, detail.to])).toEqual([
      ['item.status-set', 'queued', 'printed'],
      ['item.status-set', 'printed', 'posted'],
      ['item.status-set', 'posted', 'delivered'],
    ]);
    expect(await stateOf(job.batchId)).toBe('posted');
  });

  test('an item of an open batch may only fail or be printed again', async () => {
    const { page, job } = await anItem();
    await Batch.updateOne({ _id: job.batchId ?? '' }, { $set: { state: 'open' } });
    const { text } = await admin.get(page);
    expect(actionsOf(page, text)).toEqual(['failed', 'reprint']);
    expect(text).toContain('Its batch is still open, so nothing of it is printed.');
  });

  test('an item fails with a reason, is refunded, and the letter goes on with the rest', async () => {
    const { itemId, page, job } = await anItem(threeRecipients);
    const blank = await admin.send(page, `${page}/failed`, { reason: ' ' });
    expect([blank.status, blank.text.includes('Fill in this field.')]).toEqual([400, true]);
    expect(await statusesOf(job._id)).toEqual(['queued', 'queued', 'queued']);
    await admin.send(page, `${page}/failed`, { reason: 'The paper tore.' });
    expect(await statusesOf(job._id)).toEqual(['failed', 'queued', 'queued']);
    const { text } = await admin.get(page);
    expect(text).toContain('PRINT_FAILED: The paper tore.');
    expect([actionsOf(page, text), text.includes('Open the copy')]).toEqual([[], false]);
    const refunds = (await ledgerOf(scene.customer)).filter(
      ({ kind, itemId: of }) => kind === 'refund' && of === itemId,
    );
    expect(refunds).toHaveLength(1);
    expect(await entriesOf(itemId)).toMatchObject([{ action: 'item.status-set', detail: { to: 'failed' } }]);
  });

  test('a report that is too late is refused in a sentence', async () => {
    const { page } = await anItem();
    const [form] = formsOf((await admin.get(page)).text).filter(({ action }) => action.endsWith('/printed'));
    await admin.send(page, `${page}/delivered`, {});
    const late = await admin.post(form?.action ?? '', form?.hidden ?? {});
    expect([late.status, late.text.includes('An item that is delivered cannot become printed.')]).toEqual([409, true]);
  });

  test('a reprint is in the history with its reason and number, and its copy can be opened', async () => {
    const { itemId, page, job } = await anItem();
    const reprint = `${page}/reprint`;
    expect((await admin.send(page, reprint, { reason: '' })).status).toBe(400);
    await admin.send(page, reprint, { reason: 'Coffee on it.' });
    await admin.send(page, `${page}/printed`, {});
    await admin.send(page, reprint, { reason: 'It fell.' });
    expect(await ItemHistory.find({ itemId, kind: 'reprinted' }).sort({ _id: 1 }).lean()).toMatchObject([
      { _id: `${itemId}:reprinted:1`, by: 'operator', detail: { reason: 'Coffee on it.' }, mailJobId: job._id },
      { _id: `${itemId}:reprinted:2`, detail: { reason: 'It fell.' } },
    ]);
    expect(await statusesOf(job._id)).toEqual(['printed']);
    const numbers = (await entriesOf(itemId)).flatMap(({ action, detail }) =>
      action === 'item.reprinted' ? [detail.number] : [],
    );
    expect(numbers.sort()).toEqual([1, 2]);
    expect((await admin.get(page)).text).toContain('reason: Coffee on it.');

    // The object store goes by the real time.
    clock.set(new Date());
    admin.cookies.clear();
    await admin.signIn(admin.user);
    const { status, location } = await admin.get(`${page}/copy`);
    expect(status).toBe(303);
    const copy = await fetch(location ?? '');
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await copy.text()).slice(0, 5)).toBe('%PDF-');
  });

  test('a failed or posted item is not reprinted, and none more than twenty times', async () => {
    const { itemId, page } = await anItem();
    const [form] = formsOf((await admin.get(page)).text).filter(({ action }) => action.endsWith('/reprint'));
    const at = clock.now();
    const numbers = await Promise.all(Array.from({ length: 5 }, () => reprintItem({ itemId, reason: 'x' }, at)));
    expect(numbers.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4, 5]);
    for (let number = 6; number <= 20; number += 1) await reprintItem({ itemId, reason: 'x' }, at);
    await expect(reprintItem({ itemId, reason: 'x' }, at)).rejects.toMatchObject({ code: 'CONFLICT' });
    await admin.send(page, `${page}/failed`, { reason: 'Torn.' });
    const late = await admin.post(form?.action ?? '', { ...form?.hidden, reason: 'Again.' });
    expect([late.status, late.text.includes('Record the reprint')]).toEqual([409, false]);
    await beginDay();
    const posted = await anItem();
    await admin.send(posted.page, `${posted.page}/posted`, {});
    await expect(reprintItem({ itemId: posted.itemId, reason: 'x' }, at)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('the number on the label of a registered letter is recorded, and replaced by another one', async () => {
    const [{ items }, standard] = await allAtPress({ serviceType: 'registered' }, {});
    const [{ itemId = '' } = {}] = items;
    const [first, one, two] = [`${path}/${itemId}`, s10Of(9_000), s10Of(9_001)];
    const empty = await admin.send(first, `${first}/label`, { label: '' });
    expect([empty.status, empty.text.includes('Nothing was read.')]).toEqual([400, true]);
    const [form] = formsOf((await admin.get(first)).text).filter(({ action }) => action.endsWith('/label'));
    const done = await admin.send(first, `${first}/label`, { label: `]C0${one.toLowerCase()}` });
    expect([done.status, done.location]).toEqual([303, `/en${first}?notice=changeSaved`]);
    expect((await admin.get(first)).text).toContain(`Its label has the number <code>${one}</code>.`);
    const late = await admin.post(form?.action ?? '', { ...form?.hidden, label: two });
    expect([late.status, late.text.includes(`has the tracking number ${one} already.`)]).toEqual([409, true]);
    expect((await admin.send(first, `${first}/label`, { label: two })).status).toBe(303);
    const tracked = (await entriesOf(itemId)).map(({ action, actor, detail }) => [action, actor.id, detail.number]);
    const by = admin.user.userId;
    expect(tracked).toEqual([
      ['item.tracked', by, one],
      ['item.tracked', by, two],
    ]);
    const page = `${path}/${standard?.items[0]?.itemId}`;
    expect(actionsOf(page, (await admin.get(page)).text)).not.toContain('label');
    await admin.send(first, `${first}/failed`, { reason: 'Torn.' });
    expect(actionsOf(first, (await admin.get(first)).text)).not.toContain('label');
  });

  test('a return is recorded once, with a reason, when the letter was posted', async () => {
    const { itemId, page, job } = await anItem();
    expect(actionsOf(page, (await admin.get(page)).text)).not.toContain('returned');
    await admin.send(page, `${page}/posted`, {});
    const [form] = formsOf((await admin.get(page)).text).filter(({ action }) => action.endsWith('/returned'));
    for (const reason of ['', 'rain']) {
      const { status, text } = await admin.send(page, `${page}/returned`, { reason });
      expect([status, text.includes('Choose an option.')]).toEqual([400, true]);
    }
    const done = await admin.send(page, `${page}/returned`, { reason: 'unclaimed' });
    expect([done.status, done.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
    expect((await scene.read(job._id)).items[0]?.returned).toEqual({ reason: 'unclaimed', at: clock.now() });
    expect((await entriesOf(itemId)).at(-1)).toMatchObject({
      ...{ action: 'item.returned', actor: { kind: 'user', id: admin.user.userId } },
      detail: { mailJobId: job._id, reason: 'unclaimed' },
    });
    const { text } = await admin.get(page);
    expect([actionsOf(page, text), text.includes('not collected')]).toEqual([['delivered', 'failed'], true]);
    const late = await admin.post(form?.action ?? '', { ...form?.hidden, reason: 'moved' });
    expect([late.status, late.text.includes('came back already, with the reason unclaimed.')]).toEqual([409, true]);
  });

  test('an item that is in no batch is not found', async () => {
    const { items } = await scene.sendRendered();
    for (const id of [items[0]?.itemId, 'mi_01h455vb4pex5vsknk084sn02q', 'mi_1']) {
      expect((await admin.get(`${path}/${id}`)).status).toBe(404);
    }
  });
});
