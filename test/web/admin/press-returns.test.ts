// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { returnReasons } from '#common/mail-jobs/model/returned.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { bandOf, startPressHost, threeRecipients } from '#test/support/web/press-host.ts';
import { formsOf } from '#test/support/web/web-host.ts';

const path = '/admin/press/scan';
const query = '?mark=returned&reason=moved';

describe('scanning the letters that came back', () => {
  const { admin, scene, clock, beginDay, atPress, scan } = startPressHost();
  beforeEach(beginDay);

  /** A letter to three recipients. The first two copies of it were posted. */
  async function aLetter() {
    const { _id, items } = await atPress(threeRecipients);
    const ids = items.map(({ itemId }) => itemId) as [string, string, string];
    for (const id of ids.slice(0, 2)) await scan('?mark=posted', id);
    return { _id, ids };
  }
  const returnsOf = async (mailJobId: string) => (await scene.read(mailJobId)).items.map(({ returned }) => returned);
  const entriesOf = async (subjectId: string) =>
    await AuditEntry.find({ subjectId, action: 'item.returned' }).sort({ _id: 1 }).lean();

  test('the reason is chosen once, then each scan is recorded with it', async () => {
    const { _id, ids } = await aLetter();
    const opened = await admin.get(`${path}?mark=returned`);
    expect(bandOf(opened.text)).toEqual([
      'waiting',
      'Choose the reason',
      'Then scan all letters that came back for it.',
    ]);
    const links = [...opened.text.matchAll(/href="\/en\/admin\/press\/scan\?mark=returned&amp;reason=(\w+)"/g)];
    expect(links.map(([, code]) => code)).toEqual([...returnReasons]);

    const chosen = await admin.get(`${path}${query}`);
    expect(bandOf(chosen.text)).toEqual(['waiting', 'Ready', 'Each scan is recorded as returned: moved.']);
    expect(chosen.text).toMatch(/<input type="text" id="scan-code"[^>]* autofocus>/);
    let page = chosen.text;
    for (const id of ids.slice(0, 2)) {
      const form = formsOf(page).find(({ action }) => action === `/en${path}`);
      const answer = await admin.post(form?.action ?? '', { ...form?.hidden, code: toMarkText(id, 1, 1) });
      expect([answer.status, ...bandOf(answer.text)]).toEqual([200, 'success', 'Returned', `${id}: moved`]);
      expect(answer.text).not.toContain('<audio');
      page = answer.text;
    }
    const returned = { reason: 'moved', at: clock.now() };
    expect(await returnsOf(_id)).toEqual([returned, returned, undefined]);
    const actor = { kind: 'user', id: admin.user.userId };
    expect(await entriesOf(ids[0])).toMatchObject([{ actor, detail: { mailJobId: _id, reason: 'moved' } }]);
  });

  test('a letter that came back before is amber, for another reason too, and nothing changes', async () => {
    const { _id, ids } = await aLetter();
    await scan(query, ids[0]);
    const before = await scene.read(_id);
    clock.advance(1_000);
    for (const reason of ['moved', 'refused']) {
      const { status, band } = await scan(`?mark=returned&reason=${reason}`, ids[0]);
      expect([status, ...band.slice(0, 2)]).toEqual([200, 'warning', 'Already returned']);
      expect(band[2]).toMatch(/: moved, recorded .*\. Nothing has changed\.$/);
    }
    expect(await scene.read(_id)).toEqual(before);
    expect(await entriesOf(ids[0])).toHaveLength(1);
  });

  test('a letter that was not posted, a scan without a reason and a wrong code are red with a sound', async () => {
    const { _id, ids } = await aLetter();
    const cases = [
      [query, ids[2], 409, 'This item is queued, not handed in, so it cannot have come back. Put it aside.'],
      ['?mark=returned', ids[0], 409, 'Choose first why the letters came back. Then scan this one again.'],
      ['?mark=returned&reason=rain', ids[0], 409, 'Choose first why the letters came back.'],
      [query, 'mi_01h455vb4pex5vsknk084sn02q', 404, 'There is no item'],
      [query, 'RR473124829XX', 400, 'This is not the mark of a sheet.'],
    ] as const;
    for (const [from, code, status, sentence] of cases) {
      const { band, text, ...answer } = await scan(from, code);
      const expected = [status, 'danger', 'Wrong scan', expect.stringContaining(sentence)];
      expect([from, code, answer.status, ...band]).toEqual([from, code, ...expected]);
      expect(text).toMatch(/role="alert".*<audio src="\/assets\/\w+\.wav" autoplay>/s);
    }
    expect((await scan(query, ids[0], { reason: 'rain' })).band[2]).toContain('Choose first');
    await scan('?mark=failed', ids[2], { reason: 'Torn.' });
    const torn = 'This item has failed and is refunded, so it was not posted. Put it aside.';
    expect((await scan(query, ids[2])).band[2]).toBe(torn);
    expect(await returnsOf(_id)).toEqual([undefined, undefined, undefined]);
  });

  test('Enter without a scan keeps the reason', async () => {
    const { status, band, text } = await scan(query, '');
    expect([status, ...band.slice(0, 2)]).toEqual([200, 'waiting', 'Ready']);
    expect(formsOf(text).find(({ action }) => action === `/en${path}`)?.hidden).toMatchObject({ reason: 'moved' });
  });
});
