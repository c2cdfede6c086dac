import { z } from 'zod';
import { withMovedFile } from '#common/drafts/draft-changes.ts';
import { addDraftFiles, type ReceivedFile, removeDraftFile } from '#common/drafts/draft-files.ts';
import { saveDraft } from '#common/drafts/save-draft.ts';
import { mailJobLimits } from '#common/mail-jobs/model/mail-request.schema.ts';
import { maxUploadBytes } from '#common/uploads/upload.schema.ts';
import { sendPage } from './send.ts';
import { answerChange, draftFields, editorOf, sendPath } from './send-scene.ts';
import { defineAction } from './texts.ts';

/** Of one submission. With JavaScript each file is submitted on its own. */
const maxTotalBytes = 100 * 1024 * 1024;

export const addFilesAction = defineAction({
  path: `${sendPath}/files`,
  isRapid: true,
  // With JavaScript, each file of a choice is submitted on its own.
  form: z.object({ ...draftFields, further: z.literal('yes').optional() }),
  page: sendPage,
  files: { maxFiles: mailJobLimits.files, maxFileBytes: maxUploadBytes, maxTotalBytes },

  async run({ visit, form, files, hasMoreFiles, now }, services) {
    const { mode, draft: draftId } = form;
    const received: ReceivedFile[] = files.filter(({ field }) => field === 'files');
    const all: ReceivedFile[] = hasMoreFiles
      ? [...received, { filename: '…', path: null, fault: 'too_many' as const }]
      : received;
    return await answerChange({ visit, form, step: 'files' }, async () => {
      const submission = { files: all, isFurther: form.further !== undefined };
      await addDraftFiles(editorOf(visit), { draftId, mode }, submission, services, now);
    });
  },
});

const fileFields = { ...draftFields, file: z.string().max(200) };

export const removeFileAction = defineAction({
  path: `${sendPath}/files/remove`,
  isRapid: true,
  form: z.object(fileFields),
  page: sendPage,

  async run({ visit, form, now }) {
    const { draft: draftId, mode, file: s3Key } = form;
    return await answerChange({ visit, form, step: 'files' }, () =>
      removeDraftFile(editorOf(visit), { draftId, mode, s3Key }, now),
    );
  },
});

export const moveFileAction = defineAction({
  path: `${sendPath}/files/move`,
  isRapid: true,
  form: z.object({ ...fileFields, direction: z.enum(['up', 'down']) }),
  page: sendPage,

  async run({ visit, form, now }) {
    const { draft: draftId, mode, file, direction } = form;
    return await answerChange({ visit, form, step: 'files' }, () =>
      saveDraft(editorOf(visit), { draftId, mode }, withMovedFile(file, direction), now),
    );
  },
});
