import { html } from 'hono/html';
import { z } from 'zod';
import type { Issue } from '../../../../common/errors.ts';
import type { TariffRecord } from '../../../../common/pricing/tariff.model.ts';
import { findTariffFaults, importTariffs, listTariffs, removeTariff } from '../../../../common/pricing/tariffs.ts';
import { redirect, type View, view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { nothing } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import { noForm, type SentForm } from '../../read-form.ts';
import { postForm } from '../../views/form.ts';
import { notice } from '../../views/notice.ts';
import { emptyState, pageHead, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import { actorOf, type Visit } from '../../visit.ts';

const path = '/admin/tariffs';
const importPath = `${path}/import`;

export const tariffsPage = definePage({
  path,
  access: 'admin',
  show: ({ visit, sent }) => showTariffs(visit, { sent }),
});

export const importTariffsAction = defineAction({
  path: importPath,
  access: 'admin',
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
  access: 'admin',
  form: z.object({ tariffId: z.string().max(100) }),
  page: tariffsPage,

  async run({ visit, form: { tariffId }, now }) {
    await removeTariff(tariffId, { by: actorOf(visit), at: now });
    return redirect(visit.href(path, { notice: 'changeSaved' }));
  },
});

/** The page; with `faults` as the answer to a file that was refused, each fault of it named. */
async function showTariffs(
  visit: Visit,
  { sent, faults = [] }: { sent: SentForm; faults?: readonly string[] },
): Promise<View> {
  const tariffs = await listTariffs();
  return view({
    title: 'Tariffs',
    status: faults.length > 0 ? 400 : 200,
    body: html`${pageHead({ title: 'Tariffs', lead: 'The prices of each zone and service, from an instant on. Letters that were sent keep their price.' })}
${faults.length === 0 ? nothing : faultList(faults)}
${section('Tariffs', tariffs.length === 0 ? emptyState('No tariffs yet', 'Without them no letter can be priced.') : tariffTable(visit, tariffs))}
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

/** `[2].postage[0].cents: …`, as the command line says it. */
function describeFaults(issues: readonly Issue[]): string[] {
  const step = (part: string | number) => (typeof part === 'number' ? `[${part}]` : `.${part}`);
  return issues.map(
    ({ path: place, message }) => `${place.map(step).join('')}${place.length > 0 ? ': ' : ''}${message}`,
  );
}

function faultList(faults: readonly string[]): Markup {
  const title = `Nothing was stored: ${faults.length === 1 ? 'there is a fault' : `there are ${faults.length} faults`}.`;
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
  return postForm(
    { visit, sent: noForm, action: `${path}/remove`, isInline: true },
    (fields) =>
      html`${fields.hidden('tariffId', _id)}${fields.submit({ value: 'remove', label: 'Remove', kind: 'danger', describedBy })}`,
  );
}

function importForm(visit: Visit, sent: SentForm): Markup {
  const hint =
    'A JSON array, as scripts/demo/tariffs.json shows, 60 kB at most. All of it is stored or, with every fault named, nothing.';
  return postForm(
    { visit, sent, action: importPath },
    (fields) => html`${fields.longText({ name: 'file', label: 'Tariff file', hint })}
${fields.submit({ value: 'import', label: 'Import' })}`,
  );
}
