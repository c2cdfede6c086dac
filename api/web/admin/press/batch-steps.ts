import { html } from 'hono/html';
import { z } from 'zod';
import { defineAction, definePage } from '#api/web/admin/admin-pages.ts';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import type { AnyAction, AnyPage } from '#api/web/framework/page.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import { type BatchRecord, type BatchState, batchMarks } from '#common/production/batches/batch.model.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { countBatchItems, type StatusCounts } from '#common/production/batches/read-batch-jobs.ts';
import { isReportable, markBatch, printAgain } from '#common/production/operator/mark-batch.ts';
import { countLabels } from '#common/production/operator/read-batches.ts';
import { batchParams, batchPath, describeBatch, pressPath } from './press-parts.ts';

/** What an operator may do with a whole batch. */
export type BatchStep = 'printed' | 'posted' | 'print-again';

/** Path of the page that asks for confirmation. */
export const stepPath = (batchId: string, step: BatchStep): string => `${batchPath(batchId)}/${step}`;

/** Returns what an operator may do with a batch now, the most likely first. */
export function openSteps(batch: Pick<BatchRecord, 'state' | 'marking'>): BatchStep[] {
  if (batch.state === 'needs_operator') return ['printed', 'print-again'];
  return batchMarks.filter((mark) => isReportable(mark, batch));
}

/** Returns the texts of a step. `confirm` repeats what it does, so the button is understood alone. */
export function stepTexts(step: BatchStep, state: BatchState): { button: string; question: string; confirm: string } {
  if (step === 'print-again') {
    return { button: 'Print it again', question: 'Print this batch again?', confirm: 'Yes, nothing of it was printed' };
  }
  if (step === 'posted') {
    const question = 'Was this batch handed in?';
    return { button: 'Handed in at the post office', question, confirm: 'Yes, it was handed in' };
  }
  const button = state === 'needs_operator' ? 'It was printed' : 'All printed';
  return { button, question: 'Was all of this batch printed?', confirm: 'Yes, all of it was printed' };
}

const [printed, posted, again] = (['printed', 'posted', 'print-again'] as const).map(declareStep) as [
  Declared,
  Declared,
  Declared,
];
export const [confirmPrintedPage, printedAction] = printed;
export const [confirmPostedPage, postedAction] = posted;
export const [confirmPrintAgainPage, printAgainAction] = again;

type Declared = readonly [AnyPage, AnyAction];

/** Declares the page that asks for confirmation, and the action. */
function declareStep(step: BatchStep): Declared {
  const path = `${pressPath}/:batchId/${step}` as const;
  const page = definePage({
    path,
    params: batchParams,

    async show({ visit, params: { batchId }, sent }) {
      const batch = await readBatch(batchId);
      const back = html`<a class="button big plain" href="${visit.href(batchPath(batchId))}">No, go back</a>`;
      if (sent.path === null && !openSteps(batch).includes(step)) {
        return view({
          title: 'Batch',
          body: html`${pageHead({ title: 'Nothing to confirm', lead: 'This batch has changed meanwhile.' })}
<p><a class="button primary" href="${visit.href(batchPath(batchId))}">Back to the batch</a></p>`,
        });
      }
      const { question, confirm } = stepTexts(step, batch.state);
      const counts = await countBatchItems(batchId);
      const form = postForm(
        { visit, sent, action: stepPath(batchId, step) },
        () =>
          html`<div class="steps"><button class="button big ${step === 'print-again' ? 'danger' : 'primary'}" name="action" value="${step}">${confirm}</button>${back}</div>`,
      );
      return view({
        title: question,
        body: html`${pageHead({ title: question, lead: describeBatch(visit, batch) })}
${warningOf(step, counts, visit)}
${step === 'posted' ? await labelWarning(visit, batch) : nothing}
${section('Batch', html`${countFacts(visit, batch, counts)}${form}`)}`,
      });
    },
  });

  const action = defineAction({
    path,
    params: batchParams,
    form: z.object({}),
    page,

    async run({ visit, params: { batchId }, now }, { hints }) {
      const context = { hints, at: now };
      if (step === 'print-again') await printAgain(batchId, actorOf(visit), context);
      else await markBatch(batchId, step, actorOf(visit), context);
      return redirect(visit.href(batchPath(batchId), { notice: 'changeSaved' }));
    },
  });
  return [page, action];
}

function warningOf(step: BatchStep, { queued }: StatusCounts, { format }: Visit): Markup {
  if (step === 'print-again') {
    return notice(
      'danger',
      'If any of it was printed, letters are sent twice. Look at the printer and its trays first, and destroy what you find.',
    );
  }
  if (step === 'printed' || queued === 0) return nothing;
  const items = queued === 1 ? '1 item is' : `${format.number(queued)} items are`;
  return notice('warning', `${items} not recorded as printed. They become posted too.`);
}

/** Once it is handed in, a letter without its label cannot be traced any more. */
async function labelWarning({ format }: Visit, { _id, serviceType }: BatchRecord): Promise<Markup> {
  if (serviceType !== 'registered') return nothing;
  const { total, labelled } = await countLabels(_id);
  const missing = total - labelled;
  if (missing === 0) return nothing;
  const items = missing === 1 ? '1 item has' : `${format.number(missing)} items have`;
  return notice('warning', `${items} no label recorded. Scan the labels first, so these letters can be tracked.`);
}

function countFacts({ format, texts }: Visit, { _id, cutoffAt, itemCount }: BatchRecord, counts: StatusCounts): Markup {
  const { queued, failed } = counts;
  return facts([
    ['ID', html`<code>${_id}</code>`],
    ['Cutoff', format.moment(cutoffAt)],
    ['Items', format.number(itemCount)],
    ['Not printed yet', format.number(queued)],
    [texts.words.statuses.failed, failed === 0 ? 'None' : `${format.number(failed)}, which stay as they are`],
  ]);
}
