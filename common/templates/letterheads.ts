import { type AuditStamp, recordAudit } from '#common/audit/record-audit.ts';
import { findUnprintable } from '#common/documents/typesetting/font-coverage.ts';
import type { LetterheadContent } from '#common/documents/typesetting/letter-content.ts';
import { findLogoType, readPixels } from '#common/documents/typesetting/read-logo.ts';
import { AppError, type Issue } from '#common/errors.ts';
import { Letterhead, type LetterheadRecord } from './letterhead.model.ts';

/** Limits of a letterhead. What is above the window of the envelope has room for this many lines. */
export const letterheadLimits = {
  senderLines: 6,
  footerLines: 4,
  lineLength: 120,
  logoBytes: 300_000,
  logoPixels: 4_000,
} as const;

/** A letterhead to store. Absent lines stay. `logo`: a new image, null for none, `keep` for the one that is there. */
export type LetterheadChange = {
  senderLines?: string[] | undefined;
  footerLines?: string[] | undefined;
  logo: Buffer | null | 'keep';
};

/** Returns an organization's letterhead; null when it has none. */
export async function readLetterhead(organizationId: string): Promise<LetterheadRecord | null> {
  return await Letterhead.findById(organizationId).lean<LetterheadRecord>();
}

/** Returns what is printed of an organization's letterhead; null when it has none. */
export async function readLetterheadContent(organizationId: string): Promise<LetterheadContent | null> {
  const row = await readLetterhead(organizationId);
  if (!row) return null;
  const { senderLines, footerLines, logo } = row;
  return { senderLines, footerLines, logo: logo && { type: logo.type, bytes: Buffer.from(logo.base64, 'base64') } };
}

/** Stores and returns the letterhead of letters that are made from now on. Throws VALIDATION_ERROR with an issue per fault. */
export async function saveLetterhead(
  organizationId: string,
  { senderLines, footerLines, logo }: LetterheadChange,
  { by, at }: AuditStamp,
): Promise<LetterheadRecord> {
  const lines = {
    ...(senderLines && { senderLines: clean(senderLines) }),
    ...(footerLines && { footerLines: clean(footerLines) }),
  };
  const logoFault = Buffer.isBuffer(logo) ? findLogoFault(logo) : null;
  const issues = [
    ...checkLines('senderLines', lines.senderLines ?? []),
    ...checkLines('footerLines', lines.footerLines ?? []),
    ...(logoFault === null ? [] : [{ path: ['logo'], message: logoFault }]),
  ];
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
  const newLogo =
    logo === 'keep' ? {} : { logo: logo && { type: findLogoType(logo), base64: logo.toString('base64') } };
  const row = await Letterhead.findOneAndUpdate(
    { _id: organizationId },
    { $set: { ...lines, ...newLogo, updatedAt: at }, $inc: { version: 1 } },
    { upsert: true, returnDocument: 'after' },
  )
    .orFail()
    .lean<LetterheadRecord>();
  const entry = { action: 'letterhead.set', subjectId: organizationId, organizationId } as const;
  await recordAudit({ ...entry, detail: { hasNewLogo: Buffer.isBuffer(logo) } }, by, at);
  return row;
}

const clean = (lines: readonly string[]) =>
  lines.map((line) => line.normalize('NFC').trim()).filter((line) => line !== '');

function checkLines(field: 'senderLines' | 'footerLines', lines: readonly string[]): Issue[] {
  const most = letterheadLimits[field];
  const issues: Issue[] = lines.length > most ? [{ path: [field], message: `Has at most ${most} lines.` }] : [];
  for (const [index, line] of lines.entries()) {
    const report = (message: string) => issues.push({ path: [field, index], message });
    if ([...line].length > letterheadLimits.lineLength)
      report(`Has at most ${letterheadLimits.lineLength} characters.`);
    const characters = findUnprintable(line);
    if (characters.length > 0) report(`The font of letters has no ${characters.slice(0, 5).join(' ')}`);
  }
  return issues;
}

/** Returns why a file cannot be a logo, in English; null when it can. Its pixels are not decoded here. */
export function findLogoFault(bytes: Buffer): string | null {
  const { logoBytes, logoPixels } = letterheadLimits;
  if (bytes.length > logoBytes) return `The logo has at most ${logoBytes / 1000} kB. Save it in a smaller size.`;
  const type = findLogoType(bytes);
  const pixels = type && readPixels(type, bytes);
  if (!pixels) return 'The logo must be a PNG or JPEG image.';
  return Math.max(pixels.width, pixels.height) > logoPixels
    ? `The logo has at most ${logoPixels} pixels a side.`
    : null;
}
