/** Returns the result of an operation, or undefined when it fails with one of these codes of the system. */
export async function ignoreErrors<T>(codes: readonly string[], operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
