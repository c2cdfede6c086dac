import { beforeAll, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

/** Every list that can be cut by creation, with a query that leaves one row in it. */
const lists = ['/v1/mails?', '/v1/events?', '/v1/wallet/transactions?kind=debit&'];

describe('a list that is cut by time', () => {
  const world = startWorld();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
    expect((await sender.send()).status).toBe(201);
  });

  test.each(lists)('given %s, when it is asked from a moment on or before it, then exactly so', async (list) => {
    const rowsOf = async (query: Record<string, string>) => {
      const { status, body } = await sender.http.get(`${list}${new URLSearchParams(query)}`);
      expect([query, status]).toEqual([query, 200]);
      return body.data;
    };
    const [{ createdAt }] = await rowsOf({});
    const finer = (digits: string) => createdAt.replace('Z', `${digits}Z`);
    const elsewhere = plusMs(new Date(createdAt), 90 * 60_000)
      .toISOString()
      .replace('Z', '+01:30');
    const isAfter: [string, number][] = [
      [createdAt, 1],
      [` ${createdAt} `, 1],
      [elsewhere, 1],
      [finer('000'), 1],
      [finer('0001'), 0],
      [plusMs(new Date(createdAt), 1).toISOString(), 0],
    ];
    for (const [moment, count] of isAfter) {
      expect([moment, (await rowsOf({ createdAfter: moment })).length]).toEqual([moment, count]);
      expect([moment, (await rowsOf({ createdBefore: moment })).length]).toEqual([moment, 1 - count]);
    }
    for (const moment of ['', '2026-03-02', '2026-03-02T09:30:00', '2026-02-30T09:30:00Z', elsewhere]) {
      for (const name of ['createdAfter', 'createdBefore']) {
        // As it stands: its + is a blank there.
        const answer = await sender.http.get(`${list}${name}=${moment}`);
        expect([moment, answer.status, issuePaths(answer)]).toEqual([moment, 400, [name]]);
        expect(answer.body.issues[0].message).toContain('%2B');
      }
    }
  });
});
