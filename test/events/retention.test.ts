// Level: unit
import type { Schema } from 'mongoose';
import { Event } from '#common/events/event.model.ts';
import { Delivery, DeliveryAttempt } from '#common/webhooks/deliveries/delivery.model.ts';
import { expect, test } from '../support/jest.ts';

const dayS = 24 * 60 * 60;

test.each([
  ['events', Event.schema, { at: 1 }, 90],
  ['deliveries', Delivery.schema, { createdAt: 1 }, 90],
  ['attempts', DeliveryAttempt.schema, { startedAt: 1 }, 30],
] as [string, Schema, object, number][])(
  '%s expire by exactly one index after the documented time',
  (_what, schema, field, days) => {
    const ends = schema.indexes().filter(([, options]) => options?.expireAfterSeconds !== undefined);
    expect(ends.map(([fields, options]) => [fields, options?.expireAfterSeconds])).toEqual([[field, days * dayS]]);
  },
);
