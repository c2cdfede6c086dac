import type { LetterContent } from '#common/documents/typesetting/letter-content.ts';
import { fillTemplate, textsOf } from '#common/templates/text/fill-template.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';

/** A letter of one page in French with a table, as a reminder of an invoice. */
export const benchText = `# Rappel de votre facture ((numéro))

Bonjour ((nom)),

Sauf erreur de notre part, nous n'avons pas encore reçu le paiement des factures ci-dessous. Nous vous remercions de bien
vouloir régler le montant de **((montant)) EUR** dans les quatorze jours. Si vous avez déjà payé, veuillez considérer cette
lettre comme nulle et non avenue.

| Facture | Description | Montant |
|---|---|---:|
| ((numéro)) | Fournitures de bureau et papeterie, livraison comprise | ((montant)) |
| 2026-0002 | Cartouches d'encre | 48,20 |
| 2026-0003 | Enveloppes à fenêtre | 12,00 |

- par virement, avec la communication ((numéro))
- au comptoir, du lundi au vendredi

Conformément à nos conditions générales, des intérêts de retard sont dus à partir de l'échéance. Notre service de
comptabilité se tient à votre disposition pour toute question concernant cette correspondance.

Cordialement,
Papeterie du Parc`;

/** The variables of the letter with this number: no two letters are the same. */
export function benchVariables(number: number): Record<string, string> {
  return { numéro: `2026-${number}`, nom: `Madame Peeters numéro ${number}`, montant: `${number},50` };
}

/** The letters themselves, on a letterhead without logo. */
export function makeLetters(count: number): LetterContent[] {
  const { blocks } = parseTemplate(benchText);
  const letterhead = {
    logo: null,
    senderLines: ['Papeterie du Parc', '1060 Saint-Gilles'],
    footerLines: ['BE 0123.456.789'],
  };
  return Array.from({ length: count }, (_, n) => {
    return { language: 'fr', letterhead, blocks: fillTemplate(blocks, textsOf(benchVariables(n))) };
  });
}
