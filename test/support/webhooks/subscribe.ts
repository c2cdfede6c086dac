import { eventually, expect } from '../jest.ts';
import type { Customer } from '../product/world.ts';
import { openReceiver, type Receiver } from './receiver.ts';

/** Creates a webhook over HTTP. Returns its path, its fields without the secret, and the secret. */
export async function addWebhook({ http }: Pick<Customer, 'http'>, fields: Record<string, unknown> = {}) {
  const webhook = { url: 'https://127.0.0.1/hook', events: ['MAIL_POSTED'], ...fields };
  const { secret, ...shown } = (await http.post('/v1/webhooks', webhook)).body;
  return { path: `/v1/webhooks/${shown.id}`, id: shown.id as string, shown, secret: secret as string };
}

/** Subscribes a new receiver to events of a customer in a world with workers. */
export async function subscribe({ http }: Pick<Customer, 'http'>, events = ['MAIL_QUEUED']) {
  const receiver = await openReceiver();
  const { id, path, secret } = await addWebhook({ http }, { url: receiver.url, events });
  const deliveries = async (query = '') => (await http.get(`${path}/deliveries${query}`)).body.data;
  /** Waits until the webhook's only delivery is as expected, and returns it. */
  const settled = (expected: object) =>
    eventually(
      async () => {
        const [delivery] = await deliveries();
        expect(delivery).toMatchObject(expected);
        return delivery;
      },
      { withinMs: 8_000 },
    );
  const end = async () => {
    await http.delete(path);
    await receiver.close();
  };
  return { receiver, id, secret, path, deliveries, settled, end };
}

/** The attempt numbers of all posts. */
export const numbersOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-service-attempt']);
