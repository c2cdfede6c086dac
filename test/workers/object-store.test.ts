import { describe } from '@jest/globals';
import { startEmbeddedObjectStore } from '../support/embedded-object-store.ts';
import { objectStoreContract } from './object-store.contract.ts';

describe('the embedded object store', () => objectStoreContract(startEmbeddedObjectStore));
