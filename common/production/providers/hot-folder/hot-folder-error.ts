/** A failure that the operator can fix. The message names the path and says what to do. */
export class HotFolderError extends Error {
  override readonly name = 'HotFolderError';
  /** The code of the system, such as ENOSPC, if it was the system that failed. */
  readonly code: string | undefined;

  constructor(message: string, options: { code?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code;
  }
}

const user = `user ${process.getuid?.() ?? 'of the service'}`;
const access = `Give the ${user} read and write permission for it and all that is in it.`;

/** What to do about an error of the system. */
const advice: Record<string, string> = {
  ENOENT: 'It does not exist. Mount or create the hot folder. A restart of the workers creates what belongs into it.',
  ENOTDIR: 'A part of the path is not a folder. Move away what stands there.',
  ENOSPC: 'The disk is full. Free space there.',
  EDQUOT: 'The quota of the disk is used up. Free space there.',
  EACCES: access,
  EPERM: access,
  EROFS: 'The file system is mounted read-only. Mount it for writing.',
  EXDEV: 'The folders of a hot folder must be on one file system: no mount points and no links inside it.',
  EIO: 'The disk or the network share has failed. Check it, then look for the batch in the folder out.',
};

/** Returns an error of the file system with the path and with what to do. Other errors are returned as they are. */
function toHotFolderError(error: unknown, path: string): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (error instanceof HotFolderError || code === undefined || syscall === undefined) return error;
  const toDo = advice[code] ?? 'Check the disk or the network share.';
  return new HotFolderError(`Hot folder: ${syscall} of ${path} failed with ${code}. ${toDo}`, { code, cause: error });
}

/** Runs an operation on a path of the hot folder. Errors of the file system get the path and what to do. */
export async function onPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toHotFolderError(error, path);
  }
}
