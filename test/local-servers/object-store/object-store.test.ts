// Level: push
import { describe } from '#test/support/jest.ts';
import { startEmbeddedObjectStore } from '#test/support/servers/embedded-object-store.ts';
import { objectStoreContract } from './object-store.contract.ts';

describe('the embedded object store', () => objectStoreContract(startEmbeddedObjectStore));
