// Level: push
import { createTypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { setLetter } from '#common/templates/resolve-template.ts';
import { runTypesetJob, typesetRetryDelaysMs } from '#common/templates/run-typeset-job.ts';
import { startTypesetJob } from '#common/templates/start-typeset-job.ts';
import { TypesetJob, type TypesetJobRecord, typesetWork } from '#common/templates/typeset-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { signal, useTypesetting } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('a letter that a worker typesets', () => {
  const world = startWorld({ hasTariffs: false });
  const typesetting = useTypesetting();
  const owner = openOnce(() => world.customer());
  const deps = () => ({ store: world.store, clock: world.clock, log: world.log });

  async function start(text: string, at = new Date()): Promise<TypesetJobRecord> {
    const source = { language: 'en', text, variables: { 'a.b': 'Ada' } } as const;
    return await startTypesetJob(owner, source, { hints: world.hints, maxStoredBytes: 1e9 }, at);
  }
  async function claim({ _id }: TypesetJobRecord, failures = 0) {
    const found = await claimDue<TypesetJobRecord>(typesetWork, _id, new Date(Date.now() + 1_000));
    if (!found) throw new Error('The letter is not due.');
    return { ...found, failures };
  }
  const read = async ({ _id }: TypesetJobRecord) => await TypesetJob.findById(_id).orFail().lean();

  test('is stored as an upload with its pages, and its variables are forgotten', async () => {
    const row = await start('Dear ((a.b))');
    await runTypesetJob(await claim(row), { ...deps(), typesetting }, signal);
    const { result, variables } = await read(row);
    expect(variables).toBe('{}');
    expect(result).toMatchObject({ pageCount: 1, fault: null });
    const upload = await Upload.findById(result?.s3Key).orFail().lean();
    expect(upload).toMatchObject({ organizationId: owner.organizationId, pageCount: 1, mimeType: 'application/pdf' });
    expect(await world.store.head(upload._id)).toMatchObject({ sizeBytes: upload.sizeBytes });
    expect((await start('Dear ((a.b))'))._id).toBe(row._id);
    expect((await start('Dear ((a.b))', new Date(Date.now() + 21 * 60 * 60 * 1000)))._id).not.toBe(row._id);
  });

  test('is tried again when no process starts, then has failed on our side and is made again', async () => {
    const startChild = () => Promise.reject(new Error('no memory'));
    const broken = createTypesettingPool({ sharing: 'everyone', log: world.log, startChild });
    const row = await start('Hello');
    const first = await claim(row);
    await expect(runTypesetJob(first, { ...deps(), typesetting: broken }, signal)).rejects.toThrow('No process');
    await runTypesetJob(
      { ...first, failures: typesetRetryDelaysMs.length },
      { ...deps(), typesetting: broken },
      signal,
    );
    expect((await read(row)).result).toMatchObject({ s3Key: null, isOurFault: true });
    const again = await start('Hello');
    expect(again._id).not.toBe(row._id);
    await runTypesetJob(await claim(again), { ...deps(), typesetting }, signal);
    expect((await read(again)).result).toMatchObject({ fault: null });
    broken.close();
  });

  test('that ended five workers fails on our side without another attempt', async () => {
    const row = await start('Ends workers');
    await runTypesetJob({ ...(await claim(row)), unfinished: 5 }, { ...deps(), typesetting }, signal);
    expect((await read(row)).result).toMatchObject({ isOurFault: true });
  });

  test('that fails on our side is no fault of the template: it may be asked for again', async () => {
    const source = { language: 'en', text: 'Fails here', variables: {} } as const;
    const stores = { hints: world.hints, maxStoredBytes: { test: 1e9, live: 1e9 } };
    const answer = setLetter(owner, source, stores, new Date()).catch((error: unknown) => error);
    const row = await eventually(() => TypesetJob.findOne({ text: source.text }).orFail().lean());
    await runTypesetJob({ ...(await claim(row)), unfinished: 5 }, { ...deps(), typesetting }, signal);
    expect(await answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterS: expect.any(Number) });
  });

  test('waits with at most 499 others of its owner, and needs storage', async () => {
    const other = await world.customer();
    const source = { language: 'en', text: 'x', variables: {} } as const;
    const begin = (text: string, maxStoredBytes = 1e9) =>
      startTypesetJob(other, { ...source, text }, { hints: world.hints, maxStoredBytes }, new Date());
    const { _id, ...row } = await begin('first');
    await TypesetJob.insertMany(
      Array.from({ length: 499 }, (_, i) => ({ ...row, _id: `${_id}${i}`, key: `${_id}${i}` })),
    );
    await expect(begin('second')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await TypesetJob.deleteMany({ organizationId: other.organizationId });
    await expect(begin('third', -1)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await TypesetJob.countDocuments({ organizationId: other.organizationId })).toBe(0);
  });
});
