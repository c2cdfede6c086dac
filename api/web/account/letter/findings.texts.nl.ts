import type { Texts } from '#api/web/texts/en.ts';

export const findings = {
  title: 'Controles',
  lead: 'Wat ons in de bestanden van deze brief is opgevallen.',
  none: 'Er is ons niets opgevallen waar u naar hoeft te kijken.',
  onPage: (page: string) => `Pagina ${page}`,
  wholeLetter: 'Hele brief',
  severities: { error: 'Fout', warning: 'Waarschuwing', info: 'Opmerking' },
  kinds: {
    address_not_printable: {
      what: 'Een adres kan niet worden gedrukt',
      next: 'Verbeter het adres en verstuur de brief opnieuw.',
    },
    page_not_a4: {
      what: 'Een pagina is niet in A4 en kan niet worden aangepast',
      next: 'Exporteer het document in A4.',
    },
    page_scaled: {
      what: 'Een pagina is niet in A4 en wordt aangepast',
      next: 'Bekijk de pagina hier. Is ze te klein of te groot, exporteer het document dan in A4.',
    },
    page_turned: {
      what: 'Een liggende pagina wordt gedraaid gedrukt',
      next: 'U hoeft niets te doen, tenzij de lezer de pagina niet mag hoeven draaien.',
    },
    outside_printable_area: {
      what: 'Iets staat te dicht bij de rand en zal ontbreken',
      next: 'Laat langs elke rand minstens 5 mm leeg.',
    },
    window_not_blank: {
      what: 'Er is iets te zien in het venster van de envelop',
      next: 'Laat deze plaats leeg of sta voorbladen toe in uw profiel.',
    },
    cover_page_added: {
      what: 'Er komt een voorblad met het adres vóór',
      next: 'U hoeft niets te doen. Laat de plaats van het venster leeg om het blad te besparen.',
    },
    mark_zone_not_blank: { what: 'Het merkteken van het blad bedekt iets', next: 'Laat de marge linksonder leeg.' },
    font_not_embedded: {
      what: 'Een lettertype ontbreekt in de pdf',
      next: 'Exporteer de pdf opnieuw met alle lettertypen ingesloten.',
    },
    low_resolution: {
      what: 'Een afbeelding kan onscherp zijn',
      next: 'Gebruik een grotere afbeelding of scan ze met 200 dots per inch.',
    },
    blank_page: { what: 'Een pagina is leeg', next: 'Verwijder de pagina als u ze niet nodig hebt.' },
    page_not_fully_checked: {
      what: 'Een pagina kon niet volledig worden gecontroleerd',
      next: 'Bekijk het afdrukvoorbeeld ervan.',
    },
    larger_envelope: { what: 'De brief heeft een grotere envelop nodig', next: 'U hoeft niets te doen.' },
    several_envelopes: {
      what: 'De brief gaat in meerdere enveloppen',
      next: 'U hoeft niets te doen, tenzij hij in één keer moet aankomen.',
    },
    more_findings: {
      what: 'Er zijn er meer van één soort',
      next: 'Verbeter wat in de lijst staat en verstuur de brief opnieuw.',
    },
  },
} satisfies Texts['findings'];
