import type * as en from './findings.texts.en.ts';

export const findings = {
  title: 'Prüfung',
  lead: 'Was uns an den Dateien dieses Briefs aufgefallen ist.',
  none: 'Uns ist nichts aufgefallen, was Sie ansehen sollten.',
  onPage: (page: string) => `Seite ${page}`,
  wholeLetter: 'Ganzer Brief',
  severities: { error: 'Fehler', warning: 'Warnung', info: 'Hinweis' },
  kinds: {
    address_not_printable: {
      what: 'Eine Adresse lässt sich nicht drucken',
      next: 'Korrigieren Sie die Adresse und senden Sie den Brief erneut.',
    },
    address_small: { what: 'Eine Adresse wird klein gedruckt', next: 'Kürzen Sie die Adresse, wenn möglich.' },
    page_not_a4: {
      what: 'Eine Seite hat nicht das Format A4 und lässt sich nicht anpassen',
      next: 'Exportieren Sie das Dokument im Format A4.',
    },
    page_scaled: {
      what: 'Eine Seite hat nicht das Format A4 und wird angepasst',
      next: 'Sehen Sie sich die Seite hier an. Ist sie zu klein oder zu groß, exportieren Sie das Dokument im Format A4.',
    },
    page_turned: {
      what: 'Eine Seite im Querformat wird gedreht gedruckt',
      next: 'Sie müssen nichts tun, es sei denn, der Leser soll die Seite nicht drehen müssen.',
    },
    portfolio: {
      what: 'Dateien in einem PDF-Portfolio werden nicht gedruckt',
      next: 'Laden Sie statt des Portfolios die Dateien hoch, die in den Brief gehören.',
    },
    restricted: {
      what: 'Ein PDF hat Einschränkungen, darf aber gedruckt werden',
      next: 'Sie müssen nichts tun.',
    },
    outside_printable_area: {
      what: 'Etwas liegt zu nah am Rand und wird fehlen',
      next: 'Lassen Sie an jedem Rand mindestens 5 mm frei.',
    },
    window_not_blank: {
      what: 'Im Fenster des Umschlags ist etwas zu sehen',
      next: 'Lassen Sie diesen Bereich frei oder erlauben Sie Deckblätter in Ihrem Profil.',
    },
    cover_page_added: {
      what: 'Vor den Brief kommt ein Deckblatt mit der Adresse',
      next: 'Sie müssen nichts tun. Lassen Sie den Bereich des Fensters frei, um das Blatt zu sparen.',
    },
    mark_zone_not_blank: {
      what: 'Die Markierung des Blatts verdeckt etwas',
      next: 'Lassen Sie den Rand unten links frei.',
    },
    font_not_embedded: {
      what: 'Eine Schrift ist nicht im PDF eingebettet',
      next: 'Exportieren Sie das PDF erneut mit allen Schriften eingebettet.',
    },
    low_resolution: {
      what: 'Ein Bild könnte unscharf wirken',
      next: 'Verwenden Sie ein größeres Bild oder scannen Sie es mit 200 dpi.',
    },
    printed_grey: {
      what: 'Farben werden in Graustufen gedruckt',
      next: 'Sie müssen nichts tun. Wählen Sie Farbdruck, wenn es auf die Farben ankommt.',
    },
    blank_page: { what: 'Eine Seite ist leer', next: 'Löschen Sie die Seite, wenn Sie sie nicht brauchen.' },
    page_not_fully_checked: {
      what: 'Eine Seite konnte nicht vollständig geprüft werden',
      next: 'Sehen Sie sich ihre Vorschau an.',
    },
    larger_envelope: { what: 'Der Brief braucht einen größeren Umschlag', next: 'Sie müssen nichts tun.' },
    several_envelopes: {
      what: 'Der Brief kommt in mehreren Umschlägen',
      next: 'Sie müssen nichts tun, es sei denn, er soll in einem Stück ankommen.',
    },
    cover_page_needed: {
      what: 'Vor den Brief kommt ein Deckblatt mit der Adresse',
      next: 'Sehen Sie sich die Seiten daneben an. Die Einzelheiten nennen den Grund.',
    },
    not_measured: {
      what: 'Die Seiten konnten nicht geprüft werden',
      next: 'Sehen Sie sich die Seiten an, bevor der Brief gedruckt wird.',
    },
    page_count_mismatch: {
      what: 'Die Seitenzahl stimmt nicht',
      next: 'Senden Sie den Brief mit der tatsächlichen Seitenzahl erneut.',
    },
    files_too_large_together: {
      what: 'Die Dateien sind zusammen zu groß',
      next: 'Verkleinern Sie die Bilder oder senden Sie mehrere Briefe.',
    },
    letter_too_long: { what: 'Der Brief hat zu viele Seiten', next: 'Senden Sie ihn als mehrere Briefe.' },
    file_changed: {
      what: 'Eine Datei wurde geändert',
      next: 'Laden Sie die Datei erneut hoch und senden Sie den Brief erneut.',
    },
    not_what_declared: {
      what: 'Eine Datei hat einen anderen Typ als angegeben',
      next: 'Exportieren Sie das Dokument als PDF.',
    },
    two_types_at_once: {
      what: 'Eine Datei ist zugleich ein PDF und ein Archiv',
      next: 'Exportieren Sie das Dokument neu als PDF.',
    },
    locked: {
      what: 'Ein PDF ist geschützt',
      next: 'Speichern Sie es ohne Passwort und laden Sie es erneut hoch.',
    },
    printing_forbidden: {
      what: 'Der Autor eines PDF erlaubt das Drucken nicht',
      next: 'Bitten Sie den Autor um eine druckbare Fassung.',
    },
    undrawn_content: {
      what: 'Ein PDF zeigt statt seines Inhalts nur einen Hinweis',
      next: 'Öffnen Sie es in Adobe Acrobat, drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
    },
    damaged_pdf: { what: 'Ein PDF ist beschädigt', next: 'Exportieren Sie das Dokument neu als PDF.' },
    endless_pages: {
      what: 'Die Seitenliste eines PDF ist fehlerhaft',
      next: 'Exportieren Sie das Dokument neu als PDF.',
    },
    unpacks_too_large: { what: 'Ein PDF ist beim Öffnen zu groß', next: 'Exportieren Sie es mit kleineren Bildern.' },
    prints_too_large: {
      what: 'Ein PDF würde beim Druck zu groß',
      next: 'Drucken Sie das Dokument in ein neues PDF und laden Sie dieses hoch.',
    },
    undrawn_field: {
      what: 'Ein Formularfeld würde leer gedruckt',
      next: 'Drucken Sie das ausgefüllte Formular in ein neues PDF und laden Sie dieses hoch.',
    },
    undrawn_mark: {
      what: 'Ein Kommentar oder eine Markierung würde auf dem Papier fehlen',
      next: 'Drucken Sie das Dokument mit den Kommentaren in ein neues PDF und laden Sie dieses hoch.',
    },
    unprintable_page: {
      what: 'Eine Seite hat eine unmögliche Größe oder Drehung',
      next: 'Drucken Sie das Dokument in ein neues PDF und laden Sie dieses hoch.',
    },
    too_many_pages: { what: 'Eine Datei hat zu viele Seiten', next: 'Versenden Sie sie als mehrere Briefe.' },
    damaged_image: { what: 'Ein Bild ist beschädigt', next: 'Speichern Sie das Bild neu und laden Sie es hoch.' },
    image_too_large: { what: 'Ein Bild hat zu viele Pixel', next: 'Verkleinern Sie das Bild. 300 dpi genügen.' },
    too_hard: {
      what: 'Das Öffnen einer Datei dauert zu lange',
      next: 'Vereinfachen Sie die Zeichnungen oder exportieren Sie sie als Bilder.',
    },
    not_checked: { what: 'Die Prüfung ist fehlgeschlagen', next: 'Versuchen Sie es in einer Minute noch einmal.' },
    more_findings: {
      what: 'Es gibt weitere derselben Art',
      next: 'Beheben Sie die aufgeführten und senden Sie den Brief erneut.',
    },
  },
} satisfies typeof en.findings;
