// Level: push
import { createHash } from 'node:crypto';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { download } from '#test/support/product/download.ts';
import { renderedLetter } from '#test/support/product/rendered-letter.ts';
import { startWorld } from '#test/support/product/world.ts';

const ada = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
const bob = { ...ada, name: 'Bob Janssens' };

describe('the proof of a letter', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const customer = openOnce(() => world.customer());
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

  const proofOf = async ({ _id }: { _id: string }, query = '') =>
    await customer.http.get(`/v1/mails/${_id}/proof${query}`);

  test('is a PDF of the copy, by a URL that needs no key, with its hash on the item', async () => {
    const letter = await renderedLetter(customer);
    const { status, body, headers } = await proofOf(letter);
    const [item] = letter.items;
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-store' });
    expect(body).toEqual({ ...body, itemId: item?.itemId, pages: 1 });
    expect(new Date(body.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(300_000);
    const { type, bytes } = await download(body.url);
    expect(type).toBe('application/pdf');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.sha256);
    // The copy is the print file and what is added to it.
    const { s3Key, sizeBytes } = letter.printFile!;
    const printFile = await world.store.get({ key: s3Key, maxBytes: sizeBytes });
    expect(bytes.subarray(0, sizeBytes).equals(printFile)).toBe(true);
    expect(bytes.length).toBeGreaterThan(sizeBytes);
    expect((await customer.http.get(`/v1/mails/${letter._id}`)).body.recipients[0].copySha256).toBe(body.sha256);
  });

  test('each recipient has another copy, and one has to be chosen', async () => {
    const letter = await renderedLetter(customer, { recipients: [ada, bob] });
    expect((await proofOf(letter)).body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: ['itemId'] }] });
    const answers = await Promise.all(letter.items.map(({ itemId }) => proofOf(letter, `?itemId=${itemId}`)));
    const hashes = answers.map(({ body }) => body.sha256);
    expect(new Set(hashes).size).toBe(2);
    expect((await read(letter._id)).items.map(({ copySha256 }) => copySha256)).toEqual(hashes);
    for (const itemId of ['mi_01kaj1zz5ke6btkfgrme3d6qfa', 'x']) {
      expect((await proofOf(letter, `?itemId=${itemId}`)).status).toBe(404);
    }
  });

  test('asked for ten times at once it is always the same', async () => {
    const letter = await renderedLetter(customer);
    const answers = await Promise.all(Array.from({ length: 10 }, () => proofOf(letter)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.sha256}`)).size).toBe(1);
  });

  test('a copy that differs from the first one is refused, and the hash of the first is kept', async () => {
    const letter = await renderedLetter(customer);
    const copySha256 = 'f'.repeat(64);
    await MailJob.updateOne({ _id: letter._id }, { $set: { 'items.0.copySha256': copySha256 } });
    for (let time = 0; time < 2; time += 1) expect((await proofOf(letter)).body.code).toBe('INTERNAL_ERROR');
    expect((await read(letter._id)).items[0]?.copySha256).toBe(copySha256);
  });

  test('before the rendering there is none, and after a failure the answer says why', async () => {
    const early = await renderedLetter(customer);
    await MailJob.updateOne({ _id: early._id }, { $set: { printFile: null } });
    const { body } = await proofOf(early);
    expect(body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Try again in a few seconds') });
    const failed = await proofOf(await renderedLetter(customer, { bytes: Buffer.from('%PDF-1.7 broken') }));
    expect(failed.body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('failure') });
  });

  test('a removed print file is not found', async () => {
    const letter = await renderedLetter(customer);
    await MailJob.updateOne({ _id: letter._id }, { $set: { 'printFile.removedAt': new Date() } });
    expect((await proofOf(letter)).body).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('removed'),
    });
  });
});
