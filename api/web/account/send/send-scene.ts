import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { type Answer, redirect } from '#api/web/framework/answer.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import { type SentForm, textOf } from '#api/web/visit/sent-form.ts';
import type { VisitOf } from '#api/web/visit/visit.ts';
import type { AddressRecord } from '#common/addresses/address.model.ts';
import { listAddresses } from '#common/addresses/read-addresses.ts';
import { checkDraft, type DraftCheck, type FilesState } from '#common/drafts/check-draft.ts';
import type { DraftRecord } from '#common/drafts/draft.model.ts';
import { readDraftTemplate } from '#common/drafts/draft-template.ts';
import { blankDraft, type DraftEditor, DraftSentError, findDraft, findSentLetter } from '#common/drafts/save-draft.ts';
import { AppError, hasCode } from '#common/errors.ts';
import { newIdAt } from '#common/ids.ts';
import { type Mode, modes } from '#common/modes.ts';
import { listTemplates } from '#common/templates/read-templates.ts';
import type { TemplateRecord } from '#common/templates/template.model.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import type { Visit } from './texts.ts';

export const sendPath = '/account/send';

/** The steps of the page, and the fragments of their sections. */
export const steps = ['files', 'recipients', 'options', 'confirm'] as const;
export type Step = (typeof steps)[number];

/** Fields of every form of the page. */
export const draftFields = { draft: idOf('drf'), mode: z.enum(modes) };
export type DraftForm = { draft: string; mode: Mode };

/** What the page shows: a draft, stored or not yet, and what is known about it. */
export type SendScene = {
  visit: VisitOf<'user'> & Visit;
  sent: SentForm;
  draft: DraftRecord;
  check: DraftCheck;
  /** Templates that can be chosen; none once the draft has files or a template. */
  templates: readonly TemplateRecord[];
  /** The variables of the chosen template, null without one. */
  letter: Awaited<ReturnType<typeof readDraftTemplate>>;
  /** Senders that can be chosen. */
  senders: readonly AddressRecord[];
  /** The recipient that is being corrected. */
  editedId: string | null;
  /** What the address book is searched for. */
  search: string;
  now: Date;
};

type Wanted = { visit: VisitOf<'user'> & Visit; sent: SentForm; draftId: string | undefined; now: Date };

/** How long the page waits for a check that was just started, in ms. Most take less. */
const waitMs = 1_000;
/** A draft that was changed this long ago, in ms, may have a check that was just started. */
const freshMs = 3_000;

/**
 * Returns the draft that a page shows: the one of the refused form, else of the URL, else a new one in the mode of the
 * wallet that can pay. The ID of the letter when it was sent already, null when the draft is gone.
 */
export async function findShownDraft(
  { visit, sent, draftId, now }: Wanted,
  wantedMode: Mode | undefined,
): Promise<{ draft: DraftRecord } | { mailJobId: string } | null> {
  const { organizationId, userId } = visit.user;
  const form = z.object(draftFields).safeParse(sent.values);
  const shownId = form.data?.draft ?? draftId;
  if (shownId === undefined) {
    const mode = wantedMode ?? (await findUsualMode(organizationId));
    return { draft: blankDraft({ draftId: newIdAt('drf', now), organizationId, userId, mode }, now) };
  }
  const letter = await findSentLetter({ organizationId, draftId: shownId });
  if (letter) return { mailJobId: letter._id };
  const draft = await findDraft({ organizationId, draftId: shownId }, now);
  if (draft) return { draft };
  // A refused first form: there is nothing to save yet.
  if (!form.success) return null;
  return { draft: blankDraft({ draftId: shownId, organizationId, userId, mode: form.data.mode }, now) };
}

/** Live once the live wallet has money, otherwise test. */
async function findUsualMode(organizationId: string): Promise<Mode> {
  const { balanceCents } = await readWallet({ organizationId, mode: 'live' });
  return balanceCents > 0 ? 'live' : 'test';
}

/** Most templates and senders that can be chosen: the newest. */
const maxOffered = 100;

/** Reads what can be chosen for a draft. */
export async function readChoices(
  draft: DraftRecord,
  { cursors }: WebServices,
): Promise<Pick<SendScene, 'templates' | 'letter' | 'senders'>> {
  const canChoose = draft.files.length === 0 && draft.template === null;
  const page = { limit: maxOffered };
  const [templates, letter, senders] = await Promise.all([
    canChoose ? listTemplates(draft, page, cursors) : null,
    readDraftTemplate(draft),
    listAddresses(draft, { kind: 'SENDER', ...page }, cursors),
  ]);
  return { templates: templates?.rows ?? [], letter, senders: senders.rows };
}

/** Checks a draft for its page. */
export async function checkForPage(draft: DraftRecord, services: WebServices, now: Date): Promise<DraftCheck> {
  const isFresh = now.getTime() - draft.updatedAt.getTime() < freshMs;
  return await checkDraft(draft, { ...services, waitMs: isFresh ? waitMs : 0 }, now);
}

/** Renders a form of the page. Each names its draft, which its first submission begins. */
export function draftForm(
  { visit, sent, draft }: SendScene,
  { action, hasFiles = false, isInline = false }: { action: string; hasFiles?: boolean; isInline?: boolean },
  content: Parameters<typeof postForm>[1],
): Markup {
  return postForm(
    { visit, sent, action: `${sendPath}/${action}`, hasFiles, isInline },
    (fields) => html`${fields.hidden('draft', draft._id)}${fields.hidden('mode', draft.mode)}${content(fields)}`,
  );
}

type DraftButton = { action: string; label: string; describedBy?: string; hidden?: Record<string, string> };

/** Renders a form that is only a button. */
export function draftButton(
  scene: SendScene,
  { action, label, describedBy, hidden = {} }: DraftButton,
  kind: 'plain' | 'quiet' | 'primary' = 'plain',
): Markup {
  const name = describedBy === undefined ? '' : html` aria-label="${describedBy}"`;
  return draftForm(
    { ...scene, sent: { path: null, values: {}, errors: {} } },
    { action, isInline: true },
    (fields) =>
      html`${Object.entries(hidden).map(([key, value]) => fields.hidden(key, value))}<button class="button ${kind}"${name}>${label}</button>`,
  );
}

/** Returns the URL of a draft at one of its steps. */
export function draftHref(visit: VisitOf<'user'>, draftId: string, step?: Step): string {
  return `${visit.href(sendPath, { draft: draftId })}${step === undefined ? '' : `#${step}`}`;
}

export const editorOf = ({ user }: VisitOf<'user'>): DraftEditor => ({
  organizationId: user.organizationId,
  userId: user.userId,
});

/**
 * Runs a change of a draft and returns to the step. Shows the letter instead when it was sent meanwhile, and the form
 * again, with what to do, when it cannot be changed.
 */
export async function answerChange(
  { visit, form, step }: { visit: VisitOf<'user'>; form: DraftForm; step: Step },
  change: () => Promise<unknown>,
): Promise<Answer> {
  try {
    await change();
    return redirect(draftHref(visit, form.draft, step));
  } catch (error) {
    if (error instanceof DraftSentError) return redirect(visit.href(`/account/letters/${error.mailJobId}`));
    if (hasCode(error, 'CONFLICT')) throw new FormRefusal({ '': 'draftChanged' }, { status: 409 });
    if (error instanceof AppError && error.code === 'LIMIT_REACHED' && step === 'recipients') {
      throw new FormRefusal({ '': 'tooManyRecipients' }, { status: 409 });
    }
    throw error;
  }
}

/** Returns which of the steps still need something. */
export function stateOfStep(step: Step, { blockers, filesState }: DraftCheck): 'done' | 'open' | 'wrong' {
  const own = stepBlockers[step].filter((blocker) => blockers.includes(blocker));
  if (step === 'confirm') return blockers.length === 1 && own.length === 1 ? 'wrong' : 'open';
  if (own.length === 0) return 'done';
  return own.some((blocker) => open.includes(blocker)) && filesState !== ('missing' satisfies FilesState)
    ? 'open'
    : 'wrong';
}

const open: readonly string[] = ['no_files', 'template_open', 'not_checked', 'no_recipients', 'pasted_waiting'];

/** The step at which each blocker is resolved. */
export const stepBlockers = {
  files: ['no_files', 'template_open', 'files_missing', 'not_checked', 'files_faulty'],
  recipients: ['no_recipients', 'pasted_waiting', 'zones_mixed', 'address_faulty'],
  options: ['no_tariff', 'date_passed', 'sender_gone'],
  confirm: ['balance_short'],
} as const;

/** Returns a text field of the refused form, if it was this one. */
export function sentText({ sent }: SendScene, action: string, name: string): string | null {
  return sent.path === `${sendPath}/${action}` ? textOf(sent.values, name) : null;
}

/** Renders why one of these actions was refused, for forms that are only a button or are no longer shown. */
export function refusal({ visit, sent }: SendScene, actions: readonly string[]): Markup {
  const [error] = Object.values(sent.errors);
  if (error === undefined || !actions.some((action) => sent.path === `${sendPath}/${action}`)) return nothing;
  const sentences: Record<string, string> = visit.texts.form.errors;
  return html`<div role="alert">${notice('danger', html`<p>${sentences[error] ?? sentences.invalid}</p>`)}</div>`;
}
