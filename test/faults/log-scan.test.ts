import { afterEach, describe, expect, test } from '@jest/globals';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { aLetter, aPdf, aPostalAddress, upload } from '../support/builders.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findLeaks } from '../support/log-scan.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { startProductProcess } from '../support/product-process.ts';
import { answer, startRawReceiver } from '../support/raw-receiver.ts';
import { findServicePorts } from '../support/service-process.ts';
import { startWorld } from '../support/world.ts';

const street = 'Geheimstraat 77';
const reply = 'a-reply-that-is-nobody-elses';

describe('what the processes log', () => {
  const world = startWorld();
  afterEach(killStartedPrograms);

  test('given everything logged, when letters are sent, refused and reported to receivers that fail, then no secret, street or reply is in a line', async () => {
    // given
    const environment = { ...world.environment, ...(await findServicePorts()), LOG_LEVEL: 'trace' };
    const programs = [
      await startProductProcess('api/server.ts', environment),
      await startProductProcess('workers/main.ts', environment),
    ];
    const failing = await startRawReceiver(answer('500 Broken', {}, reply));
    const gone = await startRawReceiver(answer('410 Gone', {}, reply));
    const customer = await world.customer();
    const http = createClient(`http://127.0.0.1:${environment.PORT}`, customer.key);
    for (const { port } of [failing, gone]) {
      const request = { url: `http://127.0.0.1:${port}/`, events: ['MAIL_QUEUED'] };
      expect((await http.post('/v1/webhooks', request)).status).toBe(201);
    }
    // when
    const { line2: _, ...recipient } = aPostalAddress({ line1: street });
    const files = [{ s3Key: await upload({ ...customer, http }, await aPdf()) }];
    const letter = await aLetter(customer, { files, recipients: [recipient] });
    expect((await http.post('/v1/mails', letter)).status).toBe(201);
    expect((await http.post('/v1/mails', { ...letter, zone: 'NOWHERE' })).status).toBe(400);
    const stranger = createClient(`http://127.0.0.1:${environment.PORT}`, `${customer.key}x`);
    expect((await stranger.get('/v1/wallet')).status).toBe(401);
    const { organizationId } = customer;
    await eventually(
      async () => {
        const rows = await Delivery.find({ organizationId }).lean();
        expect(rows.map(({ lastResult }) => lastResult).sort()).toEqual(['410', '500']);
      },
      { withinMs: 20_000 },
    );
    // then
    for (const program of programs) {
      expect(program.output().split('\n').length).toBeGreaterThan(1);
      expect(findLeaks(program.output(), [street, reply])).toEqual([]);
    }
    expect(findLeaks('{"url":"whsec_x"}')).toHaveLength(1);
    await Promise.all([failing.close(), gone.close()]);
  }, 60_000);
});
