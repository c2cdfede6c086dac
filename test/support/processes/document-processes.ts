import { createTypesettingPool, type TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import { createWarmPool, type WarmPool } from '#common/documents/warm/warm-pool.ts';
import { guardMs } from '../jest.ts';
import { createSuiteLog } from '../product/suite-log.ts';

type DocumentProcesses = { warmPool: WarmPool; typesetting: TypesettingPool };

let shared: DocumentProcesses | undefined;

/**
 * Returns the document processes of all worlds in this test process. Starting one costs more than most letters, so they
 * outlive the world and end with the test process, and a file waits for a start instead of getting a process of its own.
 */
export function shareDocumentProcesses(): DocumentProcesses {
  const log = createSuiteLog();
  shared ??= {
    warmPool: createWarmPool({
      ...{ maxChildren: 2, keepsSpare: false, sharing: 'everyone', maxWaitMs: guardMs, log },
    }),
    typesetting: createTypesettingPool({ sharing: 'everyone', log }),
  };
  return shared;
}
