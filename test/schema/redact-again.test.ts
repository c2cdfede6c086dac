// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { redactAgain } from '#common/schema/redact-again.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

describe('letters that an earlier version redacted', () => {
  const world = startWorld();

  test('lose their sender, metadata, file names and hash; other letters keep theirs', async () => {
    const customer = await world.customer();
    const send = async () => {
      const letter = { sender: aRequestAddress({ name: 'Ada' }), metadata: { note: 'Ada' } };
      return (await customer.send(letter)).body.mailJobId as string;
    };
    const [redacted, other] = [await send(), await send()];
    await MailJob.updateOne({ _id: redacted }, { redactedAt: new Date() });
    await redactAgain();
    await redactAgain();
    const read = async (id: string) => JSON.stringify(await MailJob.findById(id).lean());
    expect(await read(redacted)).not.toMatch(/Ada|letter\.pdf|"requestHash":"."/);
    expect(await read(other)).toMatch(/Ada.*Ada/);
  });
});
