// Level: push
import { markBatch, printAgain } from '#common/production/operator/mark-batch.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress } from '#test/support/production/a-press.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { strikeAtStep } from '#test/support/production/strike-at-step.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

describe('two operators who say different things about a batch in doubt', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const press = aPress();
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  const two = { recipients: ['Ada', 'Bo'].map((name) => aRequestAddress({ name })) };

  test('one of them is heard, at whichever step of the first the second comes', async () => {
    const outcomes = new Set<string>();
    // From the second step on: the first one reads the batch, whose state the operator saw.
    for (let nth = 2, step: string | null = ''; step !== null; nth += 1) {
      do clock.advance(24 * 3_600_000);
      while ([0, 6].includes(clock.now().getUTCDay()));
      clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
      Object.assign(press.settings, { crashAt: 'after', isBlind: true });
      press.printed.length = 0;
      const { _id } = await scene.sendRendered(two);
      await scene.bringToPress(_id);
      const { _id: batchId, state } = await scene.batchOf(_id);
      expect([state, press.printed.length]).toEqual(['needs_operator', 2]);
      press.settings.isBlind = false;

      const context = { hints: world.hints, at: clock.now() };
      const said: string[] = [];
      const say = async (what: string, work: Promise<unknown>) => {
        const isHeard = await work.then(
          () => true,
          (error: { code?: string }) => {
            expect(error.code).toBe('CONFLICT');
            return false;
          },
        );
        if (isHeard) said.push(what);
      };
      const meanwhile = async () => {
        await say('again', printAgain(batchId, undefined, context));
        await scene.runBatches();
      };
      step = await strikeAtStep(nth, { kind: 'pause', meanwhile }, () =>
        say('printed', markBatch(batchId, 'printed', undefined, context)),
      );
      await scene.runBatches();
      expect([nth, step, said.length]).toEqual([nth, step, 1]);
      expect(press.printed).toHaveLength(said[0] === 'again' ? 4 : 2);
      const { status } = await scene.read(_id);
      expect(status).toBe(said[0] === 'again' ? 'queued' : 'printed');
      outcomes.add(said[0] ?? '');
    }
    expect([...outcomes].sort()).toEqual(['again', 'printed']);
    expect(await findViolations()).toEqual([]);
  });
});
