/**
 * Deepest nesting of arrays and dictionaries in one object. PDFium reads 64 levels. The stack of a process holds about
 * 3,000, or more of code that V8 has optimized: without a limit, which objects are read would depend on that.
 */
const maxNesting = 500;

class NestingError extends Error {}

/** Returns a function that calls `read`, which may call it again, up to `maxNesting` levels deep. */
export function createNestingGuard(): <T>(read: () => T) => T {
  let depth = 0;
  return (read) => {
    if (depth === maxNesting) throw new NestingError(`An object is nested more than ${maxNesting} levels deep.`);
    depth += 1;
    try {
      return read();
    } finally {
      depth -= 1;
    }
  };
}

/** Returns whether reading ended at a limit. That does not prove that the document is damaged: memory differs by process. */
export function isExhaustion(error: unknown): boolean {
  return error instanceof NestingError || (error as Error).message === 'Array buffer allocation failed';
}
