import { describe, expect, test } from '@jest/globals';
import type { Schema } from 'mongoose';
import { Delivery, DeliveryAttempt } from '../../common/webhooks/delivery.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';

const dayS = 24 * 60 * 60;

describe('how long the database keeps what happened', () => {
  test.each([
    ['events', Event.schema, { at: 1 }, 90],
    ['deliveries', Delivery.schema, { createdAt: 1 }, 90],
    ['attempts', DeliveryAttempt.schema, { startedAt: 1 }, 30],
  ] as [string, Schema, object, number][])(
    'given %s, when their indexes are read, then one alone removes them, in its time',
    (_what, schema, field, days) => {
      const ends = schema.indexes().filter(([, options]) => options?.expireAfterSeconds !== undefined);
      expect(ends.map(([fields, options]) => [fields, options?.expireAfterSeconds])).toEqual([[field, days * dayS]]);
    },
  );
});
