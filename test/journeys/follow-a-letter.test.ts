// Level: push
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

type Line = {
  msg: string;
  requestId?: string;
  mailJobId?: string;
  worker?: string;
  status?: number;
  failures?: number;
};

describe('the request id of a customer in the logs', () => {
  const lines: Line[] = [];
  const world = startWorld({
    hasWorkers: true,
    environment: { SANDBOX_STEP_DELAY_S: '1' },
    onLogLine: (line) => lines.push(JSON.parse(line)),
  });
  const told = (requestId: string) => lines.filter((line) => line.requestId === requestId);

  test('the log lines of API and workers contain the request id and the letter', async () => {
    const sender = await world.customer();
    const { status, body } = await sender.send({}, { 'x-request-id': 'from-the-customer' });
    const { mailJobId } = body;
    const areLogged = () => {
      const workers = told('from-the-customer').flatMap(({ worker = [] }) => worker);
      expect(workers).toEqual(['render', 'lifecycle', 'lifecycle']);
    };
    await eventually(areLogged);
    expect(told('from-the-customer').map((line) => line.mailJobId)).toEqual(Array(4).fill(mailJobId));
    expect(told('from-the-customer').find(({ msg }) => msg === 'request')).toMatchObject({ status });
    await sender.http.get(`/v1/mails/${mailJobId}`, { 'x-request-id': 'a-look' });
    await eventually(() => expect(told('a-look')).toMatchObject([{ mailJobId }]));
  });

  test('a generated request id is in the answer, on the letter and in the log', async () => {
    const sender = await world.customer();
    const made = await sender.send();
    const requestId = made.headers.get('x-request-id') ?? '';
    const job = await MailJob.findById(made.body.mailJobId).orFail().lean<MailJobRecord>();
    expect([job.requestId, made.status]).toEqual([requestId, 201]);
    expect(JSON.stringify(made.body)).not.toContain(requestId);
    const refused = await sender.send({ zone: 'NOWHERE' });
    const refusedId = refused.headers.get('x-request-id') ?? '';
    await eventually(() => expect(told(refusedId)).toMatchObject([{ msg: 'request', status: 400 }]));
    expect(told(refusedId)[0]).not.toHaveProperty('mailJobId');
  });

  test('a rendering that fails on our side is logged once, with request id and letter', async () => {
    const made = (await (await world.customer()).send()).body;
    const job = await MailJob.collection.findOne({ _id: made.mailJobId });
    const broken = { _id: newId('mj') as never, requestId: 'broken', files: null, due: { render: newDue(new Date()) } };
    await MailJob.collection.insertOne({ ...job, ...broken });
    world.hints.notify('render', [broken._id]);
    await eventually(() => expect(told('broken')).not.toEqual([]));
    const failures = lines.filter(({ msg, failures: before }) => msg === 'work failed' && before === 0);
    expect(failures).toMatchObject([{ mailJobId: broken._id, requestId: 'broken', worker: 'render' }]);
    expect(lines.filter(({ msg, requestId }) => msg === 'work failed' && requestId === undefined)).toEqual([]);
  });
});
