import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { adminLinks } from '../../api/web/navigation.ts';
import { pages } from '../../api/web/pages/index.ts';
import { newId } from '../../common/ids.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { AuditEntry } from '../../common/organizations/audit.model.ts';
import { recordAudit } from '../../common/organizations/record-audit.ts';
import { aLetter } from '../support/builders.ts';
import type { Customer } from '../support/customer.ts';
import type { Visitor } from '../support/visitor.ts';
import { openWebHost, type WebHost, type WebUser } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const letters = '/admin/letters';
const ofAdmin = pages.filter(({ access }) => access === 'admin');
const anyId = (path: string) =>
  path
    .replace(':organizationId', 'org_01h455vb4pex5vsknk084sn02q')
    .replace(':mailJobId', 'mj_01h455vb4pex5vsknk084sn02q');

describe('the area of administrators', () => {
  const world = startWorld();
  let host: WebHost;
  let admin: Visitor & { user: WebUser };
  let customer: Customer;
  beforeAll(async () => {
    host = await openWebHost(world);
    admin = await host.signedIn({ isAdmin: true });
    customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
  });
  afterAll(async () => host.close());

  async function sendLive(): Promise<string> {
    const { status, body } = await customer.http.post('/v1/mails', await aLetter(customer));
    expect(status).toBe(201);
    return body.mailJobId;
  }

  test('given a stranger and a user who is no administrator, when any page or form of it is asked for, then neither gets in', async () => {
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

  test('given the overview, when an administrator opens it, then stores, work and links are there', async () => {
    await sendLive();
    const { status, text } = await admin.get('/admin');
    expect(status).toBe(200);
    expect(text.match(/Reachable/g)).toHaveLength(3);
    expect(text).toContain('Letters to be rendered');
    expect(text).toContain('Not yet');
    const [, main = ''] = text.split('<main');
    for (const { path, isForeign } of adminLinks.filter((link) => link.path !== '/admin')) {
      expect(main).toContain(`href="${isForeign ? path : `/en${path}`}"`);
    }
  });

  test('given a live letter, when its status is set, then it moves forward, and the log has by whom', async () => {
    const mailJobId = await sendLive();
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
    expect(failed.text).toContain('Nothing can happen to it any more.');
    const actor = { kind: 'user', id: admin.user.userId };
    expect(await AuditEntry.find({ subjectId: mailJobId }).sort({ _id: 1 }).lean()).toMatchObject([
      { action: 'letter.status-set', actor, detail: { from: 'queued', to: 'printed' } },
      { action: 'letter.status-set', actor, detail: { from: 'printed', to: 'failed' } },
    ]);
  });

  test('given a sandbox letter, when it is opened there, then it is not found', async () => {
    const tester = await world.customer();
    const { body } = await tester.http.post('/v1/mails', await aLetter(tester));
    expect((await admin.get(`${letters}/${body.mailJobId}`)).status).toBe(404);
    expect((await admin.get(letters)).text).not.toContain(body.mailJobId);
  });

  test('given a key made and revoked in an account, when the log is opened, then both are there, of that organization too', async () => {
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

  test('given more than a page of changes, when the log is walked, then each is there once, the latest first', async () => {
    const organizationId = newId('org');
    const by = { kind: 'system', id: 'test' } as const;
    const at = new Date();
    const subjects = Array.from({ length: 53 }, (_, index) => `subject-${String(index).padStart(2, '0')}`);
    for (const subjectId of subjects) await recordAudit({ action: 'key.created', subjectId, organizationId }, by, at);
    const found: string[] = [];
    let next: string | undefined = `/admin/audit?organizationId=${organizationId}`;
    for (let page = 0; next !== undefined && page < 5; page += 1) {
      const { text } = await admin.get(next);
      found.push(...[...text.matchAll(/<code>(subject-\d+)<\/code>/g)].map(([, id = '']) => id));
      next = /class="button plain" href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(found).toEqual(subjects.toReversed());
  });

  test('given an entry of the log, when it is to be changed or removed, then its model refuses', async () => {
    const entry = await AuditEntry.findOne().orFail();
    await expect(AuditEntry.updateOne({ _id: entry._id }, { $set: { subjectId: 'x' } })).rejects.toThrow('append only');
    await expect(AuditEntry.deleteMany({})).rejects.toThrow('append only');
    await expect(entry.set({ subjectId: 'x' }).save()).rejects.toThrow('append only');
    await expect(entry.deleteOne()).rejects.toThrow('append only');
  });

  test('given many rows, when every page is opened, then no query scans a collection or reads more than it shows', async () => {
    const job = await MailJob.findOne({ mode: 'live' }).orFail().lean<MailJobRecord>();
    const { externalId: _, ...rest } = job;
    const copy = (status: MailJobRecord['status'], mode: 'live' | 'test') => ({
      ...rest,
      _id: newId('mj'),
      status,
      mode,
    });
    await MailJob.insertMany(
      Array.from({ length: 300 }, (_none, index) => copy(index % 3 ? 'delivered' : 'queued', 'live')),
    );
    await MailJob.insertMany(Array.from({ length: 200 }, () => copy('queued', 'test')));
    await mongoose.connection.db?.command({ profile: 2 });
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
    await mongoose.connection.db?.command({ profile: 0 });
    const all = await mongoose.connection.collection('system.profile').find({ ns: /./ }).toArray();
    expect(all.length).toBeGreaterThan(20);
    const scans = all.filter(({ ns, planSummary }) => /COLLSCAN/.test(planSummary) && !/system.profile$/.test(ns));
    expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
    const lists = all.filter(({ ns, command }) => /mail_jobs|audit_entries/.test(ns) && command.sort?._id === -1);
    expect(lists).toHaveLength(5);
    for (const { hasSortStage = false, docsExamined, nreturned, planSummary } of lists) {
      expect([planSummary, hasSortStage, docsExamined]).toEqual([expect.stringMatching(/^IXSCAN/), false, nreturned]);
    }
  });
});
