import { html } from 'hono/html';
import { z } from 'zod';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import type { Issue } from '#common/errors.ts';
import { findTariffFaults, importTariffs, listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { buttonForm, postForm } from '../design/form.ts';
import { type Markup, nothing } from '../design/markup.ts';
import { notice } from '../design/notice.ts';
import { emptyState, pageHead, section } from '../design/page-parts.ts';
import { table } from '../design/table.ts';
import { redirect, type View, view } from '../framework/answer.ts';
import { defineAction, definePage } from './admin-pages.ts';

const path = '/admin/tariffs';
const importPath = `${path}/import`;

export const tariffsPage = definePage({
  path,
  show: ({ visit, sent }) => showTariffs(visit, { sent }),
});

export const importTariffsAction = defineAction({
  path: importPath,
  form: z.object({ file: z.string({ error: 'required' }).trim().min(1, 'required') }),
  page: tariffsPage,

  async run({ visit, form: { file }, now }) {
    const parsed = parseJson(file);
    const faults = 'fault' in parsed ? [parsed.fault] : describeFaults(await findTariffFaults(parsed.value));
    if (faults.length > 0 || 'fault' in parsed) {
      const sent = { path: importPath, values: { file }, errors: { file: 'invalid' } };
      return await showTariffs(visit, { sent, faults });
    }
    await importTariffs(parsed.value, { by: actorOf(visit), at: now });
    return redirect(visit.href(path, { notice: 'changeSaved' }));
  },
});

export const removeTariffAction = defineAction({
  path: `${path}/remove`,
  form: z.object({ tariffId: z.string().max(100) }),
  page: tariffsPage,

  async run({ visit, form: { tariffId }, now }) {
    await removeTariff(tariffId, { by: actorOf(visit), at: now });
    return redirect(visit.href(path, { notice: 'changeSaved' }));
  },
});

/** Returns the page. `faults` lists the errors of an import file that was refused. */
async function showTariffs(
  visit: Visit,
  { sent, faults = [] }: { sent: SentForm; faults?: readonly string[] },
): Promise<View> {
  const tariffs = await listTariffs();
  return view({
    title: 'Tariffs',
    status: faults.length > 0 ? 400 : 200,
    body: html`${pageHead({ title: 'Tariffs', lead: 'Prices for each zone and service, valid from a given time. Letters that have been sent keep their price.' })}
${faults.length === 0 ? nothing : faultList(faults)}
${section('Tariffs', tariffs.length === 0 ? emptyState('No tariffs yet', 'Import tariffs below. Letters cannot be priced without them.') : tariffTable(visit, tariffs))}
${section('Import', importForm(visit, sent))}`,
  });
}

function parseJson(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `This is not JSON: ${(error as Error).message}.` };
  }
}

/** Formats issues like the command line does: `[2].postage[0].cents: …`. */
function describeFaults(issues: readonly Issue[]): string[] {
  const step = (part: string | number) => (typeof part === 'number' ? `[${part}]` : `.${part}`);
  return issues.map(
    ({ path: place, message }) => `${place.map(step).join('')}${place.length > 0 ? ': ' : ''}${message}`,
  );
}

function faultList(faults: readonly string[]): Markup {
  const title = `Nothing was imported: the file has ${faults.length === 1 ? 'one error' : `${faults.length} errors`}.`;
  return html`<section id="faults">${notice('danger', html`<h2 class="notice-title">${title}</h2><ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>`)}</section>`;
}

function tariffTable(visit: Visit, tariffs: readonly TariffRecord[]): Markup {
  const { texts, format } = visit;
  const money = (name: string, cents: (tariff: TariffRecord) => number | undefined) => ({
    label: name,
    isNumber: true,
    cell: (tariff: TariffRecord) => format.money(cents(tariff) ?? 0),
  });
  return table<TariffRecord>(
    'Tariffs',
    [
      { label: 'Zone', cell: ({ zone }) => html`<strong>${texts.words.zones[zone]}</strong>` },
      { label: 'Service', cell: ({ serviceType }) => texts.words.serviceTypes[serviceType] },
      { label: 'Valid from', cell: ({ validFrom }) => format.moment(validFrom) },
      money('Handling', ({ handlingCents }) => handlingCents),
      money('Page', ({ pageCents }) => pageCents),
      money('Colour', ({ colorPageCents }) => colorPageCents),
      money('Postage from', ({ postage }) => postage[0]?.cents),
      { label: 'Remove', isLabelHidden: true, cell: (tariff) => removeForm(visit, tariff) },
    ],
    tariffs,
  );
}

function removeForm(visit: Visit, { _id, zone, serviceType, validFrom }: TariffRecord): Markup {
  const describedBy = `Remove: ${zone} ${serviceType} from ${visit.format.moment(validFrom)} (${_id})`;
  const form = { visit, action: `${path}/remove`, hidden: { tariffId: _id } };
  return buttonForm(form, { value: 'remove', label: 'Remove', kind: 'danger', describedBy });
}

function importForm(visit: Visit, sent: SentForm): Markup {
  const hint =
    'A JSON array of up to 60 kB, in the format of scripts/demo/tariffs.json. If the file has errors, nothing is imported.';
  return postForm(
    { visit, sent, action: importPath },
    (fields) => html`${fields.longText({ name: 'file', label: 'Tariff file', hint })}
${fields.submit({ value: 'import', label: 'Import' })}`,
  );
}
