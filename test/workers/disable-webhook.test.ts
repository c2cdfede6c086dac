import { describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { Notice } from '../../common/organizations/notice.model.ts';
import { createLog } from '../../common/platform/log.ts';
import { createDeliveryMetrics } from '../../common/webhooks/delivery-metrics.ts';
import { disableWebhook } from '../../common/webhooks/disable-webhook.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that we disable', () => {
  const world = startWorld({ hasTariffs: false });

  test('given two workers that want to disable one webhook, when they do, then notice, log and metric tell it once, and the log names neither address nor secret', async () => {
    // given
    const customer = await world.customer();
    const url = 'https://127.0.0.1/private-path';
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url, events: ['MAIL_QUEUED'] });
    const { organizationId, mode } = customer;
    const endpoint = { _id: webhook.id, organizationId, mode, webhookId: webhook.id };
    const lines: string[] = [];
    const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
    const registry = new Registry();
    const metrics = createDeliveryMetrics(registry, world.clock);
    // when
    const disable = () => disableWebhook(endpoint, 'FAILING', new Date(), { log, metrics });
    await Promise.all([disable(), disable()]);
    // then
    expect(await Notice.countDocuments({ subjectId: webhook.id, kind: 'WEBHOOK_DISABLED' })).toBe(1);
    const told = { level: 'warn', webhookId: webhook.id, reason: 'FAILING', msg: 'webhook disabled' };
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining(told)]);
    expect(lines.join()).not.toMatch(/private-path|whsec_/);
    expect(await registry.metrics()).toMatch(/^endpoints_disabled_total 1$/m);
    const { body } = await customer.http.get(`/v1/webhooks/${webhook.id}`);
    expect(body).toMatchObject({ status: 'disabled', disabledReason: 'FAILING' });
  });
});
