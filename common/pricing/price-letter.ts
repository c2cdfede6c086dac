import { assertCents, currency, vatCents } from '../money.ts';
import { countSheets } from '../services.ts';
import type { Amounts } from './amounts.schema.ts';
import type { TariffRecord } from './tariff.model.ts';
import { type LineCode, lineCodes, sheetGrams } from './tariff.schema.ts';

export type { Amounts } from './amounts.schema.ts';

export type PricedLetter = {
  pages: number;
  color: boolean;
  /** Absent: on both sides. */
  doubleSided?: boolean | null | undefined;
  /** Applies to registered letters only. */
  hasAcknowledgmentReceipt: boolean;
  recipientCount: number;
};

/**
 * Returns the price of a letter under one tariff. Quotes and mail jobs both use it; prices are computed nowhere else.
 * Line quantities are recipients. VAT is computed per rate on the sum of its lines and rounded half up once.
 */
export function priceLetter(letter: PricedLetter, tariff: TariffRecord): Amounts {
  const { pages, recipientCount } = letter;
  const sheets = countSheets(pages, letter);
  const postage = pricePostage(sheets, tariff);
  const isRegistered = tariff.serviceType === 'registered';
  const pagesText = pages === 1 ? '1 page' : `${pages} pages`;
  const envelopesText = postage.envelopes === 1 ? '' : `, ${postage.envelopes} envelopes`;

  const unitLines: { code: LineCode; description: string; unitCents: number }[] = [
    { code: 'HANDLING', description: 'Handling', unitCents: tariff.handlingCents },
    { code: 'PRINT', description: `Printing, ${pagesText}`, unitCents: pages * tariff.pageCents },
    { code: 'POSTAGE', description: `Postage, ${postage.weightGrams} g${envelopesText}`, unitCents: postage.cents },
  ];
  if (letter.color) {
    unitLines.push({ code: 'COLOR', description: `Colour, ${pagesText}`, unitCents: pages * tariff.colorPageCents });
  }
  if (isRegistered) {
    unitLines.push({ code: 'REGISTERED', description: 'Registered', unitCents: tariff.registeredCents });
  }
  if (isRegistered && letter.hasAcknowledgmentReceipt) {
    unitLines.push({
      code: 'ACKNOWLEDGMENT_RECEIPT',
      description: 'Acknowledgment of receipt',
      unitCents: tariff.acknowledgmentReceiptCents,
    });
  }

  const lines = unitLines
    .map((line) => ({
      ...line,
      quantity: recipientCount,
      netCents: assertCents(line.unitCents * recipientCount),
      vatPercent: tariff.vatPercent[line.code],
    }))
    .sort((left, right) => lineCodes.indexOf(left.code) - lineCodes.indexOf(right.code));

  return { ...addUp(lines), recipientCount, sheets, weightGrams: postage.weightGrams, envelopes: postage.envelopes };
}

function addUp(lines: Amounts['lines']) {
  const vat = [...Map.groupBy(lines, ({ vatPercent }) => vatPercent)]
    .sort(([left], [right]) => left - right)
    .map(([percent, sameRate]) => {
      const netCents = sum(sameRate.map((line) => line.netCents));
      return { percent, netCents, vatCents: vatCents(netCents, percent) };
    });
  const netCents = sum(lines.map((line) => line.netCents));
  const vatSumCents = sum(vat.map((rate) => rate.vatCents));
  const unitNetCents = sum(lines.map((line) => line.unitCents));

  return { currency, unitNetCents, netCents, vatCents: vatSumCents, totalCents: netCents + vatSumCents, lines, vat };
}

/**
 * Returns the postage of one copy. Sheets beyond the heaviest bracket go into further envelopes: full ones first, the
 * rest in the last, each priced by its own weight.
 */
function pricePostage(sheets: number, { postage, envelopeGrams }: TariffRecord) {
  const heaviestGrams = postage.at(-1)?.upToGrams ?? 0;
  const sheetsPerEnvelope = Math.floor((heaviestGrams - envelopeGrams) / sheetGrams);
  if (sheetsPerEnvelope < 1) throw new Error('The tariff carries no letter: its last bracket is below one sheet');
  const envelopes = Math.ceil(sheets / sheetsPerEnvelope);
  const weightOf = (sheetCount: number) => sheetCount * sheetGrams + envelopeGrams;
  const priceOf = (weightGrams: number) => {
    const bracket = postage.find(({ upToGrams }) => weightGrams <= upToGrams);
    if (!bracket) throw new Error(`No postage bracket for ${weightGrams} g`);
    return bracket.cents;
  };
  const lastSheets = sheets - (envelopes - 1) * sheetsPerEnvelope;
  const cents =
    priceOf(weightOf(lastSheets)) + (envelopes - 1) * (envelopes > 1 ? priceOf(weightOf(sheetsPerEnvelope)) : 0);

  return { cents, envelopes, weightGrams: sheets * sheetGrams + envelopes * envelopeGrams };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
