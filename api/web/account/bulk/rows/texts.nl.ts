import type { Texts } from '#api/web/texts/en.ts';

/** The letters of a list before they are paid. */
export const bulkRows: Texts['bulkRows'] = {
  title: (row) => `Rij ${row}`,
  samples: 'Bekijk brieven voor u betaalt',
  samplesLead: 'Open een rij om haar brief te zien zoals hij gedrukt wordt.',
  first: 'eerste rij',
  longestAddress: 'langste adres',
  longestText: 'langste tekst',
  warned: 'met een waarschuwing',
  seeAll: 'Bekijk elke rij',
  countries: 'Per land en dienst',
  country: 'Land',
  back: 'Terug naar de lijst',
  asPrinted: 'Zoals hij gedrukt wordt',
  pdf: 'Pdf openen',
  late: 'Deze brief wordt nog klaargemaakt. De pagina wordt vanzelf bijgewerkt.',
  notRendered:
    'Deze brief kan niet worden klaargemaakt: het document of het sjabloon is gewijzigd. Upload de lijst opnieuw.',
  ways: 'Andere rijen',
  previous: 'Vorige rij',
  next: 'Volgende rij',
  jump: 'Ga naar',
  warnedRows: 'Rijen met waarschuwingen',
  faulty: 'Deze rij wordt pas verstuurd als ze verbeterd is',
  address: 'Adres',
  sheets: 'Bladen',
  weight: 'Gewicht',
  grams: (grams) => `${grams} g`,
};
