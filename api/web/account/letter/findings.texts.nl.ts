import type * as en from './findings.texts.en.ts';

export const findings = {
  title: 'Controles',
  lead: 'Wat ons in de bestanden van deze brief is opgevallen.',
  none: 'Er is ons niets opgevallen waar u naar hoeft te kijken.',
  onPage: (page: string) => `Pagina ${page}`,
  wholeLetter: 'Hele brief',
  severities: { error: 'Fout', warning: 'Waarschuwing', info: 'Opmerking' },
  kinds: {
    address_not_printable: {
      what: 'Een adres kan niet worden afgedrukt',
      next: 'Verbeter het adres en verstuur de brief opnieuw.',
    },
    address_small: { what: 'Een adres wordt klein afgedrukt', next: 'Kort het adres in als dat kan.' },
    page_not_a4: {
      what: 'Een pagina is niet in A4 en kan niet worden aangepast',
      next: 'Exporteer het document in A4.',
    },
    page_scaled: {
      what: 'Een pagina is niet in A4 en wordt aangepast',
      next: 'Bekijk de pagina hier. Is ze te klein of te groot, exporteer het document dan in A4.',
    },
    page_turned: {
      what: 'Een liggende pagina wordt gedraaid afgedrukt',
      next: 'U hoeft niets te doen, tenzij de lezer de pagina niet mag hoeven draaien.',
    },
    portfolio: {
      what: 'Bestanden in een PDF-portfolio worden niet afgedrukt',
      next: 'Upload de bestanden die in de brief horen in plaats van de portfolio.',
    },
    restricted: {
      what: 'Een PDF heeft beperkingen, maar mag worden afgedrukt',
      next: 'U hoeft niets te doen.',
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
      what: 'Er komt een voorblad met het adres vóór de brief',
      next: 'U hoeft niets te doen. Laat de plaats van het venster leeg om het blad te besparen.',
    },
    mark_zone_not_blank: { what: 'Het merkteken van het blad bedekt iets', next: 'Laat de marge linksonder leeg.' },
    font_not_embedded: {
      what: 'Een lettertype is niet ingesloten in de pdf',
      next: 'Exporteer de pdf opnieuw met alle lettertypen ingesloten.',
    },
    low_resolution: {
      what: 'Een afbeelding kan onscherp zijn',
      next: 'Gebruik een grotere afbeelding of scan ze met 200 dots per inch.',
    },
    printed_grey: {
      what: 'Kleuren worden in grijstinten afgedrukt',
      next: 'U hoeft niets te doen. Kies kleurendruk als de kleuren belangrijk zijn.',
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
    cover_page_needed: {
      what: 'Er komt een voorblad met het adres vóór de brief',
      next: 'Bekijk de pagina’s hiernaast. De details zeggen waarom.',
    },
    not_measured: {
      what: 'De pagina’s konden niet worden gecontroleerd',
      next: 'Bekijk de pagina’s voordat de brief wordt afgedrukt.',
    },
    page_count_mismatch: {
      what: 'Het aantal pagina’s klopt niet',
      next: 'Verstuur de brief opnieuw met het juiste aantal pagina’s.',
    },
    files_too_large_together: {
      what: 'De bestanden zijn samen te groot',
      next: 'Verklein de afbeeldingen of verstuur meerdere brieven.',
    },
    letter_too_long: { what: 'De brief heeft te veel pagina’s', next: 'Verstuur hem als meerdere brieven.' },
    file_changed: {
      what: 'Een bestand is gewijzigd',
      next: 'Upload het bestand opnieuw en verstuur de brief opnieuw.',
    },
    not_what_declared: {
      what: 'Een bestand is van een ander type dan het aangeeft',
      next: 'Exporteer het document als PDF.',
    },
    two_types_at_once: {
      what: 'Een bestand is tegelijk een PDF en een archief',
      next: 'Exporteer het document opnieuw als PDF.',
    },
    locked: {
      what: 'Een PDF is beveiligd',
      next: 'Sla hem op zonder wachtwoord en upload hem opnieuw.',
    },
    printing_forbidden: {
      what: 'De auteur van een PDF staat afdrukken niet toe',
      next: 'Vraag de auteur om een versie die mag worden afgedrukt.',
    },
    undrawn_content: {
      what: 'Een PDF toont alleen een melding in plaats van de inhoud',
      next: 'Open hem in Adobe Acrobat, druk hem af naar een nieuwe PDF en upload die.',
    },
    damaged_pdf: { what: 'Een PDF is beschadigd', next: 'Exporteer het document opnieuw als PDF.' },
    endless_pages: { what: 'De paginalijst van een PDF is defect', next: 'Exporteer het document opnieuw als PDF.' },
    unpacks_too_large: {
      what: 'Een PDF is te groot wanneer hij geopend wordt',
      next: 'Exporteer hem met kleinere afbeeldingen.',
    },
    prints_too_large: {
      what: 'Een PDF zou bij het drukken te groot worden',
      next: 'Druk het document af naar een nieuwe PDF en upload die.',
    },
    undrawn_field: {
      what: 'Een formulierveld zou leeg gedrukt worden',
      next: 'Druk het ingevulde formulier af naar een nieuwe PDF en upload die.',
    },
    undrawn_mark: {
      what: 'Een opmerking of markering zou op papier ontbreken',
      next: 'Druk het document met opmerkingen af naar een nieuwe PDF en upload die.',
    },
    unprintable_page: {
      what: 'Een pagina heeft een onmogelijk formaat of een onmogelijke rotatie',
      next: 'Druk het document af naar een nieuwe PDF en upload die.',
    },
    too_many_pages: { what: 'Een bestand heeft te veel pagina’s', next: 'Verstuur het als meerdere brieven.' },
    damaged_image: { what: 'Een afbeelding is beschadigd', next: 'Sla de afbeelding opnieuw op en upload ze.' },
    image_too_large: {
      what: 'Een afbeelding heeft te veel pixels',
      next: 'Verklein de afbeelding. 300 dpi is genoeg.',
    },
    too_hard: {
      what: 'Het openen van een bestand duurt te lang',
      next: 'Vereenvoudig de tekeningen of exporteer ze als afbeelding.',
    },
    not_checked: { what: 'De controle is mislukt', next: 'Probeer het over een minuut opnieuw.' },
    more_findings: {
      what: 'Er zijn er meer van één soort',
      next: 'Verbeter wat in de lijst staat en verstuur de brief opnieuw.',
    },
  },
} satisfies typeof en.findings;
