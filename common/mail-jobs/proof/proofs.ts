import type { FileContent } from '#common/documents/file-content.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { AppError } from '#common/errors.ts';
import { keyWithin } from '#common/ids.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import {
  type SignedUrl,
  signStored,
  signTemporaryObject,
  type TemporaryObjectToMake,
} from '#common/platform/s3/temporary-objects.ts';
import { sha256Hex } from '#common/secrets.ts';
import { logFieldsOf, type MailItem, MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { type CopyQueue, type CopyTurn, createCopyQueue } from './copy-queue.ts';
import { type CopySource, countCopyPages, findItem, type ItemToCopy, makeItemCopy } from './item-copy.ts';
import { joinCopies } from './join-copies.ts';
import type { PagePictures, PictureSource } from './page-pictures.ts';

/** For a larger file, each page would need a long download and most of a child's memory. */
const maxPictureFileBytes = 50_000_000;
/** A page of noise makes a PNG of 3 MB. */
const maxPictureBytes = 3_000_000;
/** More than a copy adds to its print file: 2.4 MB for 2,000 pages. */
const maxAddedBytes = 16_000_000;

/** A copy that can be fetched: `sha256` (hexadecimal) and `pages` are those of exactly the bytes that go to press. */
type Proof = SignedUrl & { itemId: string; sha256: string; pages: number };

/** Shows the copies of a letter before they are printed. `itemId` may be absent when there is one recipient. */
export type Proofs = {
  /** Returns a URL of the copy of one recipient. Errors: those of `findItem`, `CopyQueue` and `signTemporaryObject`. */
  signProof(job: CopySource, itemId: string | undefined, at: Date): Promise<Proof>;
  /** Returns a URL of the copy of a letter that is not sent, such as one of a list. Nothing is recorded. */
  signUnsent(letter: CopySource, at: Date): Promise<SignedUrl & { pages: number }>;
  /** Returns a URL of one PDF of letters with one recipient each, such as those of a list: `keptFor`. */
  signTogether(letters: readonly CopySource[], to: { keptFor: string; filename: string }, at: Date): Promise<SignedUrl>;
  /** Returns a URL of a picture (PNG) of one page of a copy, from 1. */
  signPicture(job: CopySource, itemId: string | undefined, page: number, at: Date): Promise<SignedUrl>;
  /** Returns that picture, with the window of the envelope drawn over the first page if `hasWindowFrame`. */
  drawPage(job: CopySource, picture: PictureOfCopy): Promise<Buffer>;
};

type PictureOfCopy = { itemId: string | undefined; page: number; hasWindowFrame?: boolean };

/** Returns whether pages of a print file can be drawn: it is small enough and not removed. */
export function canBePictured({ sizeBytes, removedAt }: { sizeBytes: number; removedAt?: Date }): boolean {
  return sizeBytes <= maxPictureFileBytes && removedAt === undefined;
}

export function createProofs(deps: { store: ObjectStore; pictures: PagePictures; log: Log }): Proofs {
  const { store, pictures, log } = deps;
  const copies = createCopyQueue();

  /** The copy, as the source of a picture of one page. Only that page is made, as letters have up to 2,000. */
  function sourceOf(job: CopySource, wanted: ItemToCopy, onlyPage: number, hasWindowFrame: boolean): PictureSource {
    const { organizationId, mode } = job;
    return {
      owner: { organizationId, mode },
      name: `${nameOf(wanted)} ${onlyPage} ${hasWindowFrame}`,
      open: (makeFolder) => makeItemCopy(job, wanted, { store, makeFolder, hasWindowFrame, onlyPage }),
    };
  }

  /** Returns a URL of a copy. `record` is called with the SHA-256 of one that is made now. */
  async function signCopy(
    job: CopySource,
    wanted: ItemToCopy,
    at: Date,
    record: (sha256: string) => Promise<void> = async () => {},
  ): Promise<SignedUrl> {
    const name = keyWithin(job._id, `proof ${nameOf(wanted)}`);
    const object = {
      ...{ name, filename: `${wanted.item.itemId}.pdf`, contentType: 'application/pdf' },
      ...{ owner: job, maxBytes: wanted.printFile.sizeBytes + maxAddedBytes },
    };
    return await signMade(object, { store, copies, at }, async (turn) => {
      const copy = await makeItemCopy(job, wanted, { store, ...turn });
      await record(copy.sha256);
      return copy;
    });
  }

  async function drawPage(job: CopySource, picture: PictureOfCopy): Promise<Buffer> {
    const { itemId, page, hasWindowFrame = false } = picture;
    const wanted = findItem(job, itemId);
    const isThere = page >= 1 && page <= countCopyPages(wanted.printFile);
    if (!isThere || !canBePictured(wanted.printFile)) throw new AppError('NOT_FOUND');
    return await pictures.draw(sourceOf(job, wanted, page, hasWindowFrame), page);
  }

  return {
    drawPage,
    signTogether: createSignTogether({ store, copies, log }),

    async signPicture(job, itemId, page, at) {
      const wanted = findItem(job, itemId);
      const object = {
        name: keyWithin(job._id, `picture ${page} ${nameOf(wanted)}`),
        filename: `${wanted.item.itemId}-${page}.png`,
        contentType: 'image/png',
        owner: job,
        maxBytes: maxPictureBytes,
      };
      const make = async () => ({ bytes: await drawPage(job, { itemId: wanted.item.itemId, page }) });
      return await signTemporaryObject(object, make, { store, at });
    },

    async signProof(job, itemId, at) {
      const wanted = findItem(job, itemId);
      const { itemId: id } = wanted.item;
      const signed = await signCopy(job, wanted, at, (sha256) => recordCopy(job, id, sha256, log));
      // This or another request may have made the copy since the job was read.
      const sha256 = wanted.item.copySha256 ?? (await readItem(job, id))?.copySha256;
      if (sha256 === undefined) throw new Error('A copy has no recorded SHA-256.');
      return { ...signed, itemId: id, sha256, pages: countCopyPages(wanted.printFile) };
    },

    async signUnsent(letter, at) {
      const wanted = findItem(letter, undefined);
      return { ...(await signCopy(letter, wanted, at)), pages: countCopyPages(wanted.printFile) };
    },
  };
}

function createSignTogether({ store, copies, log }: { store: ObjectStore; copies: CopyQueue; log: Log }) {
  const slots = createRenderSlots();
  const signTogether: Proofs['signTogether'] = async (letters, { keptFor, filename }, at) => {
    const [owner] = letters;
    if (owner === undefined) throw new RangeError('There are no letters.');
    const all = letters.map((letter) => findItem(letter, undefined));
    const object = {
      ...{ name: keyWithin(keptFor, `proofs ${sha256Hex(all.map(nameOf).join())}`), filename },
      ...{ owner, contentType: 'application/pdf' },
      maxBytes: all.reduce((bytes, { printFile }) => bytes + printFile.sizeBytes, maxAddedBytes),
    };
    return await signMade(object, { store, copies, at }, (turn) => joinCopies(letters, { store, slots, log, ...turn }));
  };
  return signTogether;
}

/** Returns a URL of what `make` makes in its turn, unless it is stored. */
async function signMade(
  object: TemporaryObjectToMake,
  { store, copies, at }: { store: ObjectStore; copies: CopyQueue; at: Date },
  make: (turn: CopyTurn) => Promise<FileContent>,
): Promise<SignedUrl> {
  const { name, owner } = object;
  const known = await signStored(name, { store, at });
  if (known) return known;
  await copies.run(owner, name, async (turn) => {
    await signTemporaryObject(object, async () => await make(turn), { store, at });
  });
  const signed = await signStored(name, { store, at });
  if (!signed) throw new Error('A copy was not stored.');
  return signed;
}

const nameOf = ({ item, printFile }: ItemToCopy) => `${item.itemId} ${printFile.sha256}`;

async function readItem({ _id, organizationId }: CopySource, itemId: string): Promise<MailItem | undefined> {
  const current = await MailJob.findOne({ _id, organizationId }, { items: 1 })
    .hint({ _id: 1 })
    .lean<Pick<MailJobRecord, 'items'>>();
  return current?.items.find((item) => item.itemId === itemId);
}

/**
 * Records the hash of a copy on its item. Throws an Error when an earlier copy had another one, which
 * must not happen: it is the hash of the bytes that go to press.
 */
async function recordCopy(job: CopySource, itemId: string, sha256: string, log: Log): Promise<void> {
  const sameOrNone = { $elemMatch: { itemId, copySha256: { $in: [null, sha256] } } };
  const set = { $set: { 'items.$.copySha256': sha256 } };
  const { matchedCount } = await MailJob.updateOne(
    { _id: job._id, organizationId: job.organizationId, items: sameOrNone },
    set,
    { hint: { _id: 1 } },
  );
  if (matchedCount === 1) return;
  const known = (await readItem(job, itemId))?.copySha256;
  log.error({ ...logFieldsOf(job), itemId, known, sha256 }, 'a copy differs from the proof that was made before');
  throw new Error('A copy differs from the proof that was made before.');
}
