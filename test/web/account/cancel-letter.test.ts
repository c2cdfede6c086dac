// Level: push
import { languages } from '#common/languages.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

describe('cancelling a letter in the account', () => {
  const { world, host } = startWebHost();
  const customer = openOnce(() => world.customer());
  const visitor = openOnce(() => host.signedIn({ organizationId: customer.organizationId }));
  const pathOf = (id: string) => `/en/account/letters/${id}`;

  test('the letter offers it, asks once, and shows the refund and every step', async () => {
    const before = await customer.balanceCents();
    const id = await customer.sendAccepted();
    expect((await visitor.get(pathOf(id))).text).toContain(`/account/letters/${id}/cancel`);
    const question = await visitor.get(`${pathOf(id)}/cancel`);
    expect([question.status, question.text.includes('Cancel this letter?')]).toEqual([200, true]);
    const answer = await visitor.send(`/account/letters/${id}/cancel`, `/account/letters/${id}/cancel`, {});
    expect(answer.status).toBe(303);
    expect(await customer.balanceCents()).toBe(before);
    const { text } = await visitor.get(pathOf(id));
    expect(text).toContain('The letter was cancelled before it was posted.');
    for (const step of ['Accepted and paid', 'Failed', 'Refunded: €']) expect(text).toContain(step);
    expect(text).not.toContain(`/account/letters/${id}/cancel`);
  });

  test('a letter that is printed does not offer it, and leads back', async () => {
    const id = await customer.sendAccepted();
    await customer.http.post(`/v1/mails/${id}/simulate`);
    expect((await visitor.get(pathOf(id))).text).not.toContain('/cancel"');
    const refused = await visitor.get(`${pathOf(id)}/cancel`);
    expect([refused.status, refused.headers.get('location')]).toEqual([303, expect.stringContaining(pathOf(id))]);
  });

  test('a refusal says that it is too late, in each language', async () => {
    const id = await customer.sendAccepted();
    const question = `/account/letters/${id}/cancel`;
    const { text: form } = await visitor.get(`/en${question}`);
    const token = /name="_csrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
    await customer.http.post(`/v1/mails/${id}/simulate`);
    const reasons = ['gone to print', 'bereits im Druck', 'wordt al gedrukt', 'à l’impression'];
    const answers = await Promise.all(
      languages.map((language) => visitor.post(`/${language}${question}`, { _csrf: token, action: 'cancel' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(languages.map(() => 409));
    for (const reason of reasons) expect(answers.filter(({ text }) => text.includes(reason))).toHaveLength(1);
    for (const { text } of answers) expect(text).toContain(`/account/letters/${id}"`);
  });

  test('a live letter says until when, in each language', async () => {
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live', balanceCents: 10_000 });
    const id = await live.sendAccepted();
    await MailJob.updateOne({ _id: id }, { $set: { closesAt: new Date('2099-03-01T12:30:00Z') } });
    for (const language of languages) {
      const { text } = await visitor.get(`/${language}/account/letters/${id}`);
      expect([language, /2099/.test(text), text.includes('undefined')]).toEqual([language, true, false]);
    }
  });

  test('the steps of a copy say why it failed or was printed again', async () => {
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live', balanceCents: 10_000 });
    const { body } = await live.send();
    const { mailJobId, recipients } = body;
    const [{ itemId }] = recipients;
    const { organizationId, mode } = live;
    const about = { mailJobId, organizationId, mode, itemId, by: 'operator', at: new Date() } as const;
    await ItemHistory.insertMany([
      { ...about, _id: `${itemId}:reprinted:1`, kind: 'reprinted', detail: { reason: 'Coffee on it.' } },
      { ...about, _id: `${itemId}:failed:`, kind: 'failed', detail: { code: 'PRINT_FAILED', message: 'It tore.' } },
    ]);
    const { text } = await visitor.get(pathOf(mailJobId));
    for (const step of ['Printed again: Coffee on it.', 'Failed: It tore.']) expect(text).toContain(step);
  });
});
