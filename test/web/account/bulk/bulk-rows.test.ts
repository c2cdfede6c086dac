// Level: push

import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { listRows, readBulk } from '#common/bulk/read/read-bulk.ts';
import { plusMs } from '#common/clock.ts';
import { openPdf } from '#common/documents/pdf/pdf-source.ts';
import { bulkRowId, keysWithin, newId } from '#common/ids.ts';
import { languages } from '#common/languages.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { listMailJobs } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { TemporaryObject } from '#common/platform/s3/temporary-object.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { aList, checkedBulk, insertBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

describe('the rows of a list before it is paid', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 10_000 }));
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));
  const stranger = openOnce(() => host.signedIn());
  const linksTo = (text: string, path: string) =>
    [...(text.split('</main>')[0] ?? '').matchAll(new RegExp(`href="[^"]*${path}/rows/(\\d+)"`, 'g'))].map(([, row]) =>
      Number(row),
    );

  test('three rows, sheets, weight and the total by country are shown before the confirmation', async () => {
    const rows = [
      'Ada;Ada;Rue Haute 1;1000;Bruxelles;BE;short',
      'Jan;Jan;Kerkstraat 22, achterbouw;9000;Gent;BE;short',
      'Bo;Bo;Dam 1;1012 JS;Amsterdam;NL;a much longer text than all others',
      'Bad;Bad;Dam 1;;Amsterdam;NL;the longest text of all, of a row with faults',
    ];
    const list = Buffer.from(['Full name;First name;Street;Postcode;City;Country;Note', ...rows].join('\n'));
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const text = 'Dear ((first name)), ((note)).';
    const { templateId } = await createTemplate(owner, { name: 'Note', language: 'en', text }, new Date());
    const { bulkId, totalCents } = await checkedBulk(customer, list, { hasDocument: false, request: { templateId } });
    const path = `/account/bulk/${bulkId}`;
    for (const language of languages) {
      const page = (await visitor.get(`/${language}${path}`)).text;
      expect([language, linksTo(page, path)]).toEqual([language, [2, 3, 4, 2]]);
      const pictures = [...page.matchAll(/src="[^"]*\/rows\/(\d)\/pages\/1"/g)];
      expect(pictures.map(([, row]) => row)).toEqual(['2', '3', '4']);
      expect(page).not.toContain('undefined');
    }
    const page = (await visitor.get(`/en${path}`)).text;
    expect(page).toMatch(/Row 2: first row[\s\S]*Row 3: longest address[\s\S]*Row 4: longest text/);
    expect(page).toMatch(/data-label="Sheets" class="number">1<[\s\S]*data-label="Weight" class="number">10 g</);
    const byCountry = /data-label="(?:Country|Service|Letters|Sum)"[^>]*>([^<]*)</g;
    const cells = [...page.matchAll(byCountry)].map(([, cell = '']) => cell).slice(-8);
    expect(cells.filter((_, index) => index % 4 < 3)).toEqual([
      ...['Belgium', 'Standard', '2'],
      ...['Netherlands', 'Standard', '1'],
    ]);
    const centsOf = (cell = '') => Number(cell.replace(/\D/g, ''));
    expect(centsOf(cells[3]) + centsOf(cells[7])).toBe(totalCents);
  });

  test('a row shows its pages, a PDF, the rows beside it and those worth a look; a stranger sees nothing', async () => {
    const { bulkId } = await checkedBulk(
      customer,
      aList(4, (row) => (row === 2 ? { zip: '1' } : {})),
    );
    const path = `/account/bulk/${bulkId}`;
    const first = (await visitor.get(`/en${path}/rows/2`)).text;
    expect(first).toContain('<h1>Row 2</h1>');
    expect(first).toContain(`<img src="/en${path}/rows/2/pages/1" alt="Page 1 of 1"`);
    expect(first).not.toContain('rel="prev"');
    expect(first).toContain(`rel="next" href="/en${path}/rows/3">Next row (3)`);
    const faulty = (await visitor.get(`/en${path}/rows/3`)).text;
    expect(faulty).toMatch(/not sent until it is corrected[\s\S]*<strong>Postcode:<\/strong> A Belgian postal code/);
    expect(faulty).not.toContain('<img');
    const last = (await visitor.get(`/nl${path}/rows/5`)).text;
    expect(last).toContain('Vorige rij (4)');
    expect(last).not.toContain('rel="next"');

    const { headers } = await visitor.getBytes(`/en${path}/rows/2/pages/1`);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['image/png', 'no-store']);
    const pdf = await visitor.get(`/en${path}/rows/2/pdf`);
    expect([pdf.status, pdf.headers.get('location')]).toEqual([303, expect.stringMatching(/mi_\w+\.pdf\?/)]);
    for (const rest of ['/rows/2', '/rows/2/pages/1', '/rows/2/pdf', '/rows/3']) {
      expect([rest, (await stranger.get(`/en${path}${rest}`)).status]).toEqual([rest, 404]);
    }
    for (const row of ['1', '6', '0', 'x', '02'])
      expect([row, (await visitor.get(`/en${path}/rows/${row}`)).status]).toEqual([row, 404]);
  });

  test('rows with warnings are linked from each row, and a list that is sent leads to its own page', async () => {
    const warning = { column: 2, code: 'decimals_removed', detail: null } as const;
    const found = { firstRow: 2, longestAddress: { row: 4, length: 9 }, longestText: { row: 3, length: 1 } };
    const rows = [{ state: 'faulty' as const }, {}, { warnings: [warning] }];
    const owner = { organizationId: customer.organizationId, mode: 'live' as const };
    const id = await insertBulk(owner, { overview: { ...found, countries: [] }, warnedRows: [3, 4] }, rows);
    const path = `/account/bulk/${id}`;
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}${path}/rows/2`);
      // The next row, the first one and the longest address, then those with warnings.
      expect([language, linksTo(text, path)]).toEqual([language, [3, 2, 4, 3, 4]]);
      expect(text).not.toContain('undefined');
    }
    const sent = await insertBulk(owner, { state: 'sent' }, rows);
    const answer = await visitor.get(`/en/account/bulk/${sent}/rows/2`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/en/account/bulk/${sent}`]);
  });

  test('the letters of a sent list are in its order, with recipient, reference and status', async () => {
    const list = aList(52, (row) => (row === 3 ? { name: 'Jan Maes', zip: '1' } : { name: `Ada ${row}` }));
    const { organizationId } = customer;
    const payer = await world.customer({ organizationId, balanceCents: 100_000 });
    const { bulkId } = await checkedBulk(payer, list);
    expect((await payer.http.post(`/v1/bulk/${bulkId}/confirm`, { skipFaultyRows: true })).status).toBe(200);
    await waitForBulk(payer, bulkId, ['sent']);
    const path = `/en/account/bulk/${bulkId}`;
    expect((await visitor.get(path)).text).toContain(`href="${path}/letters"`);
    const { text } = await visitor.get(`${path}/letters`);
    const shown = (label: string, of = text) =>
      [...of.matchAll(new RegExp(`data-label="${label}"[^>]*>([\\s\\S]*?)</td>`, 'g'))].map(([, cell = '']) =>
        cell.replaceAll(/<[^>]+>/g, '').trim(),
      );
    expect(shown('Row').slice(0, 3)).toEqual(['2', '3', '4']);
    const names = Array.from({ length: 50 }, (_, at) =>
      at === 2 ? 'Jan Maes, Bruxelles' : `Ada ${at + 1}, Bruxelles`,
    );
    expect(shown('Recipient')).toEqual(names);
    expect(shown('Reference').slice(0, 3)).toEqual(['m-1', 'm-2', 'm-3']);
    expect([shown('Status')[2], text.match(/href="\/en\/account\/letters\/mj_/g)?.length]).toEqual(['Not sent', 49]);
    const next = /href="([^"]*letters\?cursor=[^"]*)">Next rows</.exec(text)?.[1] ?? '';
    expect(shown('Row', (await visitor.get(next.replaceAll('&amp;', '&'))).text)).toEqual(['52', '53']);
    expect((await stranger.get(`${path}/letters`)).status).toBe(404);

    const { rows } = await listMailJobs({ organizationId, mode: 'test' }, { limit: 100 }, world.services.cursors);
    const first = rows.find(({ externalId }) => externalId === `${bulkId}:2`)?._id;
    const letter = (await visitor.get(`/en/account/letters/${first}`)).text;
    expect(letter).toMatch(/<h1[^>]*>[^<]*Ada 1, m-1/);
    expect(letter).toContain(`href="${path}/letters">Row 2<`);
    expect(letter).not.toContain(`${bulkId}:2`);
    const sent = await readBulk({ organizationId, mode: 'test' }, bulkId);
    const [read] = (await listRows(sent, { limit: 1 }, world.services.cursors)).rows;
    expect(Object.keys(read?.job ?? {})).toHaveLength(5);
    const status = async (to: string) => await MailJob.updateMany({ organizationId, mode: 'test' }, { status: to });
    await status('posted');
    expect((await visitor.get(path)).text).not.toContain(`${path}/cancel`);
    await status('queued');
    expect((await visitor.get(path)).text).toContain(`${path}/cancel`);
  });

  test('fifty letters are in one PDF, each on its own sheets, before and after they are paid', async () => {
    const { organizationId } = customer;
    const payer = await world.customer({ organizationId, balanceCents: 100_000 });
    const list = aList(52, (row) => (row === 3 ? { name: 'Jan Maes', zip: '1' } : { name: `Ada ${row}` }));
    const { bulkId } = await checkedBulk(payer, list);
    const path = `/en/account/bulk/${bulkId}`;
    /** Waits until the letters from a row on are ready. Returns the rows, the pages of the PDF and the row of the link. */
    const together = async (from: number) => {
      const text = await eventually(async () => {
        const answer = await visitor.get(`${path}/proofs/${from}`);
        expect(answer.text).toContain('target="_blank" rel="noreferrer">Open the PDF</a>');
        return answer.text;
      });
      const [, url = ''] = /href="([^"]*)" target="_blank"/.exec(text) ?? [];
      const pdf = await fetch(url.replaceAll('&amp;', '&'));
      const { pages } = await openPdf(new Uint8Array(await pdf.arrayBuffer()));
      const [, rows] = /<h2>Rows ([^<]*)<\/h2>/.exec(text) ?? [];
      return [rows, pages.length, /proofs\/(\d+)">Next letters/.exec(text)?.[1]];
    };
    expect((await visitor.get(path)).text).toContain(`href="${path}/proofs/1">Letters as one PDF</a>`);
    // Row 4 has faults. A blank page follows each letter of one page.
    expect(await together(1)).toEqual(['2 to 52', 100, '53']);
    expect(await together(53)).toEqual(['53 to 53', 2, undefined]);
    expect((await visitor.get(`${path}/proofs/54`)).text).toContain('There is no letter to show here.');
    const kept = { _id: /\/letters-\d+-\d+\.pdf$/, name: keysWithin(bulkId), organizationId, mode: 'test' as const };
    expect(await TemporaryObject.countDocuments({ ...kept, storedAt: { $ne: null }, sizeBytes: { $gt: 0 } })).toBe(2);

    const tenth = { _id: bulkRowId(bulkId, 10) };
    await BulkRow.updateOne(tenth, { s3Key: newId('mi') });
    expect(await together(1)).toEqual(['2 to 52', 98, '53']);
    expect((await visitor.get(`${path}/proofs/1`)).text).toContain('Letters of these rows cannot be prepared: 10.');
    await BulkRow.updateOne(tenth, { $unset: { s3Key: 1 } });
    const full = { _id: 't/full', name: 'full', organizationId, mode: 'test' as const, storedAt: new Date() };
    await TemporaryObject.create({ ...full, sizeBytes: 3 * 1024 ** 3, removeAt: plusMs(new Date(), 3_600_000) });
    await eventually(async () => {
      const { headers, text, status } = await visitor.get(`${path}/proofs/3`);
      expect([status, headers.get('refresh'), text.includes('prepared or kept')]).toEqual([200, '60', true]);
    });
    await TemporaryObject.deleteOne({ _id: 't/full' });

    expect((await payer.http.post(`/v1/bulk/${bulkId}/confirm`, { skipFaultyRows: true })).status).toBe(200);
    await waitForBulk(payer, bulkId, ['sent']);
    expect((await visitor.get(path)).text).toContain(`href="${path}/proofs/1">Letters as one PDF</a>`);
    expect(await together(2)).toEqual(['2 to 52', 100, '53']);
    const late = { externalId: { $in: [`${bulkId}:2`, `${bulkId}:3`] } };
    await MailJob.updateMany(late, { 'printFile.sizeBytes': 60_000_000 });
    expect(await together(2)).toEqual(['2 to 2', 2, '3']);
    await MailJob.updateMany(late, { 'printFile.removedAt': new Date() });
    expect(await together(2)).toEqual(['2 to 52', 96, '53']);
    await MailJob.updateMany(late, { printFile: null, status: 'queued' });
    // Looks are limited, and those above may have used them up.
    await eventually(async () => {
      const { headers, text } = await visitor.get(`${path}/proofs/2`);
      expect([headers.get('refresh'), text.includes('Being prepared.')]).toEqual(['3', true]);
    });
    expect((await stranger.get(`${path}/proofs/2`)).status).toBe(404);
  });

  test('one look at letters together begins to render ten of them, beside those of its other lanes', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const { templateId } = await createTemplate(owner, { name: 'N', language: 'en', text: '((name))' }, new Date());
    const { bulkId } = await checkedBulk(customer, aList(18), { hasDocument: false, request: { templateId } });
    const ofList = { keptFor: bulkId };
    const { headers } = await visitor.get(`/en/account/bulk/${bulkId}/proofs/1`);
    const begun = await Preflight.countDocuments(ofList);
    expect(headers.get('refresh')).toBe('3');
    // Fewer where the text of a letter is not typeset yet.
    expect(begun).toBeLessThanOrEqual(13);
    await eventually(async () => {
      expect((await visitor.get(`/en/account/bulk/${bulkId}/proofs/1`)).text).toContain('>Open the PDF</a>');
    });
    expect(await Preflight.countDocuments(ofList)).toBe(18);
  });
});
