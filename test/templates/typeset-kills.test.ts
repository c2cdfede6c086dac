// Level: ci
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { TypesetJob } from '#common/templates/typeset-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { afterEach, byLevel, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { aLetter } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createRandom } from '#test/support/random.ts';

const letters = byLevel({ quick: 4, full: 6, long: 12 });
const kills = byLevel({ quick: 1, full: 2, long: 5 });
/** Commands from the first claim of a letter until the first are stored. Each letter takes five and those before it. */
const maxCommand = byLevel({ quick: 4, full: 12 });

describe('killing the worker that typesets letters', () => {
  const world = startWorld({ environment: { WORK_LEASE_S: '2', WORKERS: 'render,scanner' } });
  const customer = openOnce(() => world.customer({ balanceCents: 1_000_000 }));
  afterEach(killStartedPrograms);

  test('each letter is sent and debited once, and none waits forever', async () => {
    const { seed, random } = createRandom();
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const { templateId } = await createTemplate(
      owner,
      { name: 'Hi', language: 'en', text: 'Dear ((name))' },
      new Date(),
    );
    const { files: _, pages: __, ...letter } = await aLetter(customer, {});
    let died = 0;
    for (let round = 0; round < kills; round += 1) {
      const command = 1 + Math.floor(random() * maxCommand);
      const about = `round ${round}, seed ${seed}`;
      // Without the scanner, whose look for letters in its first second would be counted before any is posted.
      const environment = { ...world.environment, WORKERS: 'render' };
      const dying = await startProductProcess('workers/main.ts', {
        ...environment,
        ...dyingAfter(command, 'letter_settings', 'write'),
      });
      const names = Array.from({ length: letters }, (_unused, index) => `${round}-${index}`);
      // A client repeats a 503 with the same externalId.
      const sent = names.map((name) =>
        eventually(async () => {
          const body = { ...letter, templateId, mergeVariables: { name }, externalId: name };
          const { status } = await customer.http.post('/v1/mails', body);
          expect([about, status === 200 ? 201 : status]).toEqual([about, 201]);
        }),
      );
      const hasDied = await Promise.race([dying.ended.then(() => true), Promise.all(sent).then(() => false)]);
      died += hasDied ? 1 : 0;
      const next = await startProductProcess('workers/main.ts', world.environment);
      await Promise.all(sent);
      next.kill('SIGKILL');
      dying.kill('SIGKILL');
      const jobs = await MailJob.find({ ...owner, externalId: { $in: names } }).lean<MailJobRecord[]>();
      const debits = await LedgerEntry.countDocuments({ mailJobId: { $in: jobs.map(({ _id }) => _id) } });
      expect({ about, jobs: jobs.length, debits }).toEqual({ about, jobs: letters, debits: letters });
      expect(new Set(jobs.map(({ files }) => files[0]?.s3Key)).size).toBe(letters);
      expect([about, await TypesetJob.countDocuments({ ...owner, result: { $exists: false } })]).toEqual([about, 0]);
    }
    expect(died).toBeGreaterThan(0);
  });
});
