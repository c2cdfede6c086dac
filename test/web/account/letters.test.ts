// Level: push
import { newIdAt } from '#common/ids.ts';
import { languages } from '#common/languages.ts';
import { failureCodes } from '#common/mail-jobs/model/failure.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, upload } from '#test/support/product/customer.ts';
import { letterTexts } from '#test/support/web/letter-texts.ts';
import { createVisitor, startWebHost } from '#test/support/web/web-host.ts';

const path = '/en/account/letters';

describe('the pages of letters', () => {
  const { world, host } = startWebHost();
  const customer = openOnce(() => world.customer());
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));

  const links = (page: string) => [...page.matchAll(/\/account\/letters\/(mj_\w+)"/g)].map(([, id]) => id);

  test('each filter shows exactly the matching letters', async () => {
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const national = await customer.sendAccepted({ externalId: 'inv <1>', files });
    const abroad = await customer.sendAccepted({
      files,
      zone: 'INTERNATIONAL',
      recipients: [{ ...french }],
      serviceType: 'prior',
    });
    await customer.http.post(`/v1/mails/${abroad}/simulate`, { to: 'failed' });

    const all = await visitor.get(path);
    expect(all.status).toBe(200);
    expect(links(all.text)).toEqual([abroad, national]);
    expect(all.text).toContain('inv &lt;1&gt;');
    const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Brussels' });
    const found: Record<string, string[]> = {
      'mode=live': [],
      'mode=test&status=failed': [abroad],
      'mode=test&status=&zone=NATIONAL': [national],
      'serviceType=prior': [abroad],
      'externalId=inv%20%3C1%3E': [national],
      'externalId=inv': [],
      [`from=${today}&to=${today}`]: [abroad, national],
      'to=2020-01-01': [],
      'from=2026-02-31&status=nonsense': [abroad, national],
      'status=failed&zone=NATIONAL': [],
    };
    for (const [query, ids] of Object.entries(found)) {
      expect([query, links((await visitor.get(`${path}?${query}`)).text)]).toEqual([query, ids]);
    }
  });

  test('date filters cover whole days in Brussels time', async () => {
    const { owner, letter } = await copies([
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
    ]);
    const late = await letter('2026-03-29T22:00:00Z');
    const { text } = await owner.get(`${path}?from=2026-03-29&to=2026-03-29`);
    expect(links(text)).toHaveLength(2);
    expect(links(text)).not.toContain(late);
  });

  test('paging shows each letter once', async () => {
    const times = Array.from({ length: 53 }, (_, n) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString());
    const { owner } = await copies(times);
    const seen: (string | undefined)[] = [];
    let next = `${path}?mode=test&zone=NATIONAL`;
    for (let page = 1; page <= 3; page += 1) {
      const { text } = await owner.get(next);
      seen.push(...links(text));
      const [main = ''] = text.split('</main>');
      const [, cursor] = /cursor=([\w-]+)"/.exec(main) ?? [];
      expect([page, cursor !== undefined]).toEqual([page, page < 3]);
      next = `${path}?zone=NATIONAL&mode=test&cursor=${cursor}`;
    }
    expect(new Set(seen).size).toBe(53);
    expect((await owner.get(`${path}?mode=test&zone=INTERNATIONAL&cursor=forged`)).status).toBe(404);
  });

  test('a failed letter states the reason and the refund, in four languages', async () => {
    const mailJobId = await customer.sendAccepted({ metadata: { case: 'A<7>' }, externalId: 'failing' });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    for (const language of languages) {
      const { status, text } = await visitor.get(`/${language}/account/letters/${mailJobId}`);
      const { failures, failedTitle } = letterTexts[language].letter;
      const plain = text.replaceAll('&#39;', "'");
      expect(status).toBe(200);
      expect(plain).toContain(failedTitle);
      expect(plain).toContain(failures.SIMULATED.what);
      expect(plain).toContain(failures.SIMULATED.next);
    }
    const { text } = await visitor.get(`${path}/${mailJobId}`);
    const { body } = await customer.http.get(`/v1/mails/${mailJobId}`);
    const euros = `€${(body.refundedCents / 100).toFixed(2)}`;
    expect(text).toContain(`We refunded ${euros} to your wallet.`);
    for (const shown of ['Ada Peeters', 'letter.pdf', 'case: A&lt;7&gt;', mailJobId, 'VAT 21%', 'Handling', euros]) {
      expect(text).toContain(shown);
    }
  });

  test('every failure code has its own text in every language', () => {
    for (const language of languages) {
      const { failures } = letterTexts[language].letter;
      expect(Object.keys(failures).sort()).toEqual([...failureCodes].sort());
      expect(new Set(Object.values(failures).map(({ what }) => what)).size).toBe(failureCodes.length);
    }
  });

  test('a registered letter in progress shows its timeline and its webhook URL', async () => {
    const webhookUrl = 'http://127.0.0.1:9/hook';
    const mailJobId = await customer.sendAccepted({ serviceType: 'registered', webhookUrl });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`);
    const { text } = await visitor.get(`${path}/${mailJobId}`);
    const steps = [...text.matchAll(/<li class="(\w*)"><strong>(\w+)</g)].map(
      ([, kind, status]) => `${status} ${kind}`,
    );
    expect(steps).toEqual(['Queued done', 'Printed done', 'Posted ', 'Delivered ']);
    expect(text).toContain('Planned for');
    expect(text).toContain(webhookUrl);
  });

  test('letters of other organizations are not listed, and unknown ones are 404', async () => {
    const mailJobId = await customer.sendAccepted();
    const stranger = await host.signedIn();
    for (const id of [newIdAt('mj', new Date()), 'mj_x', '..']) {
      expect((await stranger.get(`${path}/${id}`)).status).toBe(404);
    }
    expect((await stranger.get(path)).text).not.toContain(mailJobId);
    expect((await host.visitor().get(`${path}/${mailJobId}`)).status).toBe(303);
  });

  /** Creates an owner of letters with these creation times, as copies of a letter sent through the API. */
  async function copies(times: readonly string[]) {
    const [template] = await MailJob.find({ _id: await customer.sendAccepted() }).lean<MailJobRecord[]>();
    const user = await host.makeUser();
    const owner = createVisitor(host.url);
    await owner.signIn(user);
    const letter = async (time: string) => {
      const _id = newIdAt('mj', new Date(time));
      const { organizationId } = user;
      await MailJob.collection.insertOne({ ...template, _id, organizationId, createdAt: new Date(time) } as never);
      return _id;
    };
    for (const time of times) await letter(time);
    return { owner, letter };
  }
});

const french = { name: 'Zoé Petit', line1: 'Rue A 1', zip: '75001', city: 'Paris', country: 'FR' };
