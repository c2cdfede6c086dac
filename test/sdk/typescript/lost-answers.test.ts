import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Bluejay } from '#scripts/sdk/typescript/src/index.ts';
import { byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aPostalAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createRandom } from '#test/support/random.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

const sends = byLevel({ quick: 60, full: 1_000 });
const lost = 0.2;
const inFlight = 8;

describe(`${sends} letters through a proxy that loses 20 % of the answers`, () => {
  const world = startWorld();
  const proxy = openOnce(() => startFaultProxy(world.url));

  test('each letter is sent and paid once, with and without an externalId', async () => {
    const { random } = createRandom(17);
    const { key, organizationId, balanceCents } = await world.customer({ balanceCents: 1_000_000 });
    // So many attempts that a call fails once in ten million.
    const bluejay = new Bluejay({ apiKey: key, baseUrl: proxy.url, maxRetries: 10 });
    let losses = 0;
    proxy.loseAnswers(() => {
      const isLost = random() < lost;
      if (isLost) losses += 1;
      return isLost;
    });
    const pdf = await aPdf();
    const recipients = [aPostalAddress()];
    const s3Key = await bluejay.uploads.file(pdf);
    const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1, recipients, files: [{ s3Key }] } as const;
    const send = async (n: number) => {
      if (n % 10 === 0) return await bluejay.mails.sendFile(pdf, { recipients, pages: 1 });
      return await bluejay.mails.create({ ...letter, recipients, files: [{ s3Key }], ...externalIdOf(n) });
    };
    const ids: (string | null)[] = [];
    let next = 0;
    const sendOn = async () => {
      while (next < sends) ids.push((await send(next++)).mailJobId);
    };
    await Promise.all(Array.from({ length: inFlight }, sendOn));

    expect(new Set(ids).size).toBe(sends);
    expect(await MailJob.countDocuments({ organizationId })).toBe(sends);
    const { unitCents } = await unitPrice(bluejay);
    expect(await balanceCents()).toBe(1_000_000 - sends * unitCents);
    expect(losses).toBeGreaterThan((sends * lost) / 2);
  });
});

function externalIdOf(n: number): { externalId?: string } {
  return n % 2 === 0 ? { externalId: `order-${n}` } : {};
}

async function unitPrice(bluejay: Bluejay): Promise<{ unitCents: number }> {
  const { totalCents } = await bluejay.quotes.create({ zone: 'NATIONAL', serviceType: 'standard', pages: 1 });
  return { unitCents: totalCents };
}
