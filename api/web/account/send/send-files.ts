import { html } from 'hono/html';
import { icon } from '#api/web/design/icon.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { uploadList } from '#api/web/design/scripted-forms.ts';
import type { DraftFile } from '#common/drafts/draft.model.ts';
import { mailJobLimits } from '#common/mail-jobs/model/mail-request.schema.ts';
import { uploadMimeTypes } from '#common/mime-types.ts';
import { draftButton, draftForm, refusal, type SendScene } from './send-scene.ts';
import { chooseTemplate, filledTemplate } from './template/send-template.ts';

const accepted = [...uploadMimeTypes, '.pdf', '.heic', '.heif'].join(',');

/** Renders the files of a draft, what was refused and the form that adds more; or the template in place of files. */
export function filesStep(scene: SendScene): Markup {
  const { visit, draft } = scene;
  const words = visit.texts.send;
  if (draft.template) return filledTemplate(scene, draft.template);
  const isFull = draft.files.length >= mailJobLimits.files;
  const gone = ['template/fill', 'template/remove', ...(scene.templates.length === 0 ? ['template'] : [])];
  const shown = ['mode', 'files/move', 'files/remove', ...(isFull ? ['files'] : []), ...gone];
  return html`${refusal(scene, shown)}
${refusedFiles(scene)}
${draft.files.length === 0 ? nothing : html`<ol class="send-files" aria-label="${words.fileList}">${draft.files.map((file, index) => oneFile(scene, file, index))}</ol>`}
${isFull ? nothing : addForm(scene)}
${chooseTemplate(scene)}`;
}

function addForm(scene: SendScene): Markup {
  const words = scene.visit.texts.send;
  return draftForm(
    scene,
    { action: 'files', hasFiles: true },
    () => html`<div class="drop-zone" data-drop>
${icon('upload')}
<label for="send-files">${words.chooseFiles}</label>
<p class="quiet drop-hint" hidden>${words.dropHere}</p>
<input type="file" id="send-files" name="files" multiple accept="${accepted}" aria-describedby="send-files-hint">
<p class="hint" id="send-files-hint">${words.filesHint}</p>
<button class="button plain" data-without-script>${words.addFiles}</button>
</div>${uploadList()}`,
  );
}

function refusedFiles({ visit, draft: { refusedFiles: refused } }: SendScene): Markup {
  if (refused.length === 0) return nothing;
  const words = visit.texts.send;
  return html`<div role="alert">${notice(
    'danger',
    html`<p class="notice-title">${words.refusedTitle}</p><ul>${refused.map(({ filename, fault }) => html`<li><strong>${filename}</strong> ${words.fileFaults[fault]}</li>`)}</ul>`,
  )}</div>`;
}

function oneFile(scene: SendScene, { s3Key, filename, sizeBytes }: DraftFile, index: number): Markup {
  const { visit, draft, check } = scene;
  const words = visit.texts.send;
  const isMissing = check.missingKeys.has(s3Key);
  const move = (direction: 'up' | 'down') =>
    draftButton(
      scene,
      {
        action: 'files/move',
        label: words[direction],
        describedBy: direction === 'up' ? words.moveUp(filename) : words.moveDown(filename),
        hidden: { file: s3Key, direction },
      },
      'quiet',
    );
  return html`<li${isMissing ? html` class="wrong"` : nothing}><span class="number" aria-hidden="true">${visit.format.number(index + 1)}</span>
<div class="about"><strong class="breakable">${filename}</strong><span class="quiet">${visit.format.size(sizeBytes)}</span>${isMissing ? html`<span class="error">${words.missingFile}</span>` : nothing}</div>
<div class="moves">${index === 0 ? nothing : move('up')}${index === draft.files.length - 1 ? nothing : move('down')}${draftButton(
    scene,
    { action: 'files/remove', label: words.remove, describedBy: words.removeOf(filename), hidden: { file: s3Key } },
    'quiet',
  )}</div></li>`;
}
