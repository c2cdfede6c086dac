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

  /** A letter whose batch is in doubt. */
  async function inDoubt() {
    Object.assign(press.settings, { crashAt: 'before', isBlind: true });
    return await atPress({ serviceType: 'registered' });
  }

  return {
    ...{ world, host, clock, press, scene, admin, beginDay, atPress, inDoubt },
    stateOf: async (batchId = '') => (await Batch.findById(batchId).orFail().lean()).state,
    /** The statuses of the items of a letter. */
    statusesOf: async (mailJobId: string) => (await scene.read(mailJobId)).items.map(({ status }) => status),
  };
}
