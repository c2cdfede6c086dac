// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { addTrackingRange, closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { beforeEach, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { textsOf } from '#test/support/production/read-paper.ts';
import { startPressHost, threeRecipients } from '#test/support/web/press-host.ts';
import { formsOf } from '#test/support/web/web-host.ts';

const path = '/admin/press';

describe('the batches in the administration area', () => {
  const { admin, scene, clock, press, beginDay, atPress, inDoubt, stateOf, statusesOf } = startPressHost();
  const makeFolder = useTempFolders();
  beforeEach(beginDay);

  /** The labels of the big links and buttons of a page. */
  const bigButtons = (text: string) =>
    [...text.matchAll(/<(?:a|button) class="button big [^>]*>([^<]*)</g)].map(([, label]) => label);
  const mainOf = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  const entriesOf = async (subjectId = '') => await AuditEntry.find({ subjectId }).sort({ _id: 1 }).lean();
  const by = () => ({ kind: 'user', id: admin.user.userId });

  test('the list has those that need the operator first, then at press, open, printed and posted', async () => {
    const france = { zone: 'INTERNATIONAL', recipients: [aRequestAddress({ zip: '75001', country: 'FR' })] };
    const kinds = [{ serviceType: 'registered' }, { color: true }, {}, { ...france, color: true }, france];
    const sent = [];
    for (const kind of kinds) sent.push((await scene.sendRendered(kind))._id);
    Object.assign(press.settings, { crashAt: 'before', isBlind: true });
    const batchIds: (string | undefined)[] = [];
    for (const id of sent) batchIds.push((await scene.bringToPress(id)).batchId);
    const [, stuck = '', , printed, posted] = batchIds;
    const problem = 'The press is switched off. Switch it on.';
    await Batch.updateOne({ _id: stuck }, { $set: { state: 'closed', problem } });
    await admin.send(`${path}/${printed}/printed`, `${path}/${printed}/printed`, {});
    await admin.send(`${path}/${posted}/posted`, `${path}/${posted}/posted`, {});
    await scene.runBatches();
    const { text } = await admin.get(path);
    const ids = [...mainOf(text).matchAll(/<code>(bat_\w+)<\/code>/g)].map(([, id]) => id);
    expect(ids).toEqual(batchIds);
    const heads = [...mainOf(text).matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, head]) => head);
    const own = ['Needs you (2)', 'At press (1)', 'Printed, to be handed in (1)', 'Posted today (1)'];
    expect(heads).toEqual(own);
    expect(text).toContain(problem);
    expect((await admin.get('/admin')).text).toMatch(/Batches that need you.*?badge danger">2</s);
    await Batch.updateMany({ state: { $ne: 'posted' } }, { $set: { state: 'posted' } });
    expect((await admin.get('/admin')).text).toMatch(/Batches that need you.*?badge success">None</s);
  });

  test('a notice counts the rendered live letters that nobody prints', async () => {
    expect((await admin.get(path)).text).not.toContain('Letters without a provider');
    await scene.sendRendered({ serviceType: 'prior' });
    await scene.send({ serviceType: 'prior' });
    const { text } = await admin.get(path);
    expect(text).toContain('Letters without a provider');
    expect(text).toContain('1 live letter waits because no provider prints it.');
  });

  test('a notice says when few tracking numbers are left', async () => {
    const range = { country: 'XX', firstSerial: 0, automaticZones: [], note: null };
    await addTrackingRange({ ...range, indicator: 'RA', lastSerial: 499 }, undefined, clock.now());
    expect((await admin.get(path)).text).not.toContain('Tracking numbers left');
    await addTrackingRange({ ...range, indicator: 'RB', lastSerial: 498 }, undefined, clock.now());
    await addTrackingRange({ ...range, indicator: 'RC', lastSerial: 0 }, undefined, clock.now());
    expect((await admin.get(path)).text).toContain('Tracking numbers left: 499 of RB XX, 1 of RC XX.');
    for (const rangeId of ['RB-XX-1', 'RC-XX-1']) await closeTrackingRange(rangeId, undefined, clock.now());
    expect((await admin.get(path)).text).not.toContain('Tracking numbers left');
  });

  test('a search finds items by mark, id, letter, external id and postcode, of batches only', async () => {
    const externalId = `invoice-${clock.now().toISOString()}`;
    const { _id, items, batchId } = await atPress({ ...threeRecipients, externalId });
    const [first, second] = items.map(({ itemId }) => itemId) as [string, string];
    const found = async (search: string) => {
      const { status, location, text } = await admin.get(`${path}?search=${encodeURIComponent(search)}`);
      return status === 303 ? location : [...new Set(text.match(/mi_\w{26}(?=<)/g))];
    };
    expect(await found(`BJ1 ${first.toUpperCase()} 1/1`)).toBe(`/en${path}/items/${first}`);
    expect(await found(first)).toBe(`/en${path}/items/${first}`);
    expect(await found(batchId ?? '')).toBe(`/en${path}/${batchId}`);
    expect(await found(externalId)).toEqual(items.map(({ itemId }) => itemId));
    expect(await found(_id)).toEqual(items.map(({ itemId }) => itemId));
    expect(await found('9000')).toEqual([second]);
    await scene.sendRendered({ ...threeRecipients, externalId: 'not-in-a-batch', serviceType: 'prior' });
    for (const none of ['not-in-a-batch', '9', 'Ada Peeters', 'mi_01h455vb4pex5vsknk084sn02q']) {
      expect(await found(none)).toEqual([]);
    }
    expect(mainOf((await admin.get(`${path}?search=9000`)).text)).not.toMatch(/Janssens|Rue Haute|At press/);
  });

  test('a batch shows its counts and pages of its items, without names or streets', async () => {
    const letters = [];
    const recipients = Array.from({ length: 19 }, () => threeRecipients.recipients[0]);
    for (let index = 0; index < 3; index += 1) {
      letters.push(await scene.sendRendered({ recipients }));
      // Letters of one millisecond have no order.
      clock.advance(1);
    }
    const { batchId } = await scene.bringToPress(letters[0]?._id ?? '');
    const page = `${path}/${batchId}`;
    const first = await admin.get(page);
    expect(first.text).toContain('All (57)');
    expect(mainOf(first.text)).not.toMatch(/Peeters|Rue Haute/);
    const idsIn = (text: string) => [...mainOf(text).matchAll(/items\/(mi_\w+)"/g)].map(([, id]) => id);
    const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first.text) ?? [];
    const rest = await admin.get(next.replaceAll('&amp;', '&'));
    const all = letters.flatMap(({ items }) => items.map(({ itemId }) => itemId));
    expect([...idsIn(first.text), ...idsIn(rest.text)]).toEqual(all);
    expect(idsIn(first.text)).toHaveLength(50);

    const missing = all[4] ?? '';
    await admin.send(`${path}/items/${missing}`, `${path}/items/${missing}/printed`, {});
    expect(idsIn((await admin.get(`${page}?status=printed`)).text)).toEqual([missing]);
    expect((await admin.get(`${page}?status=printed`)).text).toContain('Queued (56)');
  });

  test('each state offers what an operator may report then, and nothing else', async () => {
    const { batchId = '' } = await atPress();
    const offered: Record<string, unknown> = {};
    for (const state of ['open', 'closed', 'submitting', 'at_press', 'needs_operator', 'printed', 'posted']) {
      await Batch.updateOne({ _id: batchId }, { $set: { state } });
      offered[state] = bigButtons((await admin.get(`${path}/${batchId}`)).text);
    }
    expect(offered).toEqual({
      open: [],
      closed: [],
      submitting: [],
      at_press: ['All printed', 'Handed in at the post office', 'Scan its items'],
      needs_operator: ['It was printed', 'Print it again', 'Scan its items'],
      printed: ['Handed in at the post office', 'Scan its items'],
      posted: [],
    });
  });

  test('a batch is reported as printed, then as handed in, after a confirmation that needs no script', async () => {
    const { _id, batchId } = await atPress(threeRecipients);
    const [page, printed, posted] = [`${path}/${batchId}`, `${path}/${batchId}/printed`, `${path}/${batchId}/posted`];
    const asked = await admin.get(printed);
    expect(bigButtons(asked.text)).toEqual(['Yes, all of it was printed', 'No, go back']);
    expect(formsOf(asked.text).map(({ action }) => action)).toContain(`/en${printed}`);
    expect(await stateOf(batchId)).toBe('at_press');
    expect((await admin.get(posted)).text).toContain('3 items are not recorded as printed. They become posted too.');

    const done = await admin.send(printed, printed, {});
    expect([done.status, done.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
    const pending = await admin.get(page);
    expect(pending.text).toContain('Its items are being marked as printed. This page reloads until all are.');
    expect([pending.headers.get('refresh'), bigButtons(pending.text)]).toEqual(['2', []]);
    expect((await admin.get(printed)).text).toContain('This batch has changed meanwhile.');
    await scene.runBatches();
    expect((await admin.get(page)).headers.get('refresh')).toBeNull();
    expect(await statusesOf(_id)).toEqual(['printed', 'printed', 'printed']);
    expect(await stateOf(batchId)).toBe('printed');
    expect((await admin.get(posted)).text).not.toContain('not recorded as printed');
    clock.advance(1);
    await admin.send(posted, posted, {});
    await scene.runBatches();
    expect([await stateOf(batchId), ...(await statusesOf(_id))]).toEqual(['posted', 'posted', 'posted', 'posted']);
    expect((await admin.get(printed)).text).toContain('This batch has changed meanwhile.');
    expect(await entriesOf(batchId)).toMatchObject([
      { action: 'batch.printed', actor: by(), detail: { from: 'at_press', items: 3 } },
      { action: 'batch.posted', actor: by(), detail: { from: 'printed', items: 3 } },
    ]);
  });

  test('a report that comes too late is refused in a sentence, and is not in the audit log', async () => {
    const { batchId } = await atPress();
    const printed = `${path}/${batchId}/printed`;
    const [form] = formsOf((await admin.get(printed)).text).filter(({ action }) => action.endsWith('/printed'));
    await admin.send(printed, printed, {});
    await scene.runBatches();
    const late = await admin.post(form?.action ?? '', form?.hidden ?? {});
    expect([late.status, late.text.includes('A batch that is printed cannot be marked as printed.')]).toEqual([
      409,
      true,
    ]);
    const again = await admin.post(`/en${path}/${batchId}/print-again`, form?.hidden ?? {});
    expect([again.status, again.text.includes('A batch that is printed is not in doubt.')]).toEqual([409, true]);
    expect(await entriesOf(batchId)).toHaveLength(1);
    expect((await admin.get(`${path}/bat_01h455vb4pex5vsknk084sn02q`)).status).toBe(404);
  });

  test.each(['printed', 'print-again'] as const)(
    'a batch in doubt says why, and the operator answers: %s',
    async (step) => {
      const { _id, batchId } = await inDoubt();
      const { text } = await admin.get(`${path}/${batchId}`);
      expect(text).toContain('Only you can tell whether it was printed');
      expect(text).toContain('It is not known whether the press has this batch');
      const confirm = `${path}/${batchId}/${step}`;
      expect((await admin.get(confirm)).text.includes('letters are sent twice')).toBe(step === 'print-again');
      await admin.send(confirm, confirm, {});
      const isAgain = step === 'print-again';
      expect(await stateOf(batchId)).toBe(isAgain ? 'closed' : 'at_press');
      press.settings.isBlind = false;
      press.printed.length = 0;
      await scene.runBatches();
      expect([await stateOf(batchId), press.printed.length]).toEqual(isAgain ? ['at_press', 1] : ['printed', 0]);
      expect(await statusesOf(_id)).toEqual([isAgain ? 'queued' : 'printed']);
      const action = isAgain ? 'batch.printed-again' : 'batch.printed';
      expect(await entriesOf(batchId)).toMatchObject([{ action, actor: by(), detail: { from: 'needs_operator' } }]);
    },
  );

  test('the papers of a batch are PDFs of the items that have not failed', async () => {
    const { _id, batchId, items } = await atPress(threeRecipients);
    const item = `${path}/items/${items[0]?.itemId}`;
    await admin.send(item, `${item}/failed`, { reason: 'Torn.' });
    const page = `${path}/${batchId}`;
    expect((await admin.get(page)).text).toContain(`/en${page}/job-ticket`);
    const folder = await makeFolder();
    const paper = async (name: string) => {
      const { status, headers, bytes } = await admin.getBytes(`${page}/${name}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(headers.get('content-disposition')).toBe(`attachment; filename=${name}-${batchId}.pdf`);
      return (await textsOf(bytes, folder)).join(' ');
    };
    const ticket = await paper('job-ticket');
    expect(items.map(({ itemId }) => ticket.includes(itemId))).toEqual([false, true, true]);
    expect(await paper('deposit-slip')).toContain('Total 2');

    const rest = items.slice(1).map(({ itemId }) => `${path}/items/${itemId}`);
    for (const each of rest) await admin.send(each, `${each}/failed`, { reason: 'Torn.' });
    expect(await statusesOf(_id)).toEqual(['failed', 'failed', 'failed']);
    expect((await admin.get(page)).text).not.toContain('job-ticket');
    expect((await admin.get(`${page}/job-ticket`)).status).toBe(404);
    expect((await admin.get(`${page}/deposit-slip`)).status).toBe(404);
  });

  test('a batch that an operator prints has its letters as PDFs, by URLs that expire', async () => {
    const { batchId = '' } = await atPress({});
    const parts = [1, 501].map((firstSequence, index) => {
      return { s3Key: `press/x/part-${index + 1}.pdf`, pageCount: 1_000, sizeBytes: 9, firstSequence, copyCount: 500 };
    });
    await Batch.updateOne({ _id: batchId }, { $set: { provider: 'manual' } });
    expect((await admin.get(`${path}/${batchId}`)).text).toContain('The PDF with the letters is being made');
    await Batch.updateOne({ _id: batchId }, { $set: { printParts: parts } });
    const { text } = await admin.get(`${path}/${batchId}`);
    expect(text).toContain('Letters to print, items 501 to 1,000 (PDF, 1,000 pages)');
    const opened = await admin.get(`${path}/${batchId}/print/2`);
    expect([opened.status, opened.location]).toEqual([303, expect.stringMatching(/part-2\.pdf\?.*X-Amz-Expires=300/)]);
    for (const part of ['0', '3', 'x']) expect((await admin.get(`${path}/${batchId}/print/${part}`)).status).toBe(404);
  });
});
