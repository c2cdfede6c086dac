// Level: ci
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { type PausableWork, Pause } from '#common/platform/due-work/pause.model.ts';
import { createPauses, type Pauses } from '#common/platform/due-work/pauses.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { startWorkers } from '#workers/process/start-workers.ts';
import { afterEach, beforeEach, describe, eventually, expect, test } from '../support/jest.ts';
import { aSender, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { numbersOf, startReceiver } from '../support/webhooks/receiver.ts';

const by = { kind: 'cli', id: 'ada' } as const;

describe('work that an operator has paused', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '600' } });
  const receiver = startReceiver();
  let workers: Awaited<ReturnType<typeof startWorkers>> | undefined;
  let reads = 0;

  /** Workers that know a pause at once, and count how often they read. */
  async function start(): Promise<void> {
    const own = createPauses(50);
    const pauses: Pauses = {
      latest: own.latest,
      read() {
        reads += 1;
        return own.read();
      },
    };
    workers = await startWorkers({ ...world.workersOptions, pauses });
  }
  beforeEach(() => Pause.deleteMany({}));
  afterEach(async () => {
    await workers?.close();
    workers = undefined;
  });

  const pause = async (work: PausableWork, organizationId: string | null = null) =>
    await pauseWork({ work, organizationId, reason: 'test' }, by, new Date());
  const resume = async (work: PausableWork, organizationId: string | null = null) =>
    await resumeWork({ work, organizationId }, by, new Date());
  const isRendered = async (id: string) => (await MailJob.findById(id).orFail().lean()).printFile !== null;
  const untilRendered = async (id: string) => await eventually(async () => expect(await isRendered(id)).toBe(true));

  test('letters of a paused organization wait, those of others are rendered, also by new workers', async () => {
    const [held, other] = [await aSender(world), await aSender(world)];
    await pause('render', held.organizationId);
    await start();
    const waiting = await held.sendAccepted({});
    await untilRendered(await other.sendAccepted({}));
    await workers?.close();
    await start();
    await untilRendered(await other.sendAccepted({}));
    expect(await isRendered(waiting)).toBe(false);
    const { body } = await held.http.get(`/v1/mails/${waiting}`);
    expect(body.status).toBe('queued');
    await resume('render', held.organizationId);
    await untilRendered(waiting);
  });

  test('while webhooks are paused letters go on, and later each delivery arrives once and in order', async () => {
    const customer: Sender = await aSender(world);
    const { status } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    expect(status).toBe(201);
    await pause('webhooks');
    await start();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await customer.sendAccepted({}));
    for (const id of ids) await untilRendered(id);
    const due = { organizationId: customer.organizationId, state: 'due', attempt: 0 } as const;
    await eventually(async () => expect(await Delivery.countDocuments(due)).toBeGreaterThanOrEqual(5));
    expect(receiver.received).toEqual([]);
    await resume('webhooks');
    await eventually(() => expect(receiver.received).toHaveLength(5));
    expect(receiver.received.map(({ body }) => body.mailJobId)).toEqual(ids);
    expect(numbersOf(receiver)).toEqual(['1', '1', '1', '1', '1']);
  });

  test('a pause of all work stops every worker until it ends', async () => {
    const customer = await aSender(world);
    await pause('all');
    await start();
    const id = await customer.sendAccepted({});
    const before = reads;
    await eventually(() => expect(reads - before).toBeGreaterThan(5));
    expect(await isRendered(id)).toBe(false);
    await resume('all');
    await untilRendered(id);
  });
});
