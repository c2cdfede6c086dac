import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { section } from '#api/web/design/page-parts.ts';
import { download } from '#api/web/framework/answer.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import { faultOfMessage } from '#common/documents/typesetting/refusals.ts';
import { AppError, hasCode, notFound } from '#common/errors.ts';
import type { Language } from '#common/languages.ts';
import { readPreflight, startPreflight, waitForResult } from '#common/mail-jobs/preflight/start-preflight.ts';
import { modes, type Owner } from '#common/modes.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { signUrl } from '#common/platform/s3/temporary-objects.ts';
import { previewTemplate } from '#common/templates/preview-template.ts';
import type { MergeVariables } from '#common/templates/text/fill-template.ts';
import { definePage, type Visit } from './texts.ts';

/** A letter to look at: its picture and its file, or why there is none, in the language of the page. */
export type Preview =
  | { problem: null; preflightId: string; hasPicture: boolean; pages: number; url: string }
  | { problem: string };

/** How long a page waits for the picture. */
const maxWaitMs = 20_000;
/** Previews per organization and minute. */
const previewLimit = { limit: 60, burst: 30 };
/** Size in pixels of an A4 page at 100 dpi. */
const [width, height] = [827, 1169];
const maxPictureBytes = 8 * 1024 * 1024;

/** Has a letter typeset and drawn. Throws RATE_LIMITED beyond 60 previews of an organization per minute. */
export async function makePreview(
  visit: Visit,
  owner: Owner,
  source: { language: Language; text: string; samples: MergeVariables },
  services: WebServices,
  at: Date,
): Promise<Preview> {
  await takeOrRefuse(services.limiter, { key: `template-preview:${owner.organizationId}`, ...previewLimit });
  try {
    const { letter } = await previewTemplate(owner, source, source.samples, services, at);
    const request = { files: [{ s3Key: letter.s3Key }], serviceType: 'standard' } as const;
    const checked = await waitForResult(await startPreflight(owner, request, services, at), maxWaitMs);
    const { url } = await signUrl(letter.s3Key, { store: services.store, at });
    const hasPicture = typeof checked.result?.overlayKey === 'string';
    return { problem: null, preflightId: checked._id, hasPicture, pages: letter.pageCount, url };
  } catch (error) {
    const problem = describeProblem(visit, error);
    if (problem === null) throw error;
    return { problem };
  }
}

function describeProblem(visit: Visit, error: unknown): string | null {
  const { problems } = visit.texts.templates;
  if (hasCode(error, 'SERVICE_UNAVAILABLE')) return problems.late;
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return null;
  const [issue] = error.issues ?? [];
  if (issue?.path[0] === 'mergeVariables') return problems.variable(String(issue.path[1]));
  const fault = faultOfMessage(issue?.message ?? '');
  return fault && problems[fault];
}

/** Renders a preview beside its form. */
export function previewSection(visit: Visit, preview: Preview): Markup {
  const texts = visit.texts.templates;
  if (preview.problem !== null) {
    const problem = html`<p class="notice-title">${texts.previewFailed}</p><p>${preview.problem}</p>`;
    return section(texts.previewTitle, notice('danger', problem));
  }
  const { preflightId, hasPicture, pages, url } = preview;
  const count = `${visit.format.number(pages)} ${pages === 1 ? texts.pages.one : texts.pages.other}`;
  return section(
    texts.previewTitle,
    html`<p>${texts.previewHint(count)}</p>
${hasPicture ? letterPicture(visit.href(`/account/templates/pictures/${preflightId}`), texts.previewAlt) : html`<p class="quiet">${texts.noPicture}</p>`}
<p><a class="button plain" href="${url}" target="_blank" rel="noreferrer">${texts.openPdf}</a></p>`,
  );
}

/** Renders the picture of a page. */
function letterPicture(src: string, alt: string): Markup {
  return html`<img class="letter-picture" src="${src}" alt="${alt}" width="${width}" height="${height}" decoding="async">`;
}

/** A picture of page 1 of a previewed letter, with the window of the envelope drawn over it. */
export const previewPicturePage = definePage({
  path: '/account/templates/pictures/:preflightId',
  params: z.object({ preflightId: idOf('pf') }),
  isFile: true,

  async show({ visit, params: { preflightId }, now }, { store }) {
    const key = await findPicture(visit.user.organizationId, preflightId, now);
    if (key === null) throw notFound();
    return download({
      contentType: 'image/png',
      filename: null,
      body: await store.get({ key, maxBytes: maxPictureBytes }),
    });
  },
});

/** Returns the key of a preflight's picture. The modes are tried in turn, because people open pages by link. */
async function findPicture(organizationId: string, preflightId: string, at: Date): Promise<string | null> {
  for (const mode of modes) {
    const row = await readPreflight({ organizationId, mode }, preflightId, at).catch((error: unknown) => {
      if (hasCode(error, 'NOT_FOUND')) return null;
      throw error;
    });
    if (row) return row.result?.overlayKey ?? null;
  }
  return null;
}

/** Renders a form with its preview beside it on wide screens. The preview comes first, where a sent page begins. */
export function besidePreview(visit: Visit, preview: Preview | null, form: Markup): Markup {
  return preview === null ? form : html`<div class="with-preview">${previewSection(visit, preview)}${form}</div>`;
}
