// Level: push
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { personalData } from '#common/production/retention/personal-data.ts';
import { eraseAgain } from '#common/schema/erase-again.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

describe('what earlier commits left of people', () => {
  const world = startWorld();

  test('redacted letters lose sender, metadata, file names and digests; other letters keep theirs', async () => {
    const customer = await world.customer();
    const send = async () => {
      const letter = { sender: aRequestAddress({ name: 'Ada' }), metadata: { note: 'Ada' } };
      return (await customer.send(letter)).body.mailJobId as string;
    };
    const [redacted, other] = [await send(), await send()];
    await MailJob.updateOne({ _id: redacted }, { redactedAt: new Date() });
    await eraseAgain();
    await eraseAgain();
    const read = async (id: string) => JSON.stringify(await MailJob.findById(id).lean());
    expect(await read(redacted)).not.toMatch(/Ada|letter\.pdf|"requestHash":"."/);
    expect(await read(other)).toMatch(/Ada.*Ada/);
  });

  test('removed lists lose the names of their documents; other lists keep theirs', async () => {
    const listOf = (_id: string, filename: string) => ({
      ...{ _id, organizationId: 'org_x', mode: 'test', file: { filename } },
      files: [{ filename: 'Ada.pdf', etag: 'e' }],
    });
    const { filename: gone } = { filename: personalData.erased.bulks.$set['file.filename'] };
    await Bulk.collection.insertMany([listOf('blk_removed', gone), listOf('blk_kept', 'list.csv')] as never[]);
    await eraseAgain();
    const nameIn = async (_id: string) => (await Bulk.collection.findOne({ _id } as object))?.files[0].filename;
    expect([await nameIn('blk_removed'), await nameIn('blk_kept')]).toEqual([gone, 'Ada.pdf']);
  });
});
