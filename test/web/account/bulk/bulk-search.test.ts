// Level: push
import mongoose from 'mongoose';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { BulkRow, type BulkRowRecord } from '#common/bulk/model/bulk-row.model.ts';
import { maxSearched, searchRows } from '#common/bulk/read/search-rows.ts';
import { bulkRowId } from '#common/ids.ts';
import { languages } from '#common/languages.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const header = ['Naam', 'Bedrijf', 'Straat', 'Postcode', 'Gemeente', 'Lidnummer', 'Notitie'];
const fields = { name: [0], company: [1], line1: [2], zip: [3], city: [4], reference: [5] };
const list = { header, mapping: { fields, variables: [{ name: 'note', column: 6 }] } };
const people = [
  ['Zoë Żółć-Müller', '', 'Rue Haute 12', '1000', 'Bruxelles', 'm-14', 'secret'],
  ["Sean O'Brien", 'Acme BV', 'Lange Straße 3B', '1234 AB', 'Łódź', 'x.9', ''],
  ['Jean-Pierre d’Hondt', 'Bakkerij Łabędź', 'Kerkstraat 114', '9000', 'Gent', 'INV-2026-001', ''],
  ['Marie Peeters', '', 'Meir 14', 'SW1A1AA', 'Liège', 'INV-2026-0012', ''],
];

describe('finding letters of a list', () => {
  const { world, host } = startWebHost();
  const customer = openOnce(() => world.customer({ mode: 'live' }));
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));
  const stranger = openOnce(() => host.signedIn());

  const pathOf = (id: string) => `/en/account/bulk/${id}/letters`;
  const search = async (id: string, q: string, language = 'en') => {
    await host.limiter.reset(`list-search:${customer.organizationId}`);
    return (await visitor.get(`/${language}/account/bulk/${id}/letters?q=${encodeURIComponent(q)}`)).text;
  };
  const rowsIn = (text: string) =>
    [...text.matchAll(/data-label="Row"[^>]*>([\d,]+)</g)].map(([, row = '']) => Number(row.replace(',', '')));
  /** Follows the link that continues a search, and returns it with the page. */
  const follow = async (text: string) => {
    const [, href = '', label] = /href="([^"]*cursor=[^"]*)">(Continue[^<]*)</.exec(text) ?? [];
    return { label, text: (await visitor.get(href.replaceAll('&amp;', '&'))).text };
  };
  /** Stores a list of so many rows; `match` says which name a person that a search for "wanted" finds. */
  async function aLongList(count: number, match: (index: number) => boolean) {
    const id = await insertBulk(customer, { ...list, state: 'sent' });
    const cells = (name: string) => [name, '', 'Rue Haute', '1000', 'Bruxelles', '', ''];
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ _id: bulkRowId(id, index + 2), bulkId: id, row: index + 2, state: 'valid' as const },
      ...{ cells: cells(match(index) ? 'Ada Wanted' : 'Bo'), faults: [], warnings: [], priceCents: 221, pages: 1 },
    }));
    await rowsOf<BulkRowRecord>(BulkRow).insertMany(rows);
    return id;
  }

  test('recipient, company, street, postcode, town and reference are searched as people type them', async () => {
    const id = await insertBulk(
      customer,
      list,
      people.map((cells) => ({ cells })),
    );
    const found = {
      ...{ ZOE: [2], 'muller zolc': [2], 'brux ada': [], 'haute 1000 zoë': [2], secret: [], oe: [], '000': [] },
      ...{ obrien: [3], "o'brien": [3], 'o brien': [3], strasse: [3], '3b': [3], lodz: [3], '1234ab': [3], acme: [3] },
      ...{ 'd’hondt': [4], dhondt: [4], hondt: [4], 'jean pierre': [4], 'JEAN-PIERRE': [4], labedz: [4], straat: [] },
      ...{
        'Peeters, Marie': [5],
        'sw1a 1aa': [5],
        liege: [5],
        'm-1': [2],
        'inv-2026-001': [4, 5],
        x9: [3],
        '14': [2, 5],
      },
      ...{ '.*': [], '(': [], '1000\\': [2] },
    };
    for (const [q, rows] of Object.entries(found)) expect([q, rowsIn(await search(id, q))]).toEqual([q, rows]);
    expect(rowsIn((await visitor.get(`${pathOf(id)}?q=`)).text)).toEqual([2, 3, 4, 5]);
  });

  test('a page has at most 50 letters, and links to the row where the search continues', async () => {
    const id = await aLongList(60, (index) => index % 60 < 49);
    for (const [matches, next] of [
      [49, undefined],
      [50, undefined],
      [51, 'Continue searching from row 52'],
    ] as const) {
      await BulkRow.updateMany({ bulkId: id, row: { $lt: matches + 2 } }, { 'cells.0': 'Ada Wanted' });
      const text = await search(id, 'wanted');
      const last = Math.min(matches, 50) + 1;
      expect([rowsIn(text).length, rowsIn(text).at(-1), (await follow(text)).label]).toEqual([last - 1, last, next]);
    }
    const { text } = await follow(await search(id, 'wanted'));
    expect([rowsIn(text), (await follow(text)).label]).toEqual([[52], undefined]);
    expect(text).toContain(`<a class="button plain" href="${pathOf(id)}?q=wanted">Search from the first row</a>`);
  });

  test('a page reads 20,000 rows, or fewer long ones, and continues behind them', async () => {
    expect(maxSearched.rows).toBe(20_000);
    const id = await aLongList(20_001, (index) => index === 20_000);
    const first = await search(id, 'wanted');
    expect([rowsIn(first), first.includes('No letter found before row 20,002')]).toEqual([[], true]);
    const next = await follow(first);
    expect([next.label, rowsIn(next.text)]).toEqual(['Continue searching from row 20,002', [20_002]]);
    await BulkRow.deleteOne({ _id: bulkRowId(id, 2) });
    expect(rowsIn(await search(id, 'wanted'))).toEqual([20_002]);

    // The most columns that are searched, with the most characters of each.
    const columns = Array.from({ length: 8 }, (_, field) => Array.from({ length: 6 }, (__, n) => field * 6 + n));
    const [name, company, line1, box, line2, zip, city, reference] = columns;
    const most = { name, company, line1, box, line2, zip, city, reference } as typeof fields;
    const cells = Array.from({ length: 48 }, () => 'x'.repeat(300));
    const rows = Array.from({ length: 450 }, (_, index) => ({ cells: index < 449 ? cells : ['Ada Wanted'] }));
    const long = await insertBulk(customer, { mapping: { fields: most, variables: [] } }, rows);
    const { label, text } = await follow(await search(long, 'wanted'));
    expect([label, rowsIn(text)]).toEqual(['Continue searching from row 417', [451]]);
  });

  test('only this list is searched, by its own organization, and queries name nobody', async () => {
    const rows = people.map((cells) => ({ cells }));
    const id = await insertBulk(customer, { ...list, state: 'sent' }, rows);
    await insertBulk({ ...customer, mode: 'test' }, list, rows);
    await BulkRow.updateOne({ _id: bulkRowId(id, 3) }, { cells: [] });
    const { connection } = mongoose;
    await connection.db?.command({ profile: 2 });
    const { status, text, headers } = await visitor.get(`${pathOf(id)}?q=brien+Zolc`);
    await connection.db?.command({ profile: 0 });
    expect([status, rowsIn(text)]).toEqual([200, []]);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const profile = JSON.stringify(await connection.collection('system.profile').find().toArray());
    expect([profile.includes(bulkRowId(id, 9_999_999).slice(0, 30)), /brien|zolc/i.test(profile)]).toEqual([
      true,
      false,
    ]);
    expect(rowsIn(await search(id, 'zolc'))).toEqual([2]);
    expect((await stranger.get(`${pathOf(id)}?q=zolc`)).status).toBe(404);
  });

  test('a search compares eight different words, and says so when more are typed', async () => {
    const id = await insertBulk(
      customer,
      list,
      people.slice(0, 3).map((cells) => ({ cells })),
    );
    const eight = 'zoe zolc muller rue haute 12 1000 bruxelles';
    expect(rowsIn(await search(id, `${eight} ZOË, ( zoe`))).toEqual([2]);
    for (const language of languages) {
      const text = await search(id, `${eight} m-14`, language);
      expect([language, rowsIn(text), /class="empty-title">[^<]*8[^<]*</.test(text)]).toEqual([language, [], true]);
    }
  });

  test('one search runs at a time, and few of one organization wait', async () => {
    const { cursors } = world.services;
    const [bulk, other] = await Promise.all(
      [customer, await world.customer()].map(async (owner) => {
        const id = await insertBulk(
          owner,
          list,
          people.slice(0, 1).map((cells) => ({ cells })),
        );
        return await Bulk.findById(id).orFail().lean<BulkRecord>();
      }),
    );
    const searches = [bulk, bulk, bulk, bulk, bulk, other].map(
      (of) => of && searchRows(of, { q: 'zoe', limit: 50 }, cursors),
    );
    const ends = (await Promise.allSettled(searches)).map((end) =>
      end.status === 'fulfilled' ? end.value?.rows.length : [end.reason.code, end.reason.retryAfterS],
    );
    expect(ends).toEqual([1, 1, 1, ['RATE_LIMITED', 5], ['RATE_LIMITED', 5], 1]);
  });

  test('the page of the list has the search before and after it is paid, and rows lead to their previews', async () => {
    const id = await insertBulk(
      customer,
      list,
      people.map((cells) => ({ cells })),
    );
    const page = async (language = 'en') => (await visitor.get(`/${language}/account/bulk/${id}`)).text;
    const form = `action="${pathOf(id)}" role="search"`;
    expect(await page()).toContain(form);
    expect(await search(id, 'marie')).toContain(`href="/en/account/bulk/${id}/rows/5">Marie Peeters, Liège</a>`);
    for (const language of languages) {
      const text = await search(id, 'nobody', language);
      expect([language, text.includes('value="nobody"'), text.includes('undefined')]).toEqual([language, true, false]);
    }
    expect(await search(id, 'nobody')).toMatch(/No letter found[\s\S]*Check the spelling, or type fewer words/);
    for (const [state, has] of [
      ['sending', false],
      ['paused', true],
      ['sent', true],
    ] as const) {
      await Bulk.updateOne({ _id: id }, { state, confirmedAt: new Date() });
      expect([state, (await page()).includes(form)]).toEqual([state, has]);
    }
    const checking = { upToRow: 12_000, counts: null, warnedRows: [], prices: [], documents: [], needsSlowSlot: false };
    await Bulk.updateOne({ _id: id }, { state: 'validating', checking });
    expect(await page()).toContain('Checked up to row 12,000 so far.');
    await Bulk.updateOne({ _id: id }, { state: 'sent' });
    expect(await search(id, 'marie')).toContain('<span class="breakable">Marie Peeters, Liège</span>');
    await Bulk.updateOne({ _id: id }, { $unset: { removeAt: 1 } });
    expect([(await page()).includes(form), (await search(id, 'marie')).includes(form)]).toEqual([false, false]);
  });
});
