// Level: push
import { adminLinks } from '#api/web/design/navigation.ts';
import { pages } from '#api/web/pages.ts';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createHints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import type { World } from '#test/support/product/world.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';
import { type Profiled, scansOf, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { openWebHost, startWebHost, type Visitor, walkPages } from '#test/support/web/web-host.ts';

const letters = '/admin/letters';
const ofAdmin = pages.filter(({ access }) => access === 'admin');
const anyId = (path: string) =>
  path
    .replace(':organizationId', 'org_01h455vb4pex5vsknk084sn02q')
    .replace(':mailJobId', 'mj_01h455vb4pex5vsknk084sn02q')
    .replace(':batchId', 'bat_01h455vb4pex5vsknk084sn02q')
    .replace(':itemId', 'mi_01h455vb4pex5vsknk084sn02q');

describe('the administration area', () => {
  const { world, host } = startWebHost();
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 100_000 }));

  test('visitors and users without administrator rights have no access', async () => {
    const user = await host.signedIn();
    const stranger = host.visitor();
    expect(ofAdmin.length).toBeGreaterThan(15);
    const [, token = ''] = /name="_csrf" value="([^"]*)"/.exec((await user.get('/account/api-keys')).text) ?? [];
    for (const { method, path } of ofAdmin) {
      const ask = (visitor: Visitor) =>
        method === 'get' ? visitor.get(`/en${anyId(path)}`) : visitor.post(`/en${anyId(path)}`, { _csrf: token });
      expect([method, path, (await ask(user)).status]).toEqual([method, path, 403]);
      const answer = await ask(stranger);
      expect([method, path, answer.status]).toEqual([method, path, 303]);
      expect(answer.location).toContain('/sign-in');
    }
  });

  test('the overview shows stores, due work and links', async () => {
    await customer.sendAccepted();
    const { status, text } = await admin.get('/admin');
    expect(status).toBe(200);
    expect(text.match(/Reachable/g)).toHaveLength(3);
    expect(text).toContain('Letters to render');
    for (const label of ['Letters to collect for', 'Batches to close,', 'Batches whose letters are to be merged']) {
      expect(text).toContain(label);
    }
    expect(text).toContain('Not yet');
    const [, main = ''] = text.split('<main');
    for (const { path, isExternal } of adminLinks.filter((link) => link.path !== '/admin')) {
      expect(main).toContain(`href="${isExternal ? path : `/en${path}`}"`);
    }
  });

  test('a Redis that answers after 300 ms is shown as reachable', async () => {
    const { config, log, services, revocations } = world;
    const proxy = await startFaultProxy(config.redis.url);
    const redis = createRedis({ url: proxy.url }, 'api', log);
    const hints = createHints({ redis, prefix: config.redis.queuePrefix, log });
    const slow = {
      config: { ...config, redis: { ...config.redis, url: proxy.url } },
      services: { ...services, hints },
    };
    const slowHost = await openWebHost({ ...slow, log, revocations } as World);
    const visitor = slowHost.visitor();
    await visitor.signIn(admin.user);
    await eventually(() => expect(redis.status).toBe('ready'));

    proxy.set('freeze');
    const asked = visitor.get('/admin');
    setTimeout(() => proxy.set('pass'), 300);

    expect((await asked).text.match(/Reachable/g)).toHaveLength(3);
    await slowHost.close();
    await hints.close();
    redis.disconnect();
    await proxy.close();
  });

  test('setting the status of a live letter advances it and is logged', async () => {
    const mailJobId = await customer.sendAccepted();
    const page = `${letters}/${mailJobId}`;
    expect((await admin.get(`${letters}?status=queued`)).text).toContain(mailJobId);
    const shown = await admin.get(page);
    expect(shown.text).not.toMatch(/Ada Peeters|Rue Haute/);
    const printed = await admin.send(page, page, { status: 'printed', reason: '' });
    expect([printed.status, printed.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
    expect((await admin.get(`${letters}?status=queued`)).text).not.toContain(mailJobId);
    expect((await admin.get(letters)).text).toContain(mailJobId);

    const back = await admin.send(page, page, { status: 'queued', reason: '' });
    expect([back.status, back.text.includes('cannot become queued')]).toEqual([409, true]);
    const wordy = await admin.send(page, page, { status: 'posted', reason: 'The paper is wet.' });
    expect([wordy.status, wordy.text.includes('A reason goes with the status failed.')]).toEqual([400, true]);
    await admin.send(page, page, { status: 'failed', reason: 'The paper is wet.' });
    const failed = await admin.get(page);
    expect(failed.text).toContain('DEPOSIT_FAILED: The paper is wet.');
    expect(failed.text).toContain('This letter has reached its final status.');
    const actor = { kind: 'user', id: admin.user.userId };
    expect(await AuditEntry.find({ subjectId: mailJobId }).sort({ _id: 1 }).lean()).toMatchObject([
      { action: 'letter.status-set', actor, detail: { from: 'queued', to: 'printed' } },
      { action: 'letter.status-set', actor, detail: { from: 'printed', to: 'failed' } },
    ]);
  });

  test('sandbox letters are not found', async () => {
    const tester = await world.customer();
    const { body } = await tester.send();
    expect((await admin.get(`${letters}/${body.mailJobId}`)).status).toBe(404);
    expect((await admin.get(letters)).text).not.toContain(body.mailJobId);
  });

  test('the audit log shows the creation and revocation of a key, also per organization', async () => {
    const user = await host.signedIn();
    const keys = '/account/api-keys';
    const made = await user.send(keys, keys, { name: 'A', mode: 'test', scopes: ['read'] });
    const keyId = /bjk_(test[a-z2-7]{16})_/.exec(made.text)?.[1] ?? '';
    await user.send(keys, `${keys}/revoke`, { keyId });
    const { organizationId, userId } = user.user;
    for (const query of ['', `?organizationId=${organizationId}`]) {
      const { text } = await admin.get(`/admin/audit${query}`);
      expect(text).toContain('key.created');
      expect(text).toContain('key.revoked');
      expect(text).toContain(keyId);
      expect(text).toContain(userId);
    }
    expect((await admin.get('/admin/audit?organizationId=org_01h455vb4pex5vsknk084sn02q')).text).toContain(
      'No changes',
    );
  });

  test('paging through the audit log shows each change once, newest first', async () => {
    const organizationId = newId('org');
    const by = { kind: 'system', id: 'test' } as const;
    const at = new Date();
    const subjects = Array.from({ length: 53 }, (_, index) => `subject-${String(index).padStart(2, '0')}`);
    for (const subjectId of subjects) await recordAudit({ action: 'key.created', subjectId, organizationId }, by, at);
    const found = await walkPages(
      admin,
      `/admin/audit?organizationId=${organizationId}`,
      /<code>(subject-\d+)<\/code>/g,
    );
    expect(found).toEqual(subjects.toReversed());
  });

  test('audit entries cannot be changed or deleted', async () => {
    const entry = await AuditEntry.findOne().orFail();
    await expect(AuditEntry.updateOne({ _id: entry._id }, { $set: { subjectId: 'x' } })).rejects.toThrow('append only');
    await expect(AuditEntry.deleteMany({})).rejects.toThrow('append only');
    await expect(entry.set({ subjectId: 'x' }).save()).rejects.toThrow('append only');
    await expect(entry.deleteOne()).rejects.toThrow('append only');
  });

  test('no query of a page scans a collection or reads more than it shows', async () => {
    const job = await MailJob.findOne({ mode: 'live' }).orFail().lean<MailJobRecord>();
    const { externalId: _, ...rest } = job;
    const copies = (count: number, status: MailJobRecord['status'], mode: 'live' | 'test') =>
      Array.from({ length: count }, () => ({ ...rest, _id: newId('mj'), status, mode }));
    const rows = [
      ...copies(100, 'queued', 'live'),
      ...copies(200, 'delivered', 'live'),
      ...copies(200, 'queued', 'test'),
    ];
    await MailJob.insertMany(rows);
    await startProfiling();
    const { organizationId } = customer;
    for (const path of [
      '/admin',
      '/admin/organizations',
      '/admin/organizations?search=te',
      `/admin/organizations/${organizationId}`,
      letters,
      `${letters}?status=queued`,
      `${letters}?status=posted`,
      `${letters}/${job._id}`,
      '/admin/clients',
      '/admin/tariffs',
      '/admin/audit',
      `/admin/audit?organizationId=${organizationId}`,
    ]) {
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
    }
    const all = await stopProfiling();
    expect(all.length).toBeGreaterThan(20);
    expect(scansOf(all)).toEqual([]);
    const isList = ({ command }: Profiled) => (command?.sort as Record<string, number> | undefined)?._id === -1;
    const lists = all.filter((each) => /mail_jobs|audit_entries/.test(each.ns) && isList(each));
    expect(lists).toHaveLength(5);
    for (const { hasSortStage = false, docsExamined, nreturned, planSummary } of lists) {
      expect([planSummary, hasSortStage, docsExamined]).toEqual([expect.stringMatching(/^IXSCAN/), false, nreturned]);
    }
  });
});
