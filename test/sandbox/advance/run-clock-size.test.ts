// Level: ci
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { byLevel, eventually, expect, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';

const letters = byLevel({ quick: 400, full: 400, long: 1_000 });
const atOnce = 20;

const world = startWorld({
  hasWorkers: true,
  environment: { SANDBOX_STEP_DELAY_S: '1', RETENTION_ADDRESS_DAYS: '10' },
});

test('a full clock advances, and other clocks and letters do not wait for it', async () => {
  const [own, other] = [await aSender(world, { balanceCents: 100_000_000 }), await aSender(world)];
  const [full, single] = [await aTestClock(own), await aTestClock(other)];
  const recipientOf = (index: number) =>
    aRequestAddress({ line1: index % 10 === 0 ? 'sandbox:returned-after-delivery' : `Rue Haute ${index}` });
  const letter = { sandboxClockId: full.id, serviceType: 'registered' };
  let dropAt = '';
  for (let sent = 0; sent < letters; sent += atOnce) {
    const indexes = Array.from({ length: atOnce }, (_, index) => sent + index);
    const answers = await Promise.all(
      indexes.map((index) => own.send({ ...letter, recipients: [recipientOf(index)] })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(201);
      dropAt = body.dropAt;
    }
  }
  const ids = (await MailJob.find({ 'clock.id': full.id }, { _id: 1 }).lean()).map(({ _id }) => _id);
  const { body: followed } = await other.send({ sandboxClockId: single.id });
  await pretendRendered(...ids, followed.mailJobId);

  expect((await full.start(plusDays(dropAt, 30))).status).toBe(200);
  const { body: unclocked } = await other.send();
  await single.advance(dropAt);
  expect((await full.get()).status).toBe('advancing');
  await full.ready();

  const ended = { 'clock.id': full.id, status: 'delivered' as const, redactedAt: { $exists: true } };
  expect(await MailJob.countDocuments(ended)).toBe(letters);
  expect(await MailJob.countDocuments({ ...ended, 'items.returned.reason': 'refused' })).toBe(letters / 10);
  const stepped = async () =>
    expect((await other.http.get(`/v1/mails/${unclocked.mailJobId}`)).body.status).toBe('posted');
  await eventually(stepped);
});
