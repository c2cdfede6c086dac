import type { Texts } from '#api/web/texts/en.ts';

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
    outside_printable_area: {
      what: 'Etwas liegt zu nah am Rand und wird fehlen',
      next: 'Lassen Sie an jedem Rand mindestens 5 mm frei.',
    },
    window_not_blank: {
      what: 'Im Fenster des Umschlags ist etwas zu sehen',
      next: 'Lassen Sie diesen Bereich frei oder erlauben Sie Deckblätter in Ihrem Profil.',
    },
    cover_page_added: {
      what: 'Davor kommt ein Deckblatt mit der Adresse',
      next: 'Sie müssen nichts tun. Lassen Sie den Bereich des Fensters frei, um das Blatt zu sparen.',
    },
    mark_zone_not_blank: {
      what: 'Die Markierung des Blatts verdeckt etwas',
      next: 'Lassen Sie den Rand unten links frei.',
    },
    font_not_embedded: {
      what: 'Im PDF fehlt eine Schrift',
      next: 'Exportieren Sie das PDF erneut mit allen Schriften eingebettet.',
    },
    low_resolution: {
      what: 'Ein Bild könnte unscharf wirken',
      next: 'Verwenden Sie ein größeres Bild oder scannen Sie es mit 200 dpi.',
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
    more_findings: {
      what: 'Es gibt weitere derselben Art',
      next: 'Beheben Sie die aufgeführten und senden Sie den Brief erneut.',
    },
  },
} satisfies Texts['findings'];
