// Level: ci
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, eventually, expect, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { aLetter } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { signVectors } from '../support/sdk/webhook-vectors.ts';
import {
  type Language,
  languages,
  programOf,
  signAt,
  startExampleReceiver,
  stopExampleReceivers,
} from '../support/webhooks/example-receiver.ts';

const acceptedTitles = signVectors('').flatMap(({ title, accepted }) => (accepted ? [title] : []));

const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED'];

describe('the example receivers', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });
  afterEach(stopExampleReceivers);
  const newFolder = useTempFolders();

  /** Registers a webhook and starts its receiver, as an integrator would. */
  async function subscribe(language: Language) {
    const customer = await world.customer();
    const port = await findFreePort();
    const webhook = await customer.http.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/hooks`, events });
    const { id: webhookId, secret } = webhook.body;
    const options = { language, secret, port, inbox: join(await newFolder(), webhookId) };
    return { customer, webhookId, secret, options, receiver: await startExampleReceiver(options) };
  }

  const aBody = (overrides = {}) =>
    JSON.stringify({ event: 'MAIL_POSTED', mailJobId: 'mj_1', externalId: 'é', status: 'posted', ...overrides });

  for (const language of languages) {
    describe(`in ${language}`, () => {
      const testHere = testWithPrograms(programOf(language));

      testHere('each delivery of a registered letter is accepted and stored once', async () => {
        const { customer, webhookId, receiver } = await subscribe(language);
        const letter = await aLetter(customer, { serviceType: 'registered', externalId: 'Ordre № 1' });
        const { mailJobId } = (await customer.http.post('/v1/mails', letter)).body;
        const readDelivered = async () => {
          const rows = await Delivery.find({ webhookId, state: 'delivered' }).lean<DeliveryRecord[]>();
          expect(rows).toHaveLength(events.length);
          return rows;
        };
        const deliveries = await eventually(readDelivered);
        for (const delivery of deliveries) expect(delivery).toMatchObject({ attempt: 1, lastResult: '204' });
        const bodies = deliveries.map(({ event, body }) => [`${event}.${mailJobId}.json`, body]);
        expect(await receiver.kept()).toEqual(Object.fromEntries(bodies));
        expect(receiver.taken()).toEqual(events.map((event) => `${event} ${mailJobId}`));

        // During the overlap of a rotation the old secret still verifies.
        await customer.http.post(`/v1/webhooks/${webhookId}/rotate-secret`, { overlapHours: 1 });
        const { deliveryId } = (await customer.http.post(`/v1/webhooks/${webhookId}/ping`)).body;
        await eventually(async () =>
          expect(await Delivery.findById(deliveryId).lean()).toMatchObject({ state: 'delivered' }),
        );
      });

      testHere('a repeated delivery is answered 2xx and dropped, also after a restart', async () => {
        const { secret, options, receiver } = await subscribe(language);
        expect(await receiver.post(aBody(), signAt(secret, aBody(), 0))).toBe(204);
        const kept = await receiver.kept();
        const again = aBody({ externalId: 'another text of the same event' });
        expect(await receiver.post(again, signAt(secret, again, 0))).toBe(204);
        expect(receiver.taken()).toEqual(['MAIL_POSTED mj_1']);
        await receiver.stop();

        const restarted = await startExampleReceiver(options);
        expect(await restarted.post(aBody(), signAt(secret, aBody(), 0))).toBe(204);
        const next = aBody({ event: 'MAIL_DELIVERED' });
        expect(await restarted.post(next, signAt(secret, next, 0))).toBe(204);
        await eventually(() => expect(restarted.taken()).toEqual(['MAIL_DELIVERED mj_1']));
        expect(await restarted.kept()).toEqual({ ...kept, 'MAIL_DELIVERED.mj_1.json': next });
      });

      testHere('forged and outdated deliveries are refused and not stored', async () => {
        const { secret, receiver } = await subscribe(language);
        for (const { title, body, header } of signVectors(secret).filter(({ accepted }) => !accepted)) {
          expect([title, await receiver.post(body, header)]).toEqual([title, 401]);
        }
        expect(await receiver.post(aBody(), undefined)).toBe(401);
        expect(await receiver.kept()).toEqual({});
        for (const title of acceptedTitles) {
          // Signed again for each try: a delivery near the limit may get too old on its way, by the receiver's own clock.
          await eventually(async () => {
            const { body = '', header } = signVectors(secret).find((vector) => vector.title === title) ?? {};
            expect([title, await receiver.post(body, header)]).toEqual([title, 204]);
          });
        }
        expect(receiver.taken()).toEqual(['MAIL_POSTED mj_1', 'MAIL_POSTED mj_2']);
      });

      testHere('a delivery that cannot be stored is answered 5xx, for a retry', async () => {
        const { secret, options, receiver } = await subscribe(language);
        await rm(options.inbox, { recursive: true, force: true });
        await writeFile(options.inbox, 'a file where the folder was');
        expect(await receiver.post(aBody(), signAt(secret, aBody(), 0))).toBeGreaterThanOrEqual(500);
        expect(receiver.taken()).toEqual([]);
      });

      testHere('a body larger than any event is not stored', async () => {
        const { secret, receiver } = await subscribe(language);
        const large = aBody({ externalId: 'x'.repeat(70_000) });
        const status = await receiver.post(large, signAt(secret, large, 0)).catch(() => 'cut off');
        expect([413, 'cut off']).toContain(status);
        expect(await receiver.kept()).toEqual({});
      });
    });
  }
});
