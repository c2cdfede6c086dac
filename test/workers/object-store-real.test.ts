import { describe, test } from '@jest/globals';
import { bringVersitygw, startVersitygw } from '../support/versitygw.ts';
import { objectStoreContract } from './object-store.contract.ts';

const versitygw = await bringVersitygw(process.env);

if ('binary' in versitygw) {
  describe('a real S3 server', () => objectStoreContract(() => startVersitygw(versitygw.binary)));
} else {
  test.skip(`given ${versitygw.missingBecause}, when the contract is asked of it, then it is skipped`, () => undefined);
}
