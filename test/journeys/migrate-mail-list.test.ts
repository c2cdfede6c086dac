import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { migrate } from '../../common/platform/migrate.ts';
import { migrations } from '../../common/schema/migrations.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const formerKey = { organizationId: 1, mode: 1, status: 1, _id: -1 } as const;

describe('an installation from before the filters of the list', () => {
  const world = startWorld();

  test('given its indexes and letters, when it is migrated, also twice, then it has the new indexes, and lists its letters', async () => {
    const sender = await aSender(world);
    const { body } = await sender.send();
    const indexes = async () => (await MailJob.collection.indexes()).map(({ name }) => name);
    const current = await indexes();
    await MailJob.collection.dropIndexes();
    await MailJob.collection.createIndex(formerKey);
    for (const _ of [1, 2]) {
      await mongoose.connection.collection<{ _id: number }>('migrations').deleteOne({ _id: 2 });
      await migrate(migrations, world.clock, world.log);
      expect((await indexes()).sort()).toEqual([...current].sort());
    }
    for (const query of [
      '',
      '?zone=NATIONAL',
      '?updatedAfter=2020-01-01T00:00:00Z',
      '?createdAfter=2020-01-01T00:00:00Z',
    ]) {
      const { body: page } = await sender.http.get(`/v1/mails${query}`);
      expect(page.data).toMatchObject([{ mailJobId: body.mailJobId, metadata: {} }]);
    }
  });
});
