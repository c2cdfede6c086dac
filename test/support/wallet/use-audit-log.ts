import { type AuditAction, type AuditActor, AuditEntry } from '#common/audit/audit.model.ts';
import { newIdAt } from '#common/ids.ts';
import type { Mode } from '#common/modes.ts';
import { expect, openOnce, test } from '../jest.ts';
import { anApplication } from '../product/application.ts';
import { startWorld, type World } from '../product/world.ts';
import { openWebHost } from '../web/web-host.ts';
import { adminOf } from './admin.ts';

/** A URL that no test connects to. */
export const hookUrl = 'http://127.0.0.1:9/hook';
/** The operator who runs commands in tests. */
export const operator = { kind: 'cli', id: expect.any(String) } as unknown as AuditActor;

/** The expected fields of an entry. Absent fields are not compared. */
type ExpectedEntry = {
  actor: AuditActor;
  mode?: Mode | null;
  subjectId?: string;
  detail?: Record<string, unknown>;
};

/**
 * Performs an action and returns its expected entry. It calls `begin` after its preparation, whose entries are not
 * checked.
 */
type Perform = (scene: Awaited<ReturnType<typeof openScene>> & { begin(): void }) => Promise<ExpectedEntry>;

/** Returns a function that registers a test: the action leaves exactly one entry, with its actor and without secrets. */
export function useAuditLog(): (action: AuditAction, perform: Perform) => void {
  const world = startWorld({ hasTariffs: false });
  const scene = openOnce(() => openScene(world));

  return (action, perform) =>
    test(`${action} is recorded once, with who did it`, async () => {
      let start = newIdAt('aud', new Date());
      const begin = () => {
        start = newIdAt('aud', new Date());
      };
      const expected = await perform({ ...scene, begin });
      const { organizationId } = scene.customer;
      const entries = await AuditEntry.find({ organizationId, _id: { $gt: start } }).lean();
      expect(entries).toEqual([expect.objectContaining({ action, organizationId, at: expect.any(Date), ...expected })]);
      expect(JSON.stringify(entries)).not.toMatch(/whsec_|bj[rao]_|secret=|@|bjk_[a-z2-7]{16,}_/);
    });
}

/** An organization with a key, a signed-in user and an application: all actors of its audit log. */
async function openScene(world: World) {
  const host = await openWebHost(world);
  const customer = await world.customer();
  const visitor = await host.signedIn({ organizationId: customer.organizationId });
  const { user } = visitor;
  const app = await anApplication(world);
  const by = {
    user: { kind: 'user', id: user.userId },
    key: { kind: 'key', id: customer.keyId },
    application: { kind: 'application', id: app.clientId },
  } satisfies Record<string, AuditActor>;
  return {
    ...{ world, host, customer, user, visitor, app, by },
    aWebhook: async (): Promise<string> =>
      (await customer.http.post('/v1/webhooks', { url: hookUrl, events: ['MAIL_QUEUED'] })).body.id,
    /** Runs a command as an operator. */
    async administer(...words: string[]): Promise<void> {
      expect(await adminOf(world)([...words, '--json'])).toMatchObject({ code: 0, stderr: '' });
    },
    close: () => host.close(),
  };
}
