import type * as en from './findings.texts.en.ts';

export const findings = {
  title: 'Vérifications',
  lead: 'Ce que nous avons remarqué dans les fichiers de cette lettre.',
  none: 'Nous n’avons rien remarqué qui demande votre attention.',
  onPage: (page: string) => `Page ${page}`,
  wholeLetter: 'Toute la lettre',
  severities: { error: 'Erreur', warning: 'Avertissement', info: 'Remarque' },
  kinds: {
    address_not_printable: {
      what: 'Une adresse ne peut pas être imprimée',
      next: 'Corrigez l’adresse, puis renvoyez la lettre.',
    },
    address_small: {
      what: 'Une adresse est imprimée en petits caractères',
      next: 'Raccourcissez l’adresse si possible.',
    },
    page_not_a4: {
      what: 'Une page n’est pas au format A4 et ne peut pas y être adaptée',
      next: 'Exportez le document au format A4.',
    },
    page_scaled: {
      what: 'Une page n’est pas au format A4 et y est adaptée',
      next: 'Vérifiez la page ici. Si elle est trop petite ou trop grande, exportez le document au format A4.',
    },
    page_turned: {
      what: 'Une page en paysage est imprimée après rotation',
      next: 'Rien à faire, sauf si le lecteur ne doit pas tourner la page.',
    },
    portfolio: {
      what: 'Les fichiers d’un porte-documents PDF ne sont pas imprimés',
      next: 'Ajoutez les fichiers utiles à la lettre au lieu du porte-documents.',
    },
    restricted: {
      what: 'Un PDF comporte des restrictions, mais peut être imprimé',
      next: 'Rien à faire.',
    },
    outside_printable_area: {
      what: 'Un élément trop proche du bord ne sera pas imprimé',
      next: 'Laissez au moins 5 mm vides sur chaque bord.',
    },
    window_not_blank: {
      what: 'Un élément apparaît dans la fenêtre de l’enveloppe',
      next: 'Laissez cette zone vide ou autorisez les pages de garde dans votre profil.',
    },
    cover_page_added: {
      what: 'Une page de garde portant l’adresse est ajoutée',
      next: 'Rien à faire. Pour économiser la feuille, laissez la zone de la fenêtre vide.',
    },
    mark_zone_not_blank: {
      what: 'La marque de la feuille recouvre un élément',
      next: 'Laissez vide le bas de la marge de gauche.',
    },
    font_not_embedded: {
      what: 'Une police n’est pas incorporée dans le PDF',
      next: 'Exportez à nouveau le PDF en incorporant toutes les polices.',
    },
    low_resolution: {
      what: 'Une image risque d’être floue',
      next: 'Utilisez une image plus grande ou numérisez-la à 200 points par pouce.',
    },
    printed_grey: {
      what: 'Les couleurs sont imprimées en niveaux de gris',
      next: 'Rien à faire. Choisissez l’impression en couleur si les couleurs comptent.',
    },
    blank_page: { what: 'Une page est vide', next: 'Supprimez la page si elle est inutile.' },
    page_not_fully_checked: { what: 'Une page n’a pas pu être vérifiée entièrement', next: 'Regardez son aperçu.' },
    larger_envelope: { what: 'La lettre demande une plus grande enveloppe', next: 'Rien à faire.' },
    several_envelopes: {
      what: 'La lettre part en plusieurs enveloppes',
      next: 'Rien à faire, sauf si elle doit arriver en une fois.',
    },
    cover_page_needed: {
      what: 'Une page de garde portant l’adresse est ajoutée',
      next: 'Regardez les pages ci-contre. Le détail indique la raison.',
    },
    not_measured: {
      what: 'Les pages n’ont pas pu être vérifiées',
      next: 'Regardez les pages avant l’impression de la lettre.',
    },
    page_count_mismatch: {
      what: 'Le nombre de pages est inexact',
      next: 'Renvoyez la lettre avec le nombre de pages réel.',
    },
    files_too_large_together: {
      what: 'Les fichiers sont trop volumineux ensemble',
      next: 'Réduisez leurs images ou envoyez plusieurs lettres.',
    },
    letter_too_long: { what: 'La lettre a trop de pages', next: 'Envoyez-la en plusieurs lettres.' },
    file_changed: { what: 'Un fichier a changé', next: 'Chargez à nouveau le fichier, puis renvoyez la lettre.' },
    not_what_declared: { what: 'Un fichier n’est pas du type annoncé', next: 'Exportez le document en PDF.' },
    two_types_at_once: {
      what: 'Un fichier est à la fois un PDF et une archive',
      next: 'Exportez à nouveau le document en PDF.',
    },
    locked: {
      what: 'Un PDF est protégé',
      next: 'Enregistrez-le sans mot de passe, puis ajoutez-le à nouveau.',
    },
    printing_forbidden: {
      what: 'L’auteur d’un PDF n’autorise pas l’impression',
      next: 'Demandez-lui une version imprimable.',
    },
    undrawn_content: {
      what: 'Un PDF n’affiche qu’un avis à la place de son contenu',
      next: 'Ouvrez-le dans Adobe Acrobat, imprimez-le dans un nouveau PDF, puis ajoutez celui-ci.',
    },
    damaged_pdf: { what: 'Un PDF est endommagé', next: 'Exportez à nouveau le document en PDF.' },
    endless_pages: {
      what: 'La liste des pages d’un PDF est défectueuse',
      next: 'Exportez à nouveau le document en PDF.',
    },
    unpacks_too_large: {
      what: 'Un PDF est trop lourd une fois ouvert',
      next: 'Exportez-le avec des images plus petites.',
    },
    prints_too_large: {
      what: 'Un PDF deviendrait trop lourd à l’impression',
      next: 'Imprimez le document dans un nouveau PDF, puis ajoutez celui-ci.',
    },
    undrawn_field: {
      what: 'Un champ de formulaire serait imprimé vide',
      next: 'Imprimez le formulaire rempli dans un nouveau PDF, puis ajoutez celui-ci.',
    },
    undrawn_mark: {
      what: 'Un commentaire ou une marque manquerait sur le papier',
      next: 'Imprimez le document avec ses commentaires dans un nouveau PDF, puis ajoutez celui-ci.',
    },
    unprintable_page: {
      what: 'Une page a une taille ou une rotation impossible',
      next: 'Imprimez le document dans un nouveau PDF, puis ajoutez celui-ci.',
    },
    too_many_pages: { what: 'Un fichier a trop de pages', next: 'Envoyez-le en plusieurs lettres.' },
    damaged_image: { what: 'Une image est endommagée', next: 'Enregistrez à nouveau l’image, puis ajoutez-la.' },
    image_too_large: { what: 'Une image a trop de pixels', next: 'Réduisez l’image. 300 points par pouce suffisent.' },
    too_hard: {
      what: 'Un fichier est trop long à ouvrir',
      next: 'Simplifiez ses dessins ou exportez-les comme images.',
    },
    not_checked: { what: 'La vérification n’a pas abouti', next: 'Réessayez dans une minute.' },
    more_findings: {
      what: 'Il y en a d’autres du même type',
      next: 'Corrigez ceux de la liste, puis renvoyez la lettre.',
    },
  },
} satisfies typeof en.findings;
