// Level: ci
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { plusMs } from '#common/clock.ts';
import { newIdAt } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Customer } from '#test/support/product/customer.ts';
import { beforeAll, byLevel, describe, expect } from '../support/jest.ts';
import { findBarriers, sidewaysOverflow, signInAt, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost, type WebUser } from '../support/web/web-host.ts';

const dayMs = 86_400_000;
const statuses = ['queued', 'printed', 'posted', 'delivered', 'failed'] as const;
const reasons = ['CANCELLED', 'PAGE_COUNT_MISMATCH', 'FILE_UNREADABLE', 'DEPOSIT_FAILED'] as const;
/** `SCREENSHOTS=folder` saves what the tests look at. */
const screenshotFolder = process.env.SCREENSHOTS;

describe('the reports in a browser', () => {
  const { world, host } = startWebHost();
  const openPage = useBrowser();
  let customer: Customer;
  let user: WebUser;

  /** Letters of 90 days: on day n before today n mod 9, each status in turn. */
  beforeAll(async () => {
    customer = await world.customer();
    user = await host.makeUser({ organizationId: customer.organizationId });
    const mailJobId = await customer.sendAccepted();
    const letter = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    const now = world.clock.now();
    const rows = Array.from({ length: 90 }, (_, back) => back).flatMap((back) =>
      Array.from({ length: back % 9 }, (_, n) => {
        const at = plusMs(now, -back * dayMs - n);
        const status = statuses[(back + n) % statuses.length] ?? 'queued';
        const postedAt = plusMs(at, (n + 1) * 3_600_000);
        return {
          ...letter,
          ...{ _id: newIdAt('mj', at), createdAt: at, due: {}, status, queuedAt: at, postedAt },
          serviceType: n % 2 ? ('registered' as const) : ('standard' as const),
          deliveredAt: status === 'delivered' ? plusMs(postedAt, (n + 1) * dayMs) : null,
          failure: status === 'failed' ? { code: reasons[n % 4] ?? 'CANCELLED', message: 'No' } : null,
        };
      }),
    );
    await MailJob.insertMany(rows);
  });

  const views = [
    ['/account/reports', ''],
    ['/account/reports', 'period'],
    ['/account/reports?mode=live', 'empty'],
    ['/account', 'overview'],
  ] as const;
  const period = () => {
    const day = (back: number) =>
      plusMs(world.clock.now(), -back * dayMs)
        .toISOString()
        .slice(0, 10);
    return `?mode=test&from=${day(89)}&to=${day(0)}`;
  };

  testInBrowser.each(views.map(([path, name]) => ({ path, name })))(
    '$path $name is accessible and fits from 360 px on, in light and dark',
    async ({ path, name }) => {
      const { page, troubles } = await openPage(host.url, { reducedMotion: 'reduce' });
      await signInAt(page, `${host.url}/en/sign-in`, user);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      for (const language of byLevel({ quick: ['de'], full: ['de'], long: ['en', 'de'] })) {
        await page.goto(`${host.url}/${language}${path}${name === 'period' ? period() : ''}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 900 });
            expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
            if (screenshotFolder === undefined) continue;
            await mkdir(screenshotFolder, { recursive: true });
            const file = `reports-${name}-${language}-${colorScheme}-${width}.png`;
            await page.screenshot({ path: join(screenshotFolder, file), fullPage: true });
          }
          expect(await findBarriers(page)).toEqual([]);
        }
      }
      expect(troubles).toEqual([]);
    },
  );

  testInBrowser('without JavaScript the period can be changed, and the tables open', async () => {
    const { page } = await openPage(host.url, { javaScriptEnabled: false });
    await signInAt(page, `${host.url}/en/sign-in`, user);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${host.url}/en/account/reports`);
    await page.getByLabel('Mode').selectOption('live');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No letters in this period').waitFor();
    await page.goto(`${host.url}/en/account/reports?mode=test`);
    await page.getByText('Show the numbers as a table').first().click();
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
  });
});
