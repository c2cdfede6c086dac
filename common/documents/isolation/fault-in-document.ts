import type { DocumentFault } from './document-error.ts';

/** Thrown in a child when its document cannot be printed. */
export class FaultInDocument extends Error {
  override readonly name = 'FaultInDocument';
  readonly fault: DocumentFault;

  constructor(fault: DocumentFault, detail = '') {
    super(`${fault} ${detail}`);
    this.fault = fault;
  }
}
