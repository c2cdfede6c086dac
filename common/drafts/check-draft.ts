import { findDefaultSender } from '../addresses/find-default-sender.ts';
import { findAddresses } from '../addresses/read-addresses.ts';
import { readDay } from '../calendar.ts';
import type { EnvelopeWindow } from '../config/variables.ts';
import { homeCountry } from '../countries.ts';
import { type AddressProblem, checkAddresses } from '../documents/addressing/check-addresses.ts';
import { envelopeSchemes } from '../documents/sheet/envelope-schemes.ts';
import { AppError, hasCode } from '../errors.ts';
import type { PreflightRecord } from '../mail-jobs/preflight/preflight.model.ts';
import { startPreflight, waitForResult } from '../mail-jobs/preflight/start-preflight.ts';
import { type DropTime, planDrop } from '../mail-jobs/rules/plan-drop.ts';
import { schemeFor } from '../mail-jobs/rules/scheme-for.ts';
import type { PostalAddress } from '../organizations/organization.model.ts';
import type { Hints } from '../platform/redis/queues.ts';
import { StoreUnavailableError } from '../platform/s3/object-store-errors.ts';
import type { ObjectStore } from '../platform/s3/s3.ts';
import type { CutoffRules, Zone } from '../services.ts';
import { readWallet } from '../wallet/wallets.ts';
import { Draft, type DraftRecord } from './draft.model.ts';
import { isMadeForOthers } from './draft-changes.ts';
import { type DraftPrices, priceDraft } from './price-draft.ts';

/** What keeps a draft from being sent, in the order of the steps. */
export const blockers = [
  'no_files',
  'template_open',
  'files_missing',
  'not_checked',
  'files_faulty',
  'no_recipients',
  'pasted_waiting',
  'zones_mixed',
  'address_faulty',
  'sender_gone',
  'no_tariff',
  'date_passed',
  'balance_short',
] as const;
export type Blocker = (typeof blockers)[number];

/** `running`: there is no result yet. `busy` and `unavailable`: the check could not be started at this moment. */
export type FilesState = 'none' | 'missing' | 'running' | 'busy' | 'unavailable' | 'done';

export type DraftCheck = {
  filesState: FilesState;
  /** Keys of files that were removed, because the draft was left for too long. */
  missingKeys: ReadonlySet<string>;
  preflight: PreflightRecord | null;
  /** Printed pages; null until they are checked as the letter is chosen. */
  pages: number | null;
  /** The pages that the prices are for; null until they are counted. */
  pricedPages: number | null;
  /** Null without recipients, and when some are in Belgium and some abroad. */
  zone: Zone | null;
  sender: PostalAddress;
  /** The chosen sender is not in the address book of this mode any more. `sender` is the default one then. */
  isSenderGone: boolean;
  addressProblems: AddressProblem[];
  prices: DraftPrices;
  /** When it goes to the post, null for a day that is over. */
  drop: DropTime | null;
  balanceCents: number;
  blockers: Blocker[];
};

export type CheckDeps = {
  store: ObjectStore;
  hints: Hints;
  envelopeWindow: EnvelopeWindow;
  cutoffs: CutoffRules;
  /** How long to wait for the check of the files, in ms; 0 by default. */
  waitMs?: number;
};

/** Returns all that its sender has to know about a draft before it is sent. Starts the check of its files. */
export async function checkDraft(draft: DraftRecord, deps: CheckDeps, at: Date): Promise<DraftCheck> {
  const { recipients, serviceType } = draft;
  const zone = zoneOf(recipients);
  const [files, { sender, isSenderGone }, { balanceCents }] = await Promise.all([
    checkFiles(draft, deps, at),
    findSender(draft),
    readWallet(draft),
  ]);
  const facts = files.preflight?.result?.facts ?? null;
  if (facts && facts.pages !== draft.pages) await keepPages(draft, facts.pages);
  const pricedPages = facts?.pages ?? draft.pages;
  const scheme = envelopeSchemes[schemeFor(serviceType, deps.envelopeWindow)];
  const [found, prices] = await Promise.all([
    checkAddresses({ scheme, sender, recipients }),
    priceDraft(
      { ...draft, zone: zone ?? 'NATIONAL', pages: pricedPages ?? 1, recipientCount: Math.max(1, recipients.length) },
      at,
    ),
  ]);
  // The document shows its own address, which it cannot with several recipients.
  const addressProblems = files.preflight?.result?.placement === 'none' && recipients.length === 1 ? [] : found;
  const drop = findDrop(draft, deps.cutoffs, at);
  const check = {
    ...files,
    pages: facts?.pages ?? null,
    pricedPages,
    zone,
    sender,
    isSenderGone,
    addressProblems,
    prices,
    drop,
    balanceCents,
  };
  return { ...check, blockers: findBlockers(draft, check) };
}

/** Remembers the pages of the files. Not a change of the letter, and nothing if it was changed meanwhile. */
async function keepPages({ _id, revision }: DraftRecord, pages: number): Promise<void> {
  await Draft.updateOne({ _id, revision }, { pages });
}

/** Returns the zone of a letter; null without recipients and for a mix of both, which cannot be one letter. */
export function zoneOf(recipients: readonly { country: string }[]): Zone | null {
  const zones = new Set(recipients.map(({ country }) => (country === homeCountry ? 'NATIONAL' : 'INTERNATIONAL')));
  const [first, ...others] = zones;
  return others.length > 0 ? null : (first ?? null);
}

type FoundSender = Pick<DraftCheck, 'sender' | 'isSenderGone'>;

/** Returns the chosen sender as it is in the address book now, else the default one. */
async function findSender({ senderId, ...owner }: DraftRecord): Promise<FoundSender> {
  const entry = senderId === null ? null : (await findAddresses(owner, [senderId])).get(senderId);
  if (entry?.kind === 'SENDER') {
    const { name, line1, line2, zip, city, country } = entry;
    return { sender: { name, line1, line2, zip, city, country }, isSenderGone: false };
  }
  const { address } = await findDefaultSender(owner);
  return { sender: address, isSenderGone: senderId !== null };
}

type FilesCheck = Pick<DraftCheck, 'filesState' | 'missingKeys' | 'preflight'>;

async function checkFiles({ files, ...draft }: DraftRecord, deps: CheckDeps, at: Date): Promise<FilesCheck> {
  const none = { missingKeys: new Set<string>(), preflight: null };
  if (files.length === 0) return { filesState: 'none', ...none };
  try {
    const named = files.map(({ s3Key }) => ({ s3Key }));
    const { serviceType, color, doubleSided, recipients } = draft;
    const print = { serviceType, color, doubleSided, recipientCount: Math.max(1, recipients.length) };
    const started = await startPreflight(draft, { files: named, ...print }, deps, at);
    const preflight = await waitForResult(started, deps.waitMs ?? 0);
    return { ...none, filesState: preflight.result ? 'done' : 'running', preflight };
  } catch (error) {
    if (hasCode(error, 'RATE_LIMITED')) return { filesState: 'busy', ...none };
    if (error instanceof StoreUnavailableError) return { filesState: 'unavailable', ...none };
    if (!(error instanceof AppError && error.code === 'VALIDATION_ERROR')) throw error;
    const keys = (error.issues ?? []).flatMap(({ path: [, index] }) => files[Number(index)]?.s3Key ?? []);
    return { ...none, filesState: 'missing', missingKeys: new Set(keys) };
  }
}

/** Returns when the letter goes to the post. A chosen day that has begun means as soon as possible. */
function findDrop({ dropOn, serviceType }: DraftRecord, cutoffs: CutoffRules, now: Date): DropTime | null {
  const day = dropOn === null ? null : readDay(dropOn);
  if (dropOn !== null && (day === null || day.endsAt <= now)) return null;
  const requested = day && day.startsAt > now ? day.startsAt.toISOString() : null;
  try {
    return planDrop(requested, { serviceType, now }, cutoffs);
  } catch (error) {
    if (hasCode(error, 'VALIDATION_ERROR')) return null;
    throw error;
  }
}

function findBlockers(draft: DraftRecord, check: Omit<DraftCheck, 'blockers'>): Blocker[] {
  const { filesState, preflight, prices, zone, drop } = check;
  const findings = preflight?.result?.findings ?? [];
  const isFaulty =
    filesState === 'done' && (check.pages === null || findings.some((each) => each.severity === 'error'));
  const isShort = (prices.amounts?.totalCents ?? 0) > check.balanceCents;
  const waitsForRecipient = draft.template?.madeFor !== undefined && draft.recipients.length === 0;
  const holds: Record<Blocker, boolean> = {
    no_files: filesState === 'none' && draft.template === null,
    template_open: isMadeForOthers(draft) || (filesState === 'none' && draft.template !== null && !waitsForRecipient),
    files_missing: filesState === 'missing',
    not_checked: ['running', 'busy', 'unavailable'].includes(filesState),
    files_faulty: isFaulty,
    no_recipients: draft.recipients.length === 0,
    pasted_waiting: draft.pasted.length > 0,
    zones_mixed: draft.recipients.length > 0 && zone === null,
    address_faulty: check.addressProblems.some(({ isSmall }) => !isSmall),
    sender_gone: check.isSenderGone,
    no_tariff: prices.amounts === null,
    date_passed: drop === null,
    balance_short: isShort,
  };
  return blockers.filter((each) => holds[each]);
}
