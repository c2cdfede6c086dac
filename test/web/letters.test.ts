import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { textsOf } from '../../api/web/texts/texts.ts';
import { newIdAt } from '../../common/ids.ts';
import { languages } from '../../common/languages.ts';
import { failureCodes } from '../../common/mail-jobs/failure.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import type { Customer } from '../support/customer.ts';
import { createVisitor, type Visitor } from '../support/visitor.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const path = '/en/account/letters';

describe('the pages of letters', () => {
  const world = startWorld();
  let host: WebHost;
  let customer: Customer;
  let visitor: Visitor;
  beforeAll(async () => {
    host = await openWebHost(world);
    customer = await world.customer();
    visitor = createVisitor(host.url);
    await visitor.signIn(await host.makeUser({ organizationId: customer.organizationId }));
  });
  afterAll(async () => host.close());

  async function send(overrides: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await customer.http.post('/v1/mails', await aLetter(customer, overrides));
    expect(status).toBe(201);
    return body.mailJobId;
  }
  const links = (page: string) => [...page.matchAll(/\/account\/letters\/(mj_\w+)"/g)].map(([, id]) => id);

  test('given letters of several kinds, when each filter is used, then those that fit are there and no others', async () => {
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const national = await send({ externalId: 'inv <1>', files });
    const abroad = await send({ files, zone: 'INTERNATIONAL', recipients: [{ ...french }], serviceType: 'prior' });
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

  test('given two dates, when letters lie at their midnights in Brussels, then the days count from end to end', async () => {
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

  test('given more letters than a page shows, when the ways on are followed, then each letter comes once', async () => {
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

  test('given a letter that failed, when it is opened, then it says in four languages why, and that the money is back', async () => {
    const mailJobId = await send({ metadata: { case: 'A<7>' }, externalId: 'failing' });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    for (const language of languages) {
      const { status, text } = await visitor.get(`/${language}/account/letters/${mailJobId}`);
      const { failures, failedTitle } = textsOf(language).letter;
      const plain = text.replaceAll('&#39;', "'");
      expect(status).toBe(200);
      expect(plain).toContain(failedTitle);
      expect(plain).toContain(failures.SIMULATED.what);
      expect(plain).toContain(failures.SIMULATED.next);
    }
    const { text } = await visitor.get(`${path}/${mailJobId}`);
    const { body } = await customer.http.get(`/v1/mails/${mailJobId}`);
    const euros = `€${(body.refundedCents / 100).toFixed(2)}`;
    expect(text).toContain(`${euros} went back to your wallet.`);
    for (const shown of ['Ada Peeters', 'letter.pdf', 'case: A&lt;7&gt;', mailJobId, 'VAT 21%', 'Handling', euros]) {
      expect(text).toContain(shown);
    }
  });

  test('given every code that a letter can fail with, when languages are asked, then each has words of its own', () => {
    for (const language of languages) {
      const { failures } = textsOf(language).letter;
      expect(Object.keys(failures).sort()).toEqual([...failureCodes].sort());
      expect(new Set(Object.values(failures).map(({ what }) => what)).size).toBe(failureCodes.length);
    }
  });

  test('given a registered letter under way, when it is opened, then its plan and its reports are there', async () => {
    const webhookUrl = 'http://127.0.0.1:9/hook';
    const mailJobId = await send({ serviceType: 'registered', webhookUrl });
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`);
    const { text } = await visitor.get(`${path}/${mailJobId}`);
    const steps = [...text.matchAll(/<li class="(\w*)"><strong>(\w+)</g)].map(
      ([, kind, status]) => `${status} ${kind}`,
    );
    expect(steps).toEqual(['Queued done', 'Printed done', 'Posted ', 'Delivered ']);
    expect(text).toContain('Planned for');
    expect(text).toContain(webhookUrl);
  });

  test('given the letter of another organization, when its page is opened, then 404, like one that nobody has', async () => {
    const mailJobId = await send();
    const stranger = await host.signedIn();
    for (const id of [mailJobId, newIdAt('mj', new Date()), 'mj_x', '..']) {
      expect((await stranger.get(`${path}/${id}`)).status).toBe(404);
    }
    expect((await stranger.get(path)).text).not.toContain(mailJobId);
    expect((await host.visitor().get(`${path}/${mailJobId}`)).status).toBe(303);
  });

  /** An owner of letters that were created at these times: copies of one that the API has taken. */
  async function copies(times: readonly string[]) {
    const [template] = await MailJob.find({ _id: await send() }).lean<MailJobRecord[]>();
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
