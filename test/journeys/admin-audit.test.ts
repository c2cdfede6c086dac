import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AuditEntry } from '../../common/organizations/audit.model.ts';
import { useAdmin } from '../support/admin.ts';

const address = ['--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles', '--country', 'BE'];

describe('the audit log of the administration command line', () => {
  const admin = useAdmin();
  beforeAll(async () => admin.get('migrate'));

  test('given commands that change something, when the log is read, then each stands there once, without secrets and addresses', async () => {
    const { organizationId } = await admin.get('org', 'create', '--name', 'Ada Peeters', ...address);
    const org = ['--org', organizationId];
    const { keyId, key } = await admin.get('key', 'create', ...org, '--mode', 'live', '--scopes', 'read,send');
    await admin.get('key', 'revoke', keyId);
    await admin.get('key', 'revoke', keyId);
    const live = [...org, '--mode', 'live'];
    for (const _ of [1, 2]) await admin.get('wallet', 'top-up', ...live, '--cents', '900', '--reference', 'bank 1');
    await admin.get('wallet', 'adjust', ...live, '--cents=-100', '--reason', 'for Ada', '--reference', 'case 1');
    await admin.get('wallet', 'set-threshold', ...live, '--cents', '500');
    const password = 'correct horse battery';
    await admin.get('user', 'create', ...org, '--email', 'ada@peeters.example', '--password', password);
    await admin.get('wallet', 'show', ...live);
    const entries = await admin.inDatabase(async () => AuditEntry.find({ organizationId }).sort({ _id: 1 }).lean());
    expect(entries.map(({ action }) => action)).toEqual([
      'organization.created',
      'key.created',
      'key.revoked',
      'wallet.topped-up',
      'wallet.adjusted',
      'wallet.threshold-set',
      'user.created',
    ]);
    expect(new Set(entries.map(({ actor }) => `${actor.kind} ${actor.id}`))).toEqual(
      new Set([`cli ${userInfo().username}`]),
    );
    const text = JSON.stringify(entries);
    for (const secret of [key, password, 'ada@', 'Ada', 'Rue Haute']) expect(text).not.toContain(secret);
  });
});
