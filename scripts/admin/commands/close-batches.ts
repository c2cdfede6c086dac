import { z } from 'zod';
import { closeCutoffEarly } from '#common/production/operator/close-cutoff-early.ts';
import { defineCommand, option } from '../command.ts';
import { withHints } from '../with-hints.ts';

const Cutoff = z.iso
  .datetime({
    offset: true,
    error: 'Give the cutoff as in the dropAt of its letters, such as 2026-05-04T13:00:00.000Z.',
  })
  .transform((text) => new Date(text));

const close = defineCommand({
  name: 'batch close',
  summary: 'close the batches of a cutoff before their time, so that its letters go to press now',
  fields: { cutoff: option('--cutoff <time>', 'the cutoff: an ISO 8601 time with its offset', Cutoff) },

  async run({ cutoff }, services) {
    const { clock, actor } = services;
    const closed = await withHints(services, (hints) => closeCutoffEarly(cutoff, actor, { hints, at: clock.now() }));
    return { cutoffAt: cutoff.toISOString(), ...closed };
  },
  describe({ cutoffAt, letters, notRendered }) {
    const went =
      letters === 0 ? `No rendered letter waits for ${cutoffAt}.` : `Letters that go to press now: ${letters}.`;
    return notRendered === 0 ? went : `${went} Not rendered yet, and left to the regular closing: ${notRendered}.`;
  },
});

export const closeBatchesCommands = [close];
