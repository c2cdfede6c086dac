// Level: push
import { mongoWaitMs } from '#common/platform/mongo/mongo.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('how long a request waits for MongoDB', () => {
  describe('by default', () => {
    startWorld({ isImpatient: true, hasTariffs: false });
    test('is 5 s', () => expect(mongoWaitMs()).toBe(5_000));
  });

  describe('with serverSelectionTimeoutMS in the URL', () => {
    const world = startWorld({ hasTariffs: false });
    test('is that time', () => {
      expect(world.config.mongo.url).toContain('serverSelectionTimeoutMS=60000');
      expect(mongoWaitMs()).toBe(60_000);
    });
  });
});
