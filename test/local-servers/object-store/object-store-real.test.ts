// Level: ci
import { describe, test } from '#test/support/jest.ts';
import { bringVersitygw, startVersitygw } from '#test/support/servers/versitygw.ts';
import { objectStoreContract } from './object-store.contract.ts';

const versitygw = await bringVersitygw(process.env);

if ('binary' in versitygw) {
  describe('a real S3 server', () => objectStoreContract(() => startVersitygw(versitygw.binary)));
} else {
  test.skip(`a real S3 server [no versitygw: ${versitygw.missingBecause}]`);
}
