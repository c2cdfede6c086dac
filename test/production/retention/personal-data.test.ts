// Level: ci
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import mongoose from 'mongoose';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { searchRows } from '#common/bulk/read/search-rows.ts';
import { removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { plusMs } from '#common/clock.ts';
import { saveDraft } from '#common/drafts/save-draft.ts';
import { findFilesToRender } from '#common/mail-jobs/render/find-files-to-render.ts';
import { removeTemporaryObjects } from '#common/platform/s3/temporary-objects.ts';
import { personalData } from '#common/production/retention/personal-data.ts';
import { removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { aList, checkedBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aPostalAddress, aRequestAddress, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';
import { aDraft } from '#test/support/web/draft-scene.ts';

const hourMs = 3_600_000;
const { removed, objects } = personalData;

describe('a redacted letter of each kind', () => {
  const logged: string[] = [];
  const world = startWorld({
    ...{ hasWorkers: true, hasOwnMongo: true, hasOwnRedis: true },
    // The test moves its letters itself.
    environment: { SANDBOX_STEP_DELAY_S: '3600' },
    onLogLine: (line) => logged.push(line),
  });
  const customer = openOnce(() => world.customer({ balanceCents: 100_000 }));
  /** Every command that Redis gets. */
  const redis = openOnce(async () => {
    const lines: string[] = [];
    const { hostname, port } = new URL(world.ownRedis?.url ?? '');
    const socket = connect(Number(port), hostname);
    // The world stops its Redis first.
    socket.on('error', () => {});
    createInterface(socket).on('line', (line) => lines.push(line));
    socket.write('MONITOR\r\n');
    await eventually(async () => expect(lines[0]).toBe('+OK'));
    const close = async () => void socket.destroy();
    return { lines, close };
  });
  const markers: string[] = [];
  /** Returns a text that stands for one person, which no other text contains. */
  const person = () => {
    markers.push(`Qz${String(markers.length + 10)}vx`);
    return markers.at(-1) ?? '';
  };
  const somebody = () => ({ name: person(), line1: person(), line2: person(), city: person() });
  const isMarked = (text: string) => markers.some((marker) => text.toLowerCase().includes(marker.toLowerCase()));

  /** Sends a letter through the API, by a template or with a file, and returns its body and id. */
  async function send(content: object) {
    const letter = { zone: 'NATIONAL', serviceType: 'standard', metadata: { note: person() }, ...content };
    const body = { ...letter, sender: aRequestAddress(somebody()), recipients: [aRequestAddress(somebody())] };
    const answer = await untilAnswered(() => customer.http.post('/v1/mails', body));
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return { body, id: answer.body.mailJobId as string };
  }

  async function redact({ http }: Customer, id: string) {
    await eventually(async () => expect((await http.get(`/v1/mails/${id}/preflight`)).body.status).toBe('done'));
    expect((await http.post(`/v1/mails/${id}/simulate`, { to: 'posted' })).status).toBe(200);
    expect((await http.get(`/v1/mails/${id}/proof`)).status).toBe(200);
    const { status, body } = await http.post(`/v1/mails/${id}/redact`);
    expect([status, isMarked(JSON.stringify(body)), body.metadata]).toEqual([200, false, {}]);
    expect(body).toMatchObject({
      sender: { name: 'REDACTED', country: 'BE' },
      files: [{ filename: 'REDACTED', etag: '' }],
    });
    expect(body.recipients).toEqual([expect.objectContaining({ copySha256: null })]);
  }

  /** Returns the rows that name one of the people, by collection. */
  async function findMarked(): Promise<Map<string, Record<string, Date>[]>> {
    const found = new Map<string, Record<string, Date>[]>();
    for (const { name } of (await mongoose.connection.db?.listCollections().toArray()) ?? []) {
      const rows = await mongoose.connection.collection<Record<string, Date>>(name).find().toArray();
      const marked = rows.filter((row) => isMarked(JSON.stringify(row)));
      if (marked.length > 0) found.set(name, marked);
    }
    return found;
  }

  /** Returns the collections of the updates that wrote people, by MongoDB's log of all writes. */
  async function findRewritten(): Promise<string[]> {
    const oplog = mongoose.connection.getClient().db('local').collection('oplog.rs');
    const entries = await oplog.find().toArray();
    const writes = entries.flatMap(
      ({ o, ...entry }) => (o.applyOps ?? [{ ...entry, o }]) as { op: string; ns: string }[],
    );
    const rewrites = writes.filter((write) => write.op === 'u' && isMarked(JSON.stringify(write)));
    return rewrites.map(({ ns }) => ns.replace(`${mongoose.connection.name}.`, ''));
  }

  /** Does what cleanup and the TTL indexes do until then. */
  async function passUntil(at: Date): Promise<void> {
    const { store, log } = world;
    await removeOldBulks(at);
    await removeExpiredUploads({ store, log, findNeeded: findFilesToRender, onFailure: () => {} }, at);
    await removeTemporaryObjects({ store, log }, at);
    for (const name of ['drafts', 'preflights', 'letter_settings']) {
      const collection = mongoose.connection.collection(name);
      expect(await collection.indexes()).toContainEqual(expect.objectContaining({ expireAfterSeconds: 0 }));
      await collection.deleteMany({ expiresAt: { $lte: at } });
    }
  }

  test('names its people nowhere but where the list says, and nowhere when that has ended', async () => {
    const { http } = customer;
    const s3Key = await upload(customer, await aPdf(), { filename: `${person()}.pdf` });
    const single = await send({ files: [{ s3Key }], pages: 1, externalId: 'order-1' });
    const text = 'Dear ((name)),\n\nThank you.';
    const { body: template } = await http.post('/v1/templates', { name: 'Thanks', language: 'en', text });
    const set = await send({ templateId: template.templateId, mergeVariables: { name: person() } });
    const shared = await upload(customer, await aPdf(), { filename: `${person()}.pdf` });
    const request = { sender: aRequestAddress(somebody()), files: [{ s3Key: shared }] };
    const rows = aList(1, () => ({ name: person(), id: person() })).toString();
    // No letter uses the last column.
    const unused = person();
    const list = Buffer.from(rows.replace('Lidnummer', 'Lidnummer;Opmerking').replace(/\r\n$/, `;${unused}\r\n`));
    const { bulkId } = await checkedBulk(customer, list, { filename: `${person()}.csv`, request });
    expect((await http.post(`/v1/bulk/${bulkId}/mapping`, { mapping: {} })).status).toBeLessThan(300);
    await waitForBulk(customer, bulkId, ['ready']);
    for (const query of ['', '?page=1'])
      expect((await http.get(`/v1/bulk/${bulkId}/rows/2/preview${query}`)).status).toBe(200);
    expect((await http.post(`/v1/bulk/${bulkId}/confirm`)).status).toBe(200);
    await waitForBulk(customer, bulkId, ['sent']);
    const readRows = async () => (await http.get(`/v1/bulk/${bulkId}/rows`)).body.data;
    const draft = await aDraft(world, { recipients: [aPostalAddress(somebody())] });
    const { revision } = await saveDraft(
      draft.editor,
      { ...draft, mode: 'test' },
      () => ({ color: false }),
      new Date(),
    );
    const ofDraft = await draft.send({ revision });
    expect(markers.length).toBeGreaterThan(20);
    // Slower than the 100 ms from which MongoDB logs an operation by default.
    const ofSingle = { 'items.name': single.body.recipients[0]?.name, $where: 'sleep(150) || true' };
    expect(await mongoose.connection.collection('mail_jobs').findOne(ofSingle)).not.toBeNull();
    expect([...(await findMarked()).keys()]).toEqual(expect.arrayContaining(['mail_jobs', 'bulk_rows']));

    const [{ mailJobId: ofList }] = await readRows();
    // Another organization that names this row.
    const stranger = await world.customer();
    const strange = await stranger.sendAccepted({ externalId: `${bulkId}:2` });
    await redact(stranger, strange);
    expect(isMarked(JSON.stringify(await readRows()))).toBe(true);
    const readResults = async () => (await http.get(`/v1/bulk/${bulkId}/results`)).body;
    expect([JSON.stringify(await readRows()).includes(unused), (await readResults()).includes(unused)]).toEqual([
      false,
      true,
    ]);

    for (const id of [single.id, set.id, ofList]) await redact(customer, id);
    await redact(draft.customer, ofDraft);
    const results = await readResults();
    expect(isMarked(JSON.stringify([await readRows(), results, (await http.get('/v1/mails')).body]))).toBe(false);
    expect(results).toContain(ofList);
    // MongoDB logs every operation meanwhile.
    const { db } = mongoose.connection;
    await db?.command({ profile: 0, slowms: -1 });
    const ofSearch = await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
    const { rows: none } = await searchRows(
      ofSearch,
      { q: markers.join(' ').slice(0, 55), limit: 50 },
      world.services.cursors,
    );
    await db?.command({ profile: 0, slowms: 3_600_000 });
    expect(none).toEqual([]);
    const again = await http.post('/v1/mails', single.body);
    expect([again.status, again.body]).toMatchObject([
      200,
      { mailJobId: single.id, externalId: 'order-1', payloadMatches: true },
    ]);

    // A digest tells whether a document that someone has was this one.
    const letters = mongoose.connection.collection('mail_jobs');
    expect(await letters.countDocuments({ redactedAt: { $exists: true }, 'printFile.sha256': { $exists: true } })).toBe(
      0,
    );

    // A draft gets its recipients by an update, once.
    expect(await findRewritten()).toEqual(['drafts']);

    const now = new Date();
    const found = await findMarked();
    for (const [name, rows] of found) {
      const at = { ...removed, bulks: 'removeAt' }[name] ?? `${name} must not name a person`;
      const latest = plusMs(now, (name === 'bulks' ? 30 * 24 : 24) * hourMs);
      for (const row of rows) expect([name, at, Number(row[at]) <= latest.getTime()]).toEqual([name, at, true]);
    }
    await passUntil(plusMs(now, 27 * hourMs));
    expect([...(await findMarked()).keys()]).toEqual(['bulks']);
    expect(await readResults()).toContain('bluejay omitted: Opmerking');
    for (const { organizationId } of [customer, draft]) {
      for (const folder of Object.keys(objects)) {
        // The store may answer too late on a busy machine.
        await eventually(async () => {
          const left = await Array.fromAsync(world.store.list(`${folder}${organizationId}/`));
          expect([folder, left.map(({ key }) => key)]).toEqual([folder, []]);
        });
      }
    }
    await passUntil(plusMs(now, 31 * 24 * hourMs));
    expect(await findMarked()).toEqual(new Map());
    const { file, files } = await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
    expect([file, ...files].map(({ etag }) => etag)).toEqual(['', '']);

    const ofMongo = readFileSync(world.ownMongo?.logFile ?? '', 'utf8').split('\n');
    expect(ofMongo.filter((line) => line.includes('"find":"bulk_rows"'))).not.toEqual([]);
    for (const lines of [redis.lines, logged, ofMongo])
      expect([lines.length > 9, lines.filter(isMarked)]).toEqual([true, []]);
  });
});
