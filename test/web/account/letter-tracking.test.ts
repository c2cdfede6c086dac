// Level: push
import { newId } from '#common/ids.ts';
import { languages } from '#common/languages.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { letterTexts } from '#test/support/web/letter-texts.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const number = 'RR473124829XX';
const deliveredAt = '2026-03-02T08:00:00.000Z';
const reason = { reasonCode: 'D1', reasonText: 'Remis au voisin' };

describe('the tracking number on the page of a letter', () => {
  const { world, host } = startWebHost();
  const sender = openOnce(() => aSender(world));
  const visitor = openOnce(() => host.signedIn({ organizationId: sender.organizationId }));
  const pageOf = async (id: string, language = 'en') => (await visitor.get(`/${language}/account/letters/${id}`)).text;

  /** Sends a letter whose item has a label, and what the carrier reported about it. */
  async function aTrackedLetter(): Promise<string> {
    const id = await sender.sendAccepted({ serviceType: 'registered' });
    const tracking = { number, scheme: 's10' };
    await MailJob.updateOne({ _id: id }, { $set: { 'items.0.tracking': tracking } });
    const { items, organizationId, mode } = await MailJob.findById(id).orFail().lean<MailJobRecord>();
    const about = { mailJobId: id, organizationId, mode, itemId: items[0]?.itemId, at: new Date() };
    await ItemHistory.insertMany([
      { ...about, _id: newId('mi'), kind: 'tracked', by: 'operator', detail: tracking },
      { ...about, _id: newId('mi'), kind: 'scanned', by: 'carrier', detail: { event: 'in-transit' } },
      { ...about, _id: newId('mi'), kind: 'delivered', by: 'carrier', detail: { deliveredAt, ...reason } },
      { ...about, _id: newId('mi'), kind: 'delivered', by: 'operator', detail: {} },
    ]);
    return id;
  }

  test('is beside its recipient, and in all steps with what the carrier reported', async () => {
    const id = await aTrackedLetter();
    for (const language of languages) {
      const { letter } = letterTexts[language];
      const page = await pageOf(id, language);
      expect(page).toContain(`<code>${number}</code>`);
      expect(page).toContain(`data-label="${letter.tracking}"`);
      expect(page).toContain(`${letter.steps.tracked}: ${number}`);
      expect(page).toContain(`${letter.steps.scanned}: in-transit`);
      expect(page).toContain(`${letter.steps.delivered}: D1, Remis au voisin<`);
      expect(page).toContain(`${letter.steps.delivered}<`);
    }
  });

  test('has an empty cell while there is none, and no column for other services', async () => {
    const label = `data-label="${letterTexts.en.letter.tracking}"`;
    const registered = await pageOf(await sender.sendAccepted({ serviceType: 'registered' }));
    expect(registered).toContain(`${label}></td>`);
    expect(await pageOf(await sender.sendAccepted({ serviceType: 'prior' }))).not.toContain(label);
  });
});
