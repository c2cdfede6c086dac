// Level: ci
import { AuditEntry } from '#common/audit/audit.model.ts';
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { s10Of } from '#test/support/production/s10-of.ts';
import { bandOf, startPressHost, threeRecipients } from '#test/support/web/press-host.ts';
import { formsOf } from '#test/support/web/web-host.ts';

const path = '/admin/press/scan';

describe('scanning the labels of registered letters', () => {
  const { admin, scene, beginDay, allAtPress, scan } = startPressHost();
  beforeEach(beginDay);

  let serial = 0;
  function aLabel(): string {
    serial += 1;
    return s10Of(serial);
  }
  /** A registered letter, and others of its cutoff, by the fields of each. */
  async function registered(fields: Record<string, unknown> = {}, ...others: Record<string, unknown>[]) {
    const serviceType = 'registered';
    const letters = await allAtPress(...[fields, ...others].map((each) => ({ serviceType, ...each })));
    const read = letters.map(({ _id, items, batchId = '' }) => {
      return { _id, batchId, ids: items.map(({ itemId }) => itemId) as [string, string, string] };
    });
    type Letter = (typeof read)[number];
    return read as [Letter, Letter, Letter, Letter];
  }
  const numbersOf = async (mailJobId: string) =>
    (await scene.read(mailJobId)).items.map(({ tracking }) => tracking?.number ?? null);
  /** The item that waits on a page for its label: what its form sends. */
  const waitsOn = (page: string) => formsOf(page).find(({ action }) => action === `/en${path}`)?.hidden.item ?? null;
  const waiting = (itemId: string) => `?mark=label&item=${itemId}`;

  test('each mark and its label are one pair, and the page is ready for the next', async () => {
    const [{ _id, ids, batchId }] = await registered(threeRecipients);
    const labels = [aLabel(), '010'.padEnd(30, '7'), 'DHL4711'];
    const texts = [
      'S10, check digit right',
      'bpost, 30 digits',
      'a number of no known form: compare it with the label',
    ];
    let query = `?mark=label&batch=${batchId}`;
    for (const [index, itemId] of ids.entries()) {
      const marked = await scan(query, toMarkText(itemId, 1, 2));
      const place = `Belgium ${['1000', '9000', '2000'][index]}`;
      expect(marked.band).toEqual(['next', 'Now scan its label', `${itemId}, ${place} waits for its label.`]);
      expect([marked.status, waitsOn(marked.text)]).toEqual([303, itemId]);
      expect(marked.text).toMatch(/<input type="text" id="scan-code"[^>]* autofocus>/);
      const label = labels[index] ?? '';
      const done = await scan(`${waiting(itemId)}&batch=${batchId}`, `]C0${label.toLowerCase()}\r`);
      expect([done.status, ...done.band]).toEqual([
        ...[200, 'success', 'Label recorded'],
        `${itemId} has ${label} (${texts[index]}).`,
      ]);
      expect([waitsOn(done.text), done.text.includes('<audio')]).toEqual([null, false]);
      expect(done.text).toContain(`${index + 1} of 3 items of <code>${batchId}</code> have a label.`);
      query = `?mark=label&batch=${batchId}`;
    }
    expect(await numbersOf(_id)).toEqual(labels);
    const actor = { kind: 'user', id: admin.user.userId };
    const entries = await AuditEntry.find({ subjectId: { $in: ids } }).lean();
    expect(entries).toHaveLength(3);
    for (const entry of entries) expect(entry).toMatchObject({ action: 'item.tracked', actor, mode: 'live' });
  });

  test('who hands a batch in is told how many of its items have no label', async () => {
    const [{ ids, batchId }, { batchId: ofStandard }] = await registered(threeRecipients, { serviceType: 'standard' });
    const page = async (id: string) => (await admin.get(`/admin/press/${id}/posted`)).text;
    expect(await page(batchId)).toContain('3 items have no label recorded. Scan the labels first');
    for (const itemId of ids.slice(1)) await scan(waiting(itemId), aLabel());
    expect(await page(batchId)).toContain('1 item has no label recorded.');
    expect((await admin.get(`/admin/press/${batchId}/printed`)).text).not.toContain('no label recorded');
    await scan(waiting(ids[0]), aLabel());
    for (const id of [batchId, ofStandard]) expect(await page(id)).not.toContain('no label recorded');
  });

  test('the page after a pair takes the next mark, and the same page again shows who waits', async () => {
    const [{ ids }, { ids: others }] = await registered(threeRecipients, { color: true });
    const done = await scan(waiting(ids[0]), aLabel());
    const form = formsOf(done.text).find(({ action }) => action === `/en${path}`);
    const next = await admin.post(form?.action ?? '', { ...form?.hidden, code: others[0] });
    expect(next.location).toBe(`/en${path}?mark=label&item=${others[0]}`);
    for (let reload = 0; reload < 2; reload += 1) {
      const { text } = await admin.get(next.location ?? '');
      expect([waitsOn(text), bandOf(text)[1]]).toEqual([others[0], 'Now scan its label']);
    }
    const enter = await scan(waiting(others[0]), ' ');
    expect([waitsOn(enter.text), enter.band[0]]).toEqual([others[0], 'next']);
  });

  test('another mark in between waits instead, in amber, and the first letter has no label', async () => {
    const [{ _id, ids }] = await registered(threeRecipients);
    const [first, second] = ids;
    expect((await scan(waiting(first), toMarkText(first, 2, 2))).band[0]).toBe('next');
    const other = await scan(waiting(first), toMarkText(second, 1, 2));
    expect([waitsOn(other.text), ...other.band]).toEqual([
      ...[second, 'warning', 'Another letter: scan its label'],
      `${second}, Belgium 9000 waits now. ${first} has no label yet: scan its mark again later.`,
    ]);
    expect((await admin.get(other.location ?? '')).text).toContain('Another letter: scan its label');
    const label = aLabel();
    await scan(waiting(second), label);
    expect(await numbersOf(_id)).toEqual([null, label, null]);
    expect((await scan(waiting(second), toMarkText(first, 1, 2))).band[0]).toBe('next');
  });

  test('a letter that has its label is amber, and its label again changes nothing', async () => {
    const [{ _id, ids }] = await registered();
    const label = aLabel();
    await scan(waiting(ids[0]), label);
    const marked = await scan('?mark=label', ids[0]);
    expect(marked.band.slice(0, 2)).toEqual(['warning', 'It has a label already']);
    expect(marked.band[2]).toContain(label);
    const again = await scan(waiting(ids[0]), label);
    expect([again.status, ...again.band.slice(0, 2)]).toEqual([200, 'warning', 'Recorded before']);
    const torn = await scan(waiting(ids[0]), aLabel());
    expect([torn.status, torn.band[0]]).toEqual([409, 'danger']);
    expect(torn.band[2]).toContain('If this letter has a new label, record it on the page of the item.');
    expect(await numbersOf(_id)).toEqual([label]);
    expect(await AuditEntry.countDocuments({ subjectId: ids[0] })).toBe(1);
  });

  test('a wrong scan is red with a sound and says what to do, and the right letter goes on waiting', async () => {
    const letters = await registered(threeRecipients, { serviceType: 'standard' }, { color: true }, { color: true });
    const [{ _id, ids }, { ids: standard }, { ids: elsewhere, batchId }, { ids: failed }] = letters;
    const [first, second] = ids;
    const taken = aLabel();
    await scan(waiting(second), taken);
    await admin.send(`/admin/press/items/${failed[0]}`, `/admin/press/items/${failed[0]}/failed`, { reason: 'Torn.' });
    const misread = aLabel().replace(/\dXX$/, (end) => `${(Number(end[0]) + 1) % 10}XX`);
    const cases = [
      ['?mark=label', aLabel(), 409, 'Scan the mark of the letter first, then its label.', null],
      [waiting(first), misread, 400, 'wrong check digit: a character was misread. Scan the label again.', first],
      [waiting(first), 'AB1', 400, 'Scan the label again.', first],
      [waiting(first), taken, 409, `${taken} is the tracking number of ${second}. Compare the labels`, first],
      // It may be what remains of the mark of another letter.
      [waiting(first), '8PEX5VSKNK 1/2', 400, 'Scan the mark of the letter, then its label.', null],
      [waiting(first), standard[0], 409, 'not registered, so it gets no label. Put it aside.', null],
      [waiting(first), failed[0], 409, 'has failed and is refunded. Put it aside', null],
      [waiting(first), 'mi_01h455vb4pex5vsknk084sn02q', 404, 'There is no item', null],
      [`?mark=label&batch=${batchId}`, first, 409, 'belongs to another batch', null],
      [`${waiting(elsewhere[0])}&batch=${batchId}`, '1234', 400, 'Scan the label again.', elsewhere[0]],
    ] as const;
    for (const [query, code, status, sentence, stillWaits] of cases) {
      const answer = await scan(query, code);
      const { band, text } = answer;
      const expected = [status, 'danger', 'Wrong scan', expect.stringContaining(sentence), stillWaits];
      expect([code, answer.status, ...band, waitsOn(text)]).toEqual([code, ...expected]);
      expect(text).toMatch(/role="alert".*<audio src="\/assets\/\w+\.wav" autoplay>/s);
    }
    expect(await numbersOf(_id)).toEqual([null, taken, null]);
  });

  test('the batch of registered letters leads to its labels, and to the forms of receipts', async () => {
    const receipt = { acknowledgmentReceipt: true };
    const letters = await registered({ ...threeRecipients, ...receipt }, {}, { serviceType: 'standard' });
    const links = await Promise.all(
      letters.map(async ({ batchId }) => {
        const { text } = await admin.get(`/admin/press/${batchId}`);
        const hasLabels = text.includes(`href="/en${path}?mark=label&amp;batch=${batchId}"`);
        return [hasLabels, text.includes('href="/en/admin/press/receipts"')];
      }),
    );
    expect(links).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect((await admin.get('/admin/press')).text).toContain('href="/en/admin/press/receipts"');
    const listed = async () => {
      const { status, text } = await admin.get('/admin/press/receipts');
      const rows = [...text.matchAll(/items\/(mi_\w+)".*?data-label="Label"[^>]*>(.*?)<\/td>/gs)];
      expect([status, /Peeters|Janssens|Rue Haute/.test(text)]).toEqual([200, false]);
      return rows.map(([, itemId, label = '']) => [itemId, label.replaceAll(/<[^>]*>/g, '')]);
    };
    const [{ ids }] = letters;
    expect(await listed()).toEqual([]);
    for (const id of ids.slice(0, 2)) await scan('?mark=printed', id);
    const label = aLabel();
    await scan(waiting(ids[1]), label);
    expect(await listed()).toEqual([
      [ids[0], 'Not scanned yet'],
      [ids[1], label],
    ]);
    await scan('?mark=posted', ids[0]);
    expect(await listed()).toEqual([[ids[1], label]]);
  });

  test('an item in the URL is checked like a scanned one', async () => {
    const letters = await registered({}, { color: true }, { serviceType: 'standard' });
    const [{ ids, batchId }, { ids: others }, { ids: standard }] = letters;
    for (const [query, status] of [
      [waiting(standard[0]), 409],
      [waiting('mi_01h455vb4pex5vsknk084sn02q'), 404],
      [`${waiting(others[0])}&batch=${batchId}`, 409],
      [`${waiting(ids[0])}&left=${standard[0]}`, 200],
      [`${waiting(ids[0])}&left=mi_01h455vb4pex5vsknk084sn02q`, 200],
      [waiting('mi_1'), 200],
    ] as const) {
      const answer = await admin.get(`${path}${query}`);
      const band = status === 409 || status === 404 ? 'danger' : query.endsWith('mi_1') ? 'waiting' : 'next';
      expect([query, answer.status, bandOf(answer.text)[0]]).toEqual([query, status, band]);
      expect(waitsOn(answer.text)).toBe(query.startsWith(waiting(ids[0])) ? ids[0] : null);
    }
  });
});
