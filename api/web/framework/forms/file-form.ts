import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler } from 'express';
import type { SentValues } from '#api/web/visit/sent-form.ts';
import { createFairSemaphore, SemaphoreFullError, withPermit } from '#common/platform/concurrency/fair-semaphore.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { WebError } from '../web-error.ts';

/** Limits of the files of one submission. */
export type FileLimits = {
  maxFiles: number;
  maxFileBytes: number;
  /** Of all files together, which are on disk until the action ends. */
  maxTotalBytes: number;
};

/** Why a submitted file has no content here. `too_large_together`: beyond `maxTotalBytes`. */
type SentFileFault = 'too_large' | 'too_large_together' | 'empty';

/** A submitted file: on disk until the action ends, or with its fault. */
export type SentFile = { field: string; filename: string } & (
  | { path: string; sizeBytes: number; fault: null }
  | { path: null; fault: SentFileFault }
);

/** A submitted form with files. Files beyond `maxFiles` are left out, and `hasMoreFiles` is set. */
export type SentFiles = { values: SentValues; files: SentFile[]; hasMoreFiles: boolean };

export const noFiles: Omit<SentFiles, 'values'> = { files: [], hasMoreFiles: false };

type Receiving = {
  limits: FileLimits;
  /** Who submits: bounds what one visitor uploads at a time. */
  group: string;
  /** Throws when the form has no valid token. Called once, with the fields before the first file. */
  checkToken(values: SentValues): Promise<void>;
};

const maxFields = 100;
const partLimits = { fields: maxFields, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 16_384 };

/**
 * Forms with files that are read at a time, each with at most `maxTotalBytes` on disk. A stalled client holds its permit for
 * minutes, so one organization gets a few.
 */
const reading = createFairSemaphore({ permits: 16, maxPerGroup: 4, maxWaiting: 64, maxWaitingPerGroup: 16 });

const isFileForm = (request: Request) => /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '');

/** Throws WebError for another content type than that of a form with files. */
export const requireFileForm: RequestHandler = (request, _response, next) =>
  next(isFileForm(request) ? undefined : new WebError('UNSUPPORTED_MEDIA_TYPE'));

/**
 * Streams the files of a form to disk, runs `use` and removes them. The token must precede the first file: without a
 * valid one, no byte of a file is written. A file beyond the limits keeps its place in the list, with its fault; the
 * others are kept. Throws WebError for a malformed or interrupted body and when too many forms wait, and as `checkToken`.
 */
export async function withFileForm<Result>(
  request: Request,
  receiving: Receiving,
  use: (form: SentFiles) => Promise<Result>,
): Promise<Result> {
  const work = async () => {
    const folder = createLazyFolder(() => makeTempFolder('form'));
    try {
      return await use(await receive(request, receiving, folder.path));
    } finally {
      await folder.remove();
    }
  };
  return await withPermit(reading, receiving.group, work).catch((error: unknown) => {
    throw error instanceof SemaphoreFullError ? new WebError('RATE_LIMITED', { 'Retry-After': '10' }) : error;
  });
}

async function receive(request: Request, { limits, checkToken }: Receiving, makeFolder: () => Promise<string>) {
  const { maxFiles, maxFileBytes } = limits;
  const parser = createParser(request, { ...partLimits, files: maxFiles, fileSize: maxFileBytes });
  const values = new Map<string, string | string[]>();
  const budget = { leftBytes: limits.maxTotalBytes };
  const streams: BusboyFileStream[] = [];
  const saved: Promise<SentFile | null>[] = [];
  let hasMoreFiles = false;
  let isTokenGood: Promise<void> | undefined;

  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new WebError('BAD_FORM'));
  const failIfCut = () => request.complete || fail();
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    // The parser replaces bytes that are not UTF-8.
    if (isNameCut || isValueCut || value.includes('\ufffd')) return fail();
    const before = values.get(name);
    values.set(name, before === undefined ? value : [before, value].flat());
  });
  parser.on('fieldsLimit', fail);
  parser.on('filesLimit', () => {
    hasMoreFiles = true;
  });
  parser.on('file', (field, stream, filename) => {
    isTokenGood ??= checkToken(Object.fromEntries(values));
    stream.once('error', fail);
    streams.push(stream);
    const place = saved.length;
    const path = async () => join(await makeFolder(), String(place));
    // One after the other, because each file reduces what is left for the next ones.
    const after = Promise.all([isTokenGood, saved.at(-1)]);
    const file = saveFile({ field, filename: cleanName(filename), path, after, budget }, stream);
    file.catch(reject);
    saved.push(file);
  });
  parser.once('error', fail).once('finish', resolve);
  request.once('close', failIfCut).once('error', fail);
  if (request.destroyed) fail();
  request.pipe(parser);
  try {
    await parsed;
    const files = (await Promise.all(saved)).filter((file) => file !== null);
    await (isTokenGood ?? checkToken(Object.fromEntries(values)));
    return { values: Object.fromEntries(values), files, hasMoreFiles };
  } catch (error) {
    request.unpipe(parser);
    // Read on, or the client would never see the answer. `boundUnreadBody` ends it.
    request.resume();
    for (const stream of streams) stream.destroy();
    // No file is being written any more when the folder is removed.
    await Promise.allSettled(saved);
    throw error;
  } finally {
    request.off('close', failIfCut).off('error', fail);
  }
}

type Limits = Record<string, number>;

function createParser(request: Request, limits: Limits): BusboyInstance {
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits });
  } catch {
    throw new WebError('BAD_FORM');
  }
}

type FileToSave = {
  field: string;
  filename: string;
  path: () => Promise<string>;
  /** Nothing is written before this. */
  after: Promise<unknown>;
  budget: { leftBytes: number };
};

/** Returns null for a file field that was left blank. */
async function saveFile(file: FileToSave, stream: BusboyFileStream): Promise<SentFile | null> {
  const { field, filename, budget } = file;
  await file.after;
  const path = await file.path();
  let sizeBytes = 0;
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      // The rest is read and dropped, so the files after it are received.
      if (sizeBytes <= budget.leftBytes) yield chunk;
    }
  }
  await pipeline(stream, count, createWriteStream(path));
  const fault = findFault(sizeBytes, stream.truncated, budget);
  if (fault === null) {
    budget.leftBytes -= sizeBytes;
    return { field, filename, path, sizeBytes, fault };
  }
  await rm(path, { force: true });
  return fault === 'empty' && filename === '' ? null : { field, filename, path: null, fault };
}

function findFault(sizeBytes: number, isTruncated: boolean, budget: { leftBytes: number }): SentFileFault | null {
  if (isTruncated) return 'too_large';
  if (sizeBytes === 0) return 'empty';
  return sizeBytes > budget.leftBytes ? 'too_large_together' : null;
}

const maxNameLength = 255;

/** Returns a name that is one line of at most 255 code points. Long names keep their end, which has the type. */
function cleanName(filename: string | undefined): string {
  const line = (filename ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return [...line].slice(-maxNameLength).join('').trim();
}
