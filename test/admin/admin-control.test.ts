// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimDue, finishClaim, readDue, releaseClaim } from '#common/platform/due-work/due-work.ts';
import { beforeAll, describe, expect, test } from '../support/jest.ts';
import { address, useAdmin } from '../support/wallet/admin.ts';

describe('controlling the workers on the administration command line', () => {
  const { run, runForPeople, get, inDatabase } = useAdmin();
  let org = '';
  beforeAll(async () => {
    await get('migrate');
    org = (await get('org', 'create', '--name', 'Peeters', ...address)).organizationId;
  });
  const why = ['--reason', 'The receiver asked for it.'];
  const minuteMs = 60_000;

  test('a pause is shown with who made it and why until it is resumed, and both are audited', async () => {
    expect(await get('pause', 'webhooks', '--org', org, ...why)).toMatchObject({ organizationId: org });
    await get('pause', 'render', ...why);
    const { pauses } = await get('overview');
    expect(pauses).toMatchObject([
      { work: 'webhooks', organizationId: org, reason: why[1], by: expect.stringMatching(/^cli ./) },
      { work: 'render', organizationId: null },
    ]);
    expect((await runForPeople('overview')).stdout).toContain(`Paused: webhooks of ${org}, since `);
    await get('resume', 'webhooks', '--org', org);
    await get('resume', 'render');
    expect((await runForPeople('overview')).stdout).toContain('Nothing is paused.');
    const actions = await inDatabase(() =>
      AuditEntry.find({ subjectId: `webhooks:${org}` })
        .sort({ _id: 1 })
        .lean(),
    );
    expect(actions.map(({ action, organizationId }) => [action, organizationId])).toEqual([
      ['work.paused', org],
      ['work.resumed', org],
    ]);
    expect(actions[0]?.detail).toEqual({ reason: why[1] });
  });

  test.each([
    ['unknown work', ['pause', 'letters', ...why], '<work>: "letters" is not one of render, dispatch, webhooks.'],
    ['no reason', ['pause', 'render'], '--reason: Is missing.'],
    ['a short reason', ['pause', 'render', '--reason', ' x '], '--reason: Say why: the next operator sees it.'],
    ['work that is not paused', ['resume', 'dispatch'], 'This work is not paused: dispatch.'],
  ])('%s is refused, with what to do', async (_what, words, message) => {
    expect(await runForPeople(...words)).toMatchObject({ code: 1, stderr: `${message}\n` });
  });

  test('an organization that does not exist cannot be paused, and no work twice', async () => {
    const unknown = await runForPeople('pause', 'render', '--org', 'org_01h455vb4pex5vsknk084sn02q', ...why);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no organization') });
    await get('pause', 'dispatch', ...why);
    expect(await run('pause', 'dispatch', ...why)).toMatchObject({ code: 1 });
    await get('resume', 'dispatch');
  });

  test('drain waits for work in progress, names what it waited for in vain, and ends by resume', async () => {
    const claim = await inDatabase(async () => {
      await planChore('long', new Date());
      return await claimDue(choreWork, 'long', new Date(), 10 * minuteMs);
    });
    const waited = await runForPeople('drain', '--timeout', '5', ...why);
    expect(waited).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('in progress: cleanup 1. All work stays'),
    });
    await inDatabase(() => finishClaim(claim!));
    expect(await get('drain', '--timeout', '60', ...why)).toMatchObject({ drainedAfterS: expect.any(Number) });
    expect((await get('overview')).pauses).toMatchObject([{ work: 'all', organizationId: null }]);
    await get('resume', 'all');
  });

  test('requeue makes failed work due now with its tries restored, and no other', async () => {
    const at = await inDatabase(async () => {
      const now = new Date();
      for (const name of ['failed', 'overdue', 'running', 'fresh']) await planChore(name, now);
      await releaseClaim((await claimDue(choreWork, 'failed', now))!, new Date(now.getTime() + 30 * minuteMs));
      // As after a pause that lasted longer than its delay.
      await releaseClaim((await claimDue(choreWork, 'overdue', now))!, now);
      await claimDue(choreWork, 'running', now);
      await planChore('later', new Date(now.getTime() + minuteMs));
      return now;
    });
    expect(await get('requeue', 'cleanup')).toMatchObject({ queue: 'cleanup', count: 2 });
    expect((await runForPeople('requeue', 'cleanup')).stdout).toBe('No work of cleanup waits for another try.\n');
    const read = async (name: string) => readDue(await Chore.findById(name).orFail().lean(), 'due');
    const [failed, overdue, later] = await inDatabase(() => Promise.all(['failed', 'overdue', 'later'].map(read)));
    expect(failed).toMatchObject({ failures: 0, unfinished: 0, leaseToken: null });
    expect(failed?.at.getTime()).toBeLessThan(at.getTime() + minuteMs);
    expect(overdue).toMatchObject({ at, failures: 0 });
    expect(later?.at).toEqual(new Date(at.getTime() + minuteMs));
  });

  test.each(['press', 'print-parts', 'cleanup'])(
    'requeue %s of one organization is refused, with what to do',
    async (queue) => {
      expect(await runForPeople('requeue', queue, '--org', org)).toMatchObject({
        code: 1,
        stderr: `Work of ${queue} belongs to no organization. Repeat the command without --org.\n`,
      });
    },
  );
});
