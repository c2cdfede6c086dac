// Level: push
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { plusMs } from '#common/clock.ts';
import { createFinding } from '#common/documents/preflight/find-findings.ts';
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { setCoverPageRule } from '#common/organizations/cover-pages.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aRequestAddress, issuePaths, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

/** A page with black text in the window on the left, and one in the margin that no printer reaches. */
async function inWindow(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([595.28, 841.89]);
  page.drawRectangle({ x: 100, y: 841.89 - 200, width: 60, height: 20 });
  page.drawRectangle({ x: 0, y: 400, width: 10, height: 10 });
  return Buffer.from(await document.save());
}

/** A page with a red square. */
async function inRed(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595.28, 841.89]).drawRectangle({ x: 300, y: 300, width: 60, height: 60, color: rgb(1, 0, 0) });
  return Buffer.from(await document.save());
}

describe('POST /v1/preflight', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ mode: 'live' }));
  const check = async (bytes: Buffer, rest: object = {}) => {
    const files = [{ s3Key: await upload(customer, bytes) }];
    return await customer.http.post('/v1/preflight', { files, ...rest });
  };

  test('a plain letter has no findings, and says how it is sent', async () => {
    const { status, body } = await check(await aPdf(3));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'done', canBePrinted: true });
    expect(body.letter).toEqual({
      pages: 3,
      sheets: 2,
      doubleSided: true,
      weightGrams: 15,
      envelope: 'DL',
      envelopes: 1,
      addressOn: 'page',
    });
    expect(body.findings.filter(({ code }: { code: string }) => code !== 'blank_page')).toEqual([]);
    expect((await customer.http.get(`/v1/preflight/${body.preflightId}`)).body).toEqual({
      ...body,
      overlayUrl: expect.any(String),
    });
  });

  test('on one side, each page is a sheet', async () => {
    const pdf = await aPdf(3);
    expect((await check(pdf)).body.letter).toMatchObject({ sheets: 2 });
    expect((await check(pdf, { doubleSided: false })).body.letter).toMatchObject({ sheets: 3, doubleSided: false });
  });

  test('content in the window and at the edge is found, and drawn over the page', async () => {
    const { body } = await check(await inWindow());
    expect(body.letter.addressOn).toBe('cover');
    expect(body.findings).toMatchObject([
      { code: 'outside_printable_area', severity: 'warning', page: 1 },
      { code: 'cover_page_added', severity: 'info', page: 1 },
    ]);
    const picture = await sharp(Buffer.from(await (await fetch(body.overlayUrl)).arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // On the left side of the window's frame: blue.
    const [x, y] = [20, 50].map((mm) => Math.round((mm / 25.4) * 100) - 1) as [number, number];
    const at = (y * picture.info.width + x) * picture.info.channels;
    const [red = 0, , blue = 0] = picture.data.subarray(at, at + 3);
    expect(blue).toBeGreaterThan(red + 40);
  });

  test('colours are printed in grey unless the letter is in colour', async () => {
    const files = [{ s3Key: await upload(customer, await inRed()) }];
    const codes = async (rest: object) => {
      const { body } = await customer.http.post('/v1/preflight', { files, ...rest });
      return body.findings.map(({ code }: { code: string }) => code);
    };
    expect(await codes({})).toEqual(['printed_grey']);
    expect(await codes({ color: true })).toEqual([]);
  });

  test('files that cannot be printed are an error finding, with what to do', async () => {
    const { status, body } = await check(Buffer.from('%PDF-1.7 broken'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ canBePrinted: false, letter: null, overlayUrl: null });
    expect(body.findings).toMatchObject([
      { code: 'damaged_pdf', severity: 'error', fix: expect.stringContaining('Export it again') },
    ]);
  });

  test('equal requests share a result for 24 hours; another rule or service is another check', async () => {
    const bytes = await aPdf(1);
    const files = [{ s3Key: await upload(customer, bytes) }];
    const idOf = async (rest: object = {}) =>
      (await customer.http.post('/v1/preflight', { files, ...rest })).body.preflightId;
    const first = await idOf();
    expect(await idOf({ serviceType: 'standard', zone: 'NATIONAL' })).toBe(first);
    expect(await idOf({ serviceType: 'registered' })).not.toBe(first);
    await setCoverPageRule(customer.organizationId, 'always', { by: { kind: 'cli', id: 'test' }, at: new Date() });
    const covered = await customer.http.post('/v1/preflight', { files });
    expect(covered.body.preflightId).not.toBe(first);
    expect(covered.body.letter.addressOn).toBe('cover');
    await setCoverPageRule(customer.organizationId, 'auto', { by: { kind: 'cli', id: 'test' }, at: new Date() });
    await Preflight.updateOne({ _id: first }, { expiresAt: plusMs(new Date(), -1) });
    expect((await customer.http.get(`/v1/preflight/${first}`)).status).toBe(404);
    expect(await idOf()).not.toBe(first);
  });

  test('recipients are checked too, and are not stored', async () => {
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }];
    const post = async (rest: object) => await customer.http.post('/v1/preflight', { files, ...rest });
    const plain = (await post({})).body.preflightId;
    const good = aRequestAddress({ name: 'Unstored Ada' });
    const recipients = [good, { ...good, name: 'x'.repeat(66) }, { ...good, line1: '王', city: 'Gent 東' }];
    const { body } = await post({ recipients });
    expect(body).toMatchObject({ canBePrinted: false, letter: { addressOn: 'page' } });
    const ofAddresses = [
      { code: 'address_not_printable', message: expect.stringContaining('3 cannot be printed. Its line1 has') },
      { code: 'address_not_printable', message: expect.stringContaining('3 cannot be printed. Its city has') },
      { code: 'address_small', severity: 'warning', message: expect.stringMatching(/recipient 2 is.*Shorten name\.$/) },
    ];
    expect(body.findings).toMatchObject([{ code: 'blank_page' }, ...ofAddresses]);
    expect((await customer.http.get(`/v1/preflight/${body.preflightId}`)).body.findings).toEqual(body.findings);
    expect(JSON.stringify(await Preflight.findById(body.preflightId).lean())).not.toContain('Unstored');
    expect((await post({ recipients: [good] })).body.preflightId).toBe(plain);
    expect((await post({ recipients: [good, good] })).body).toMatchObject({ canBePrinted: true });
    const sender = aRequestAddress({ name: '王' });
    expect((await post({ recipients: [good], sender })).body).toMatchObject({ canBePrinted: false });
    const faulty = [{ ...good, zip: '99' }, { ...good, name: 'a\u202eb' }, { addressId: 'adr_none' }];
    const refused = await post({ recipients: faulty.slice(0, 2), sender: { ...good, zip: '99' } });
    expect([refused.status, issuePaths(refused)]).toEqual([
      400,
      ['recipients.1.name', 'recipients.0.zip', 'sender.zip'],
    ]);
    const abroad = await post({ recipients: [faulty[0], { ...good, country: 'FR' }], zone: 'NATIONAL' });
    expect(issuePaths(abroad)).toEqual(['recipients.0.zip', 'recipients.1.country']);
    expect(issuePaths(await post({ recipients: faulty.slice(2) }))).toEqual(['recipients.0.addressId']);
  });

  test('a check that failed on our side is made again, under another id', async () => {
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }];
    const post = async () => (await customer.http.post('/v1/preflight', { files })).body;
    const first = await post();
    const result = { facts: null, placement: null, findings: [createFinding('not_checked', {})], overlayKey: null };
    await Preflight.updateOne({ _id: first.preflightId }, { $set: { result } });
    const again = await post();
    expect(again.preflightId).not.toBe(first.preflightId);
    expect(again).toMatchObject({ status: 'done', canBePrinted: true });
    expect((await post()).preflightId).toBe(again.preflightId);
  });
});
