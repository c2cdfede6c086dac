import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { openOnce, standingClock } from '../jest.ts';
import { aRequestAddress } from '../product/customer.ts';
import { aPress } from '../production/a-press.ts';
import { startPressScene } from '../production/press-scene.ts';
import { startWebHost } from './web-host.ts';

/** Three recipients at one postcode of their own each. */
export const threeRecipients = {
  recipients: [
    aRequestAddress({ name: 'Ada Peeters', zip: '1000' }),
    aRequestAddress({ name: 'Bo Janssens', zip: '9000', city: 'Gent' }),
    aRequestAddress({ name: 'Cy Maes', zip: '2000', city: 'Antwerpen' }),
  ],
};

const scanPath = '/admin/press/scan';

/** The band of a page of scans: its colour, title and text. */
export function bandOf(page: string): string[] {
  const [, kind = '', band = ''] = /<div class="band (\w+)"[^>]*>([\s\S]*?)<\/div>/.exec(page) ?? [];
  const lines = [...band.matchAll(/<p[^>]*>([\s\S]*?)<\/p>/g)].map(([, text = '']) => text.replaceAll(/<[^>]*>/g, ''));
  return [kind, ...lines];
}

/**
 * A web host with an administrator and letters on their way to press, by a clock that stands: standard letters go to an
 * operator, registered ones to a press of the test, and nobody prints the others.
 */
export function startPressHost() {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const press = aPress();
  const { world, host } = startWebHost({
    clock,
    areLimitsStill: true,
    environment: { PRINT_PROVIDERS: '*/standard=manual,*/registered=simulated,none' },
  });
  const printRules = [
    { zone: null, serviceType: 'standard', provider: 'manual' },
    { zone: null, serviceType: 'registered', provider: 'cups' },
  ] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));

  /** Begins another working day at nine, so a test has batches of its own. The session of the day before has ended. */
  async function beginDay(): Promise<void> {
    Object.assign(press.settings, { crashAt: null, isDown: false, isBlind: false });
    do clock.advance(24 * 3_600_000);
    while ([0, 6].includes(clock.now().getUTCDay()));
    clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
    admin.cookies.clear();
    await admin.signIn(admin.user);
  }

  /** A letter whose batch is with the operator. */
  async function atPress(overrides: Record<string, unknown> = {}, pages = 1) {
    const { _id } = await scene.sendRendered(overrides, pages);
    return await scene.bringToPress(_id);
  }

  /** Letters of one cutoff whose batches are with the operator: a second cutoff would be on the next day. */
  async function allAtPress(...letters: Record<string, unknown>[]) {
    const ids: string[] = [];
    for (const overrides of letters) ids.push((await scene.sendRendered(overrides))._id);
    for (const id of ids) await scene.bringToPress(id);
    return (await Promise.all(ids.map(scene.read))) as [MailJobRecord, ...MailJobRecord[]];
  }

  /** A letter whose batch is in doubt. */
  async function inDoubt() {
    Object.assign(press.settings, { crashAt: 'before', isBlind: true });
    return await atPress({ serviceType: 'registered' });
  }

  /** Types a scan into the page of scans, and presses Enter. The redirect to the page of the next scan is followed. */
  async function scan(query: string, code: string, fields: Record<string, string> = {}) {
    const answer = await admin.send(`${scanPath}${query}`, scanPath, { code, ...fields });
    const isNext = answer.location?.startsWith(`/en${scanPath}?`);
    const { text } = isNext ? await admin.get(answer.location ?? '') : answer;
    return { ...answer, text, band: bandOf(text) };
  }

  return {
    scan,
    ...{ world, host, clock, press, scene, admin, beginDay, atPress, allAtPress, inDoubt },
    stateOf: async (batchId = '') => (await Batch.findById(batchId).orFail().lean()).state,
    /** The statuses of the items of a letter. */
    statusesOf: async (mailJobId: string) => (await scene.read(mailJobId)).items.map(({ status }) => status),
  };
}
