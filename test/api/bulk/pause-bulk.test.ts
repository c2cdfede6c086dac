// Level: push
import { Bulk, type BulkRecord, bulkSendWork } from '#common/bulk/model/bulk.model.ts';
import { runBulkSend } from '#common/bulk/send/run-bulk-send.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Notice } from '#common/notices/notice.model.ts';
import { type Claim, claimDue, newDue } from '#common/platform/due-work/due-work.ts';
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { aPdf, aSender, type Client, type Customer, createClient, upload } from '#test/support/product/customer.ts';
import { startWorld, type World } from '#test/support/product/world.ts';

describe('POST /v1/bulk/{id}/pause and /resume', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const post = (id: string, what: string) =>
    customer.http.post(`/v1/bulk/${id}/${what}`, what === 'resume' ? {} : undefined);

  test('a paused bulk has no work, and resuming makes it due', async () => {
    const id = await insertBulk(customer, { state: 'sending', due: { send: newDue(new Date()) } });
    expect((await post(id, 'pause')).body).toMatchObject({ status: 'paused', pause: { code: 'REQUESTED' } });
    expect((await post(id, 'pause')).status).toBe(200);
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).due.send).toBeUndefined();
    expect((await post(id, 'resume')).body).toMatchObject({ status: 'sending', pause: null });
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).due.send).toBeDefined();
    expect((await post(await insertBulk(customer), 'pause')).status).toBe(409);
    expect((await post(await insertBulk(customer), 'resume')).status).toBe(409);
  });

  test('a worker that had claimed the bulk before the pause creates no letter after it', async () => {
    const id = await insertBulk(customer, { ...(await sendable(customer)), due: { send: newDue(new Date()) } }, [
      {},
      {},
    ]);
    const claim = await claimBulk(id);
    await post(id, 'pause');
    await runClaimed(world, claim);
    expect(await countLetters(id)).toBe(0);
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).progress.sent).toBe(0);
  });
});

describe('a bulk that an application sends', () => {
  const world = startWorld();
  const app = openOnce(() => anApplication(world));
  const customer = openOnce(() => aSender(world));

  async function aBulkConfirmedByIt() {
    const { organizationId } = customer;
    const tokens = await app.authorize({ organizationId });
    const id = await insertBulk(customer, { ...(await sendable(customer)), state: 'ready' }, [{}, {}]);
    const { status } = await createClient(world.url, tokens.access_token).post(`/v1/bulk/${id}/confirm`, {});
    expect(status).toBe(200);
    return { id, tokens };
  }
  const run = async (id: string) => await runClaimed(world, await claimBulk(id));
  const resume = (http: Client, id: string) => http.post(`/v1/bulk/${id}/resume`, {});

  test('sends its letters while the consent lasts', async () => {
    const { id } = await aBulkConfirmedByIt();
    await run(id);
    expect(await countLetters(id)).toBe(2);
  });

  test('is paused by the end of the consent, before its next letter, and goes on when another resumes it', async () => {
    const { id, tokens } = await aBulkConfirmedByIt();
    await app.revoke({ token: tokens.refresh_token });
    await run(id);
    const { body } = await customer.http.get(`/v1/bulk/${id}`);
    expect(body).toMatchObject({ status: 'paused', pause: { code: 'CONSENT_ENDED' }, progress: { sent: 0 } });
    expect(await countLetters(id)).toBe(0);
    expect(await Notice.findOne({ subjectId: id }).orFail().lean()).toMatchObject({
      data: { reason: 'CONSENT_ENDED' },
    });

    await resume(customer.http, id);
    await run(id);
    expect(await countLetters(id)).toBe(2);
  });

  test('is paused again when the consent under which it was resumed ends', async () => {
    const { id, tokens } = await aBulkConfirmedByIt();
    await app.revoke({ token: tokens.refresh_token });
    await run(id);
    const next = await app.authorize({ organizationId: customer.organizationId });
    await resume(createClient(world.url, next.access_token), id);
    await app.revoke({ token: next.refresh_token });
    await run(id);
    expect((await customer.http.get(`/v1/bulk/${id}`)).body).toMatchObject({ pause: { code: 'CONSENT_ENDED' } });
    expect(await countLetters(id)).toBe(0);
  });
});

async function claimBulk(id: string): Promise<Claim<BulkRecord>> {
  const claim = await claimDue<BulkRecord>(bulkSendWork, id, new Date());
  if (!claim) throw new Error('The bulk is not due');
  return claim;
}

async function runClaimed(world: World, claim: Claim<BulkRecord>): Promise<void> {
  const never = new AbortController().signal;
  await runBulkSend(claim, { ...world.workersOptions, log: world.log }, { closing: never, signal: never });
}

const countLetters = (id: string) => MailJob.countDocuments({ externalId: { $regex: `^${id}:` } });

async function sendable(customer: Customer): Promise<Partial<BulkRecord>> {
  const s3Key = await upload(customer, await aPdf(1));
  const file = { s3Key, etag: '"1"', filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 1 } as const;
  return { state: 'sending', files: [file] };
}
