// Level: push
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { beforeAll, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { upload } from '#test/support/product/customer.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

describe('page previews of letters', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const customer = openOnce(() => world.customer());
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));
  let mailJobId: string;
  beforeAll(async () => {
    const files = [{ s3Key: await upload(customer, await twelvePages()) }];
    const { body } = await customer.send({ files, pages: 12 });
    mailJobId = body.mailJobId;
    await eventually(async () => {
      const job = await MailJob.findById(mailJobId).lean<MailJobRecord>();
      expect([job?.failure, job?.printFile?.pageCount]).toEqual([null, 12]);
    });
  });

  const path = (page: number | string) => `/en/account/letters/${mailJobId}/pages/${page}`;

  async function picture(page: number) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(host.url + path(page), { headers: { cookie } });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  test('a page of a rendered letter is an image at 100 dpi', async () => {
    const { answer, bytes } = await picture(1);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(format).toBe('png');
    expect(Math.abs(width - 827)).toBeLessThanOrEqual(2);
    expect(Math.abs(height - 1169)).toBeLessThanOrEqual(2);
    // Red at the top left, which a letter without colour shows in grey, white at the bottom.
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    expect(at(20, 20)).toEqual([76, 76, 76]);
    expect(at(width - 20, height - 20)).toEqual([255, 255, 255]);
    expect((await picture(1)).bytes.equals(bytes)).toBe(true);
  });

  test('the preview of a page that is too large to be fitted to A4 has a bounded size', async () => {
    const { answer, bytes } = await picture(12);
    expect(answer.status).toBe(200);
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(1_701);
    expect(Math.max(width, height)).toBeGreaterThan(1_600);
  });

  test('the letter shows ten lazily loaded previews and links to the other pages', async () => {
    const { text } = await visitor.get(`/en/account/letters/${mailJobId}`);
    const pictures = [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
    expect(pictures).toHaveLength(10);
    expect(pictures[0]).toContain('alt="Page 1 of 12"');
    for (const tag of pictures) expect(tag).toMatch(/width="827" height="1169" loading="lazy"/);
    expect(text).toContain(`href="${path(12)}">Page 12 of 12</a>`);
  });

  test('previews of missing pages are 404, visitors are sent to the sign-in', async () => {
    for (const page of [0, 13, 9_999, 'x', '1.5', '-1'])
      expect([page, (await visitor.get(path(page))).status]).toEqual([page, 404]);
    const stranger = await host.signedIn();
    expect((await stranger.get(path(1))).status).toBe(404);
    expect((await host.visitor().get(path(1))).status).toBe(303);
  });

  test('a letter that is not rendered yet has no previews', async () => {
    await MailJob.updateOne({ _id: mailJobId }, { printFile: null });
    const { text } = await visitor.get(`/en/account/letters/${mailJobId}`);
    expect(text).not.toContain('<img ');
    expect(text).toContain('as soon as the letter is ready to print');
    expect((await visitor.get(path(1))).status).toBe(404);
  });
});

/** Eleven A4 pages with a red corner, and one page of the maximum size. */
async function twelvePages(): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= 12; page += 1) {
    const sheet = document.addPage(page === 12 ? [20_000, 20_000] : [595.28, 841.89]);
    sheet.drawRectangle({ x: 0, y: sheet.getHeight() - 100, width: 100, height: 100, color: rgb(1, 0, 0) });
  }
  return Buffer.from(await document.save());
}
