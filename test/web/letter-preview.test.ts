import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { aLetter, upload } from '../support/builders.ts';
import type { Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { createVisitor, type Visitor } from '../support/visitor.ts';
import { openWebHost, type WebHost, type WebUser } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

/** A process that opens a document starts in less than a second, on a machine that has time for it. */
const renderedWithinMs = 30_000;

describe('pictures of what is printed', () => {
  const world = startWorld({ hasWorkers: true });
  let host: WebHost;
  let customer: Customer;
  let user: WebUser;
  let visitor: Visitor;
  let mailJobId: string;
  beforeAll(async () => {
    host = await openWebHost(world);
    customer = await world.customer();
    user = await host.makeUser({ organizationId: customer.organizationId });
    visitor = createVisitor(host.url);
    await visitor.signIn(user);
    const files = [{ s3Key: await upload(customer, await twelvePages()) }];
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer, { files, pages: 12 }));
    mailJobId = body.mailJobId;
    await eventually(
      async () => {
        const job = await MailJob.findById(mailJobId).lean<MailJobRecord>();
        expect([job?.failure, job?.printFile?.pageCount]).toEqual([null, 12]);
      },
      { withinMs: renderedWithinMs },
    );
  }, 60_000);
  afterAll(async () => host.close());

  const path = (page: number | string) => `/en/account/letters/${mailJobId}/pages/${page}`;

  async function picture(page: number) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(host.url + path(page), { headers: { cookie } });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  test('given a rendered letter, when a page is asked for, then it is a picture of that page at 100 dots an inch', async () => {
    const { answer, bytes } = await picture(1);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(format).toBe('png');
    expect(Math.abs(width - 827)).toBeLessThanOrEqual(2);
    expect(Math.abs(height - 1169)).toBeLessThanOrEqual(2);
    // Red at the top left, white at the bottom.
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    expect(at(20, 20)).toEqual([255, 0, 0]);
    expect(at(width - 20, height - 20)).toEqual([255, 255, 255]);
    expect((await picture(1)).bytes.equals(bytes)).toBe(true);
  }, 60_000);

  test('given a page as large as PDF allows, when it is drawn, then the picture is bounded', async () => {
    const { answer, bytes } = await picture(12);
    expect(answer.status).toBe(200);
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(1_701);
    expect(Math.max(width, height)).toBeGreaterThan(1_600);
  }, 60_000);

  test('given the page of the letter, when it is opened, then ten pictures are loaded lazily, and the rest are links', async () => {
    const { text } = await visitor.get(`/en/account/letters/${mailJobId}`);
    const pictures = [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
    expect(pictures).toHaveLength(10);
    expect(pictures[0]).toContain('alt="Page 1 of 12"');
    for (const tag of pictures) expect(tag).toMatch(/width="827" height="1169" loading="lazy"/);
    expect(text).toContain(`href="${path(12)}">Page 12 of 12</a>`);
  });

  test('given pages that are not there, and strangers, when pictures are asked for, then 404 and the sign-in', async () => {
    for (const page of [0, 13, 9_999, 'x', '1.5', '-1'])
      expect([page, (await visitor.get(path(page))).status]).toEqual([page, 404]);
    const stranger = await host.signedIn();
    expect((await stranger.get(path(1))).status).toBe(404);
    expect((await host.visitor().get(path(1))).status).toBe(303);
  });

  test('given a letter that is not yet rendered, when its page is opened, then there is no picture, and 404 for one', async () => {
    await MailJob.updateOne({ _id: mailJobId }, { printFile: null });
    const { text } = await visitor.get(`/en/account/letters/${mailJobId}`);
    expect(text).not.toContain('<img ');
    expect(text).toContain('once the letter is ready for printing');
    expect((await visitor.get(path(1))).status).toBe(404);
  });
});

/** Eleven A4 pages with a red corner, and one as large as can be. */
async function twelvePages(): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= 12; page += 1) {
    const sheet = document.addPage(page === 12 ? [14_400, 14_400] : [595.28, 841.89]);
    sheet.drawRectangle({ x: 0, y: sheet.getHeight() - 100, width: 100, height: 100, color: rgb(1, 0, 0) });
  }
  return Buffer.from(await document.save());
}
