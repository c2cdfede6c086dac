import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { modeBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { region, scriptedForms } from '#api/web/design/scripted-forms.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { pagePolicy } from '#api/web/framework/security-headers.ts';
import { textOf } from '#api/web/visit/sent-form.ts';
import type { VisitOf } from '#api/web/visit/visit.ts';
import type { DraftRecord } from '#common/drafts/draft.model.ts';
import { listDrafts } from '#common/drafts/save-draft.ts';
import { type Mode, modes } from '#common/modes.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { bookEntries } from './send-book.ts';
import { confirmStep } from './send-confirm.ts';
import { filesStep } from './send-files.ts';
import { optionsStep } from './send-options.ts';
import { previewStep } from './send-preview.ts';
import { recipientsStep } from './send-recipients.ts';
import {
  checkForPage,
  draftButton,
  draftForm,
  draftHref,
  editorOf,
  findShownDraft,
  readChoices,
  type SendScene,
  type Step,
  sendPath,
  stateOfStep,
  steps,
} from './send-scene.ts';
import { definePage, type Visit } from './texts.ts';

/** Prepares a letter and sends it: four steps on one page, each a form that saves the draft. */
export const sendPage = definePage({
  path: sendPath,
  query: z.object({
    draft: idOf('drf').optional(),
    mode: z.enum(modes).optional(),
    edit: z.string().max(40).optional(),
    q: z.string().trim().max(100).optional(),
  }),

  async show({ visit, query, sent, now }, services) {
    const found = await findShownDraft({ visit, sent, draftId: query.draft, now }, query.mode);
    if (found && 'mailJobId' in found) return redirect(visit.href(`/account/letters/${found.mailJobId}`));
    const words = visit.texts.send;
    if (!found) return await gonePage(visit, now);
    const { draft } = found;
    const [check, choices, drafts, balances] = await Promise.all([
      checkForPage(draft, services, now),
      readChoices(draft, services),
      listDrafts(editorOf(visit), now),
      Promise.all(modes.map((mode) => readWallet({ organizationId: draft.organizationId, mode }))),
    ]);
    const editedId = textOf(sent.values, 'recipient') || (query.edit ?? null);
    const scene: SendScene = { visit, sent, draft, check, ...choices, editedId, search: query.q ?? '', now };
    const book = await bookEntries(scene, services.cursors);
    const others = drafts.filter(({ _id }) => _id !== draft._id);
    return view({
      title: visit.texts.frame.pages.send,
      headers: { 'Content-Security-Policy': pagePolicy({ hasRequests: true }) },
      body: html`${pageHead({ title: visit.texts.frame.pages.send, lead: words.lead })}
${scriptedForms(
  visit,
  html`${region('mode', modeSwitch(scene, balances))}
${draft.revision > 0 ? nothing : unfinished(scene, others)}
${region('steps', stepLinks(scene))}
${step(scene, 'files', html`<div class="send-document"><div>${region('file-list', filesStep(scene))}</div><div class="preview"><h3>${words.preview}</h3>${region('preview', previewStep(scene))}</div></div>`)}
${step(scene, 'recipients', region('recipient-list', recipientsStep(scene, book)))}
${step(scene, 'options', region('choices', optionsStep(scene)))}
${step(scene, 'confirm', region('summary', confirmStep(scene)))}
${region('kept', kept(scene))}`,
  'send',
)}`,
    });
  },
});

function step({ visit }: SendScene, name: Step, content: Markup): Markup {
  const words = visit.texts.send;
  const title = words.step(visit.format.number(steps.indexOf(name) + 1), words.names[name]);
  return html`<div id="${name}" class="step" tabindex="-1">${section(title, content)}</div>`;
}

function modeSwitch(scene: SendScene, balances: readonly { mode: Mode; balanceCents: number }[]): Markup {
  const { visit, draft } = scene;
  const { texts, format } = visit;
  const words = texts.send;
  const tile = ({ mode, balanceCents }: { mode: Mode; balanceCents: number }) => {
    const { name, hint } = words.modes[mode];
    const isCurrent = draft.mode === mode;
    return html`<button name="to" value="${mode}" class="mode-tile ${mode}" aria-pressed="${isCurrent ? 'true' : 'false'}"><strong>${name}</strong><span>${hint}</span><span class="balance">${words.balanceIs(format.money(balanceCents))}</span></button>`;
  };
  return draftForm(
    scene,
    { action: 'mode' },
    () =>
      html`<fieldset class="mode-switch ${draft.mode}"><legend>${words.modeTitle}</legend><div>${balances.map(tile)}</div></fieldset>`,
  );
}

function stepLinks({ visit, check }: SendScene): Markup {
  const words = visit.texts.send;
  return html`<nav class="send-steps" aria-label="${words.steps}"><ol>${steps.map((name, index) => {
    const state = stateOfStep(name, check);
    return html`<li class="${state}"><a href="#${name}"><span class="number" aria-hidden="true">${visit.format.number(index + 1)}</span><span><strong>${words.names[name]}</strong><span class="state">${words.states[state]}</span></span></a></li>`;
  })}</ol></nav>`;
}

function namesOf({ visit }: Pick<SendScene, 'visit'>, { files, template, recipients }: DraftRecord): string {
  if (template) return template.name;
  const names = files.length > 0 ? files.map(({ filename }) => filename) : recipients.map(({ name }) => name);
  return shortList({ visit }, names);
}

function shortList({ visit }: Pick<SendScene, 'visit'>, names: readonly string[]): string {
  const [first = visit.texts.send.draftBlank, ...more] = names;
  return more.length === 0 ? first : `${first} ${visit.texts.send.andMore(more.length)}`;
}

/** The letters that were begun, above a new one. */
function unfinished(scene: SendScene, drafts: readonly DraftRecord[]): Markup {
  if (drafts.length === 0) return nothing;
  const { visit } = scene;
  const words = visit.texts.send;
  return section(
    words.drafts,
    html`<p class="quiet">${words.draftsHint}</p><ul class="unfinished">${drafts.map((draft) => {
      const names = namesOf(scene, draft);
      return html`<li><div class="about"><strong class="breakable">${names}</strong><span class="quiet">${modeBadge(visit.texts, draft.mode)} ${visit.format.moment(draft.updatedAt)}${
        (draft.files.length > 0 || draft.template) && draft.recipients.length > 0
          ? html`, ${words.draftTo(
              shortList(
                scene,
                draft.recipients.map(({ name }) => name),
              ),
            )}`
          : nothing
      }</span></div>
<div class="moves"><a class="button plain" href="${draftHref(visit, draft._id)}" aria-label="${words.continueOf(names)}">${words.continueDraft}</a>${draftButton({ ...scene, draft }, { action: 'discard', label: words.discardShort, describedBy: words.discardOf(names) }, 'quiet')}</div></li>`;
    })}</ul>`,
  );
}

function kept(scene: SendScene): Markup {
  const { visit, draft } = scene;
  const words = visit.texts.send;
  if (draft.revision === 0) return nothing;
  return html`<div class="kept"><p class="quiet">${words.keptUntil(visit.format.moment(draft.expiresAt))}</p><div class="actions"><a class="button plain" href="${visit.href(sendPath)}">${words.newOne}</a>${draftButton(scene, { action: 'discard', label: words.discard })}</div></div>`;
}

async function gonePage(visit: VisitOf<'user'> & Visit, now: Date) {
  const words = visit.texts.send;
  const drafts = await listDrafts(editorOf(visit), now);
  const links = drafts.map(
    (draft) => html`<li><a href="${draftHref(visit, draft._id)}">${namesOf({ visit }, draft)}</a></li>`,
  );
  return view({
    title: words.goneTitle,
    status: 404,
    body: html`${pageHead({ title: words.goneTitle })}${notice('info', words.goneHint)}
${links.length === 0 ? nothing : section(words.drafts, html`<ul class="links">${links}</ul>`)}
<p class="actions"><a class="button primary" href="${visit.href(sendPath)}">${words.newOne}</a></p>`,
  });
}
