import { createFairSemaphore } from '#common/platform/concurrency/fair-semaphore.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { WarmChild } from '../warm/spawn-warm-child.ts';
import { createWarmMembers } from '../warm/warm-members.ts';
import { type LetterContent, letterLimits } from './letter-content.ts';
import { type Layout, type PackedDocument, packLetter } from './pack-letter.ts';
import { LetterError, refusals } from './refusals.ts';
import { startTypesetter } from './start-typesetter.ts';

/** A letter as PDF. */
export type SetLetter = { pdf: Buffer; pageCount: number };

/** The processes that typeset letters. The same letter gives the same bytes, in any process and on any machine. */
export type TypesettingPool = {
  /** Starts the first process ahead of need. */
  prepare(): void;
  /**
   * Typesets a letter of this organization. Throws `LetterError` for a letter that cannot be typeset,
   * `SemaphoreFullError` and `TypesettingUnavailableError` when a retry may succeed, and the signal's reason.
   */
  typeset(content: LetterContent, organizationId: string, signal: AbortSignal): Promise<SetLetter>;
  /** Typesets a paper for the people who print and post letters, of any number of pages. Throws what a retry may mend. */
  typesetPaper(layout: Exclude<Layout, 'letter'>, content: object, signal: AbortSignal): Promise<Buffer>;
  close(): void;
};

/** No process could be started, for a reason outside the letter. */
export class TypesettingUnavailableError extends Error {
  override readonly name = 'TypesettingUnavailableError';
}

export type TypesettingPoolOptions = {
  /** Which organizations share a process; `none`: each letter gets a process of its own. */
  sharing: 'everyone' | 'organization' | 'none';
  log: Log;
  /** Most letters at once, 2 by default. A process has up to 400 MB. */
  maxChildren?: number;
  /** Tests change these. */
  lettersPerChild?: number;
  startChild?: (log: Log) => Promise<WarmChild>;
};

/** Memory grows by about 0.3 MB per letter, so a process is replaced after this many. */
const defaultLettersPerChild = 200;
/** A start takes about 1 s, and longer on a busy machine. There is no other way to typeset a letter. */
const maxWaitMs = 30_000;
const maxWaiting = 500;

/** Creates the pool of a process. It starts nothing before the first letter, and stops its processes after 5 min without one. */
export function createTypesettingPool(options: TypesettingPoolOptions): TypesettingPool {
  const { sharing, log, maxChildren = 2, lettersPerChild = defaultLettersPerChild } = options;
  const members = createWarmMembers({
    ...{ maxChildren, keepsSpare: false, log, maxWaitMs },
    sharing: sharing === 'none' ? 'organization' : sharing,
    maxFilesPerChild: sharing === 'none' ? 1 : lettersPerChild,
    startChild: options.startChild ?? startTypesetter,
  });
  const permits = createFairSemaphore({ permits: maxChildren, maxWaiting });

  /** Returns null when the process ended with the letter: it broke a limit, or crashed. */
  async function ask(bytes: Buffer, organizationId: string, signal: AbortSignal): Promise<SetLetter | null> {
    const member = await members.acquire(organizationId);
    if (!member) throw new TypesettingUnavailableError('No process for typesetting could be started.');
    try {
      const answer = await member.child.ask({ operation: 'typesetLetter', bytes }, signal);
      if (!answer) return null;
      const { outcome, value, bytes: pdf } = answer;
      if (outcome === 'refused') {
        if (value === refusals.logo_unreadable) throw new LetterError('logo_unreadable');
        // The layout sets every tree that we build, so this is a fault of ours.
        log.error({ organizationId }, 'letter refused by the compiler');
        throw new LetterError('too_hard');
      }
      // Security: the process is not trusted, and the number of pages is what the customer pays.
      if (value < 1 || !pdf.subarray(0, 5).equals(pdfStart)) return null;
      return { pdf, pageCount: value };
    } finally {
      members.release(member);
    }
  }

  async function set(packed: PackedDocument, organizationId: string, signal: AbortSignal): Promise<SetLetter> {
    signal.throwIfAborted();
    const bytes = Buffer.from(JSON.stringify(packed));
    await permits.acquire(organizationId, signal);
    try {
      // A process can also end for a reason outside the letter: only the second end is the letter's fault.
      const letter = (await ask(bytes, organizationId, signal)) ?? (await ask(bytes, organizationId, signal));
      if (!letter) throw new LetterError('too_hard');
      return letter;
    } finally {
      permits.release(organizationId);
    }
  }

  return {
    prepare: members.prepare,
    async typeset(content, organizationId, signal) {
      const letter = await set(packLetter(content), organizationId, signal);
      if (letter.pageCount > letterLimits.pages) throw new LetterError('too_many_pages');
      return letter;
    },
    async typesetPaper(layout, content, signal) {
      try {
        return (await set({ layout, json: JSON.stringify(content), files: {} }, 'papers', signal)).pdf;
      } catch (error) {
        // Its content is ours, so what ended the process twice is the machine's, or a fault of ours.
        const isEnded = error instanceof LetterError;
        throw isEnded ? new TypesettingUnavailableError('A paper was not typeset.', { cause: error }) : error;
      }
    },
    close: members.close,
  };
}

const pdfStart = Buffer.from('%PDF-');
