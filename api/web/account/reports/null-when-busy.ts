import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, section } from '#api/web/design/page-parts.ts';
import { hasCode } from '#common/errors.ts';
import type { Visit } from './texts.ts';

/** Awaits a report. Returns null when it took too long or too many wait, so the rest of the page is shown. */
export async function nullWhenBusy<Report>(reading: Promise<Report>): Promise<Report | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE') || hasCode(error, 'RATE_LIMITED')) return null;
    throw error;
  }
}

/** Renders a report that was late. */
export function lateSection({ texts }: Visit, title: string): Markup {
  return section(title, emptyState(texts.reports.late, texts.reports.lateHint));
}
