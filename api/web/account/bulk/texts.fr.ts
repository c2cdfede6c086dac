import { formatOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { findings, letter } from '#api/web/account/letter/letter.texts.fr.ts';
export { bulkRows } from './rows/texts.fr.ts';

export const bulk: typeof en.bulk = {
  title: 'Envoyer à une liste',
  lead: 'Envoyez un document à toutes les personnes d’une liste, ou un ZIP de PDF avec un index.',
  create: 'Nouvelle liste',
  list: 'Vos listes',
  none: 'Aucune liste',
  noneHint: 'Chargez une liste et un document. Chaque ligne est vérifiée et son prix calculé avant tout envoi.',
  state: 'État',
  letters: 'Lettres',
  price: 'Prix',
  created: 'Créée',
  mode: 'Mode',
  modeHint:
    'Les lettres de test sont gratuites et jamais imprimées. Les lettres réelles sont imprimées, postées et payées.',
  states: {
    validating: 'Vérification',
    needs_mapping: 'Choix à faire',
    needs_attention: 'Lignes à corriger',
    ready: 'Prête à être envoyée',
    sending: 'Envoi en cours',
    paused: 'En pause',
    sent: 'Envoyée',
    cancelled: 'Annulée',
    failed: 'Illisible',
  },
  createTitle: 'Envoyer à une liste',
  createLead:
    'La première ligne de la liste nomme les colonnes : nom, rue, code postal, ville et pays, dans n’importe quel ordre.',
  listFile: 'Liste des destinataires',
  listHint: 'CSV ou XLSX de 100 000 lignes au plus, ou un ZIP de PDF avec un index CSV. 100 Mo au plus.',
  document: 'Document',
  documentHint: 'Un PDF commun à toutes les lettres. Rien à choisir pour un ZIP.',
  template: 'Modèle',
  templateHint:
    'Chaque ligne devient une lettre à part, et les colonnes remplissent les variables. Choisissez un document ou un modèle.',
  noTemplate: 'Aucun modèle',
  service: 'Service',
  printing: 'Impression',
  color: 'En couleur',
  check: 'Vérifier la liste',
  checkHint: 'Rien n’est encore envoyé ni payé.',
  validating: 'Nous lisons votre liste et vérifions chaque ligne. Cette page s’actualise d’elle-même.',
  checkedTo: (row) => `Vérifiée jusqu’à la ligne ${row}.`,
  failed: 'Cette liste est inutilisable',
  tryAgain: 'Charger une autre liste',
  readAs: 'Ce que nous avons lu',
  format: 'Format',
  formats: {
    xlsx: (sheet) => (sheet === '' ? 'XLSX' : `XLSX, feuille « ${sheet} »`),
    zipXlsx: 'ZIP, index en XLSX',
    csv: (encoding, separator) => `CSV en ${encoding}, séparé par des ${separator}`,
    zip: (encoding, separator) => `ZIP, index en ${encoding}, séparé par des ${separator}`,
  },
  separators: {
    ';': 'points-virgules',
    ',': 'virgules',
    '\t': 'tabulations',
    '|': 'barres verticales',
    '^': 'accents circonflexes',
  },
  rows: 'Lignes',
  valid: 'Sans erreur',
  faulty: 'Avec des erreurs',
  warned: 'Avec des avertissements',
  duplicates: 'Même lettre qu’une ligne précédente',
  duplicatesHint: 'Elles partent aussi. Retirez-les de la liste si c’est une erreur.',
  reading: {
    title: 'Lecture de la liste',
    lead: 'À modifier seulement si des noms ou des colonnes semblent faux. La liste est alors relue.',
    automatic: 'Détection automatique',
    encoding: 'Encodage',
    chooseTitle: 'Quelle lecture est la bonne ?',
    chooseLead:
      'Les lettres accentuées de cette liste peuvent se lire de plusieurs façons. Choisissez celle où tous les noms sont bien orthographiés.',
    separator: 'Séparateur',
    sheet: 'Feuille',
    hiddenSheet: (name) => `${name} (masquée)`,
    headerRow: 'Ligne d’en-tête',
    headerRowHint: 'Vide : détecter. 0 : la liste n’a pas d’en-tête.',
    hiddenRows: 'Lignes masquées',
    hiddenRowChoices: { send: 'Les envoyer aussi', skip: 'Les laisser de côté' },
    readAgain: 'Relire la liste',
    repair: 'Réparer les lettres accentuées',
    warnings: {
      other_sheets: (count) => `Le fichier a d’autres feuilles visibles (${count}), qui ne sont pas envoyées.`,
      hidden_rows: (count) =>
        `La feuille a des lignes masquées (${count}), par un filtre par exemple. Elles sont envoyées aussi.`,
      merged_cells: (count) =>
        `Certaines cellules sont fusionnées sur plusieurs lignes. Chacune de ces lignes est lue avec leur valeur (cellules : ${count}).`,
      title_rows: (count) => `Les lignes au-dessus de l’en-tête (${count}) ne sont pas envoyées.`,
      second_heading: () => 'La ligne sous l’en-tête nomme les colonnes une seconde fois et n’est pas envoyée.',
      no_heading: () =>
        'La liste n’a pas d’en-tête : sa première ligne est envoyée aussi, et les colonnes sont numérotées.',
      twice_encoded: (count) =>
        `Cellules avec des lettres comme « Ã© » (${count}) : la liste a été enregistrée dans le mauvais encodage et peut être réparée.`,
      assumed_country: (count) =>
        `Les lignes sans pays (${count}) sont envoyées en Belgique. Si c’est correct, choisissez la Belgique ci-dessous comme pays de ces lignes.`,
    },
  },
  columns: 'Colonnes',
  columnsLead:
    'Vérifiez que chaque partie de l’adresse a la bonne colonne. Si une colonne contient le code postal et la localité, choisissez-la pour les deux.',
  missing: (fields) => `Aucune colonne trouvée pour : ${fields}. Choisissez-en une.`,
  missingCountry: (choice) =>
    `Le pays des destinataires manque. Si la liste n’a pas de colonne pour le pays, choisissez-le sous « ${choice} ».`,
  noColumn: 'Aucune',
  asInAddress: 'Comme dans l’adresse',
  nextColumn: (field, position) => `${field}, partie ${position}`,
  between: (field) => `${field}, séparateur`,
  separatorNames: {
    ...{ ' ': 'Une espace', ', ': 'Une virgule', '': 'Rien', '-': 'Un trait d’union', ' - ': 'Un tiret' },
    ...{ '/': 'Une barre oblique', ' / ': 'Une barre oblique entre espaces' },
  },
  columnLike: (column, example) => `${column} (${example})`,
  unused: (columns) => `Ne figure sur aucune lettre : ${columns}.`,
  undecided: (columns) =>
    `Ces colonnes semblent faire partie de l’adresse, mais aucune lettre ne les utilise : ${columns}. Indiquez où chacune est imprimée, ou cochez-la comme inutile.`,
  notNeeded: 'Inutile',
  remembered: (date) =>
    `Le ${date}, vous avez choisi ces colonnes pour une liste avec les mêmes en-têtes. Elles sont proposées ci-dessous, mais pas encore utilisées. Vérifiez-les.`,
  fields: {
    name: 'Nom',
    company: 'Société',
    line1: 'Rue et numéro',
    box: 'Boîte ou appartement',
    line2: 'Deuxième ligne d’adresse',
    zip: 'Code postal',
    city: 'Ville',
    state: 'État ou province',
    country: 'Pays',
    reference: 'Votre référence',
    file: 'Nom du PDF',
  },
  defaultCountry: 'Pays des lignes sans pays',
  noDefaultCountry: 'Non choisi',
  checkAgain: 'Revérifier avec ces colonnes',
  faults: 'Lignes à corriger',
  faultsLead: (shown, all) =>
    `Lignes avec des erreurs : ${all}. Affichées ici : ${shown}. Téléchargez la liste avec toutes les erreurs, corrigez-la et chargez-la à nouveau.`,
  warnings: 'Lignes à vérifier',
  warningsLead: (shown, all) =>
    `Lignes avec des avertissements : ${all}. Affichées ici : ${shown}. Elles partent telles quelles ; corrigez la liste si ce n’est pas ce que vous voulez.`,
  downloadFaults: 'Télécharger la liste avec les erreurs (CSV)',
  row: 'Ligne',
  ofRow: 'Ligne entière',
  priceTitle: 'Prix',
  zone: 'Destination',
  pages: 'Pages',
  unit: 'Par lettre',
  sum: 'Somme',
  total: 'Total, TVA comprise',
  balance: 'Solde du portefeuille',
  balanceAfter: 'Solde après l’envoi',
  tooLow:
    'Le solde ne couvre pas toutes les lettres. L’envoi se met en pause quand le solde est épuisé ; vous le reprenez après une recharge.',
  send: (letters, price) => `Envoyer ${letters} pour ${price}`,
  sendSome: (letters, price) => `Envoyer les lignes sans erreur : ${letters} pour ${price}`,
  letterCount: { one: '# lettre', other: '# lettres' },
  progress: 'Avancement',
  progressOf: (sent, all) => `Lettres créées : ${sent} sur ${all}.`,
  spent: 'Payé jusqu’ici',
  refused: 'Refusées',
  cancelledLetters: 'Lettres annulées',
  notCancelled: 'Trop tard pour annuler',
  pauses: {
    REQUESTED: 'En pause. Les lettres déjà créées restent telles quelles.',
    INSUFFICIENT_FUNDS: 'Le solde ne couvre pas les lettres suivantes. Approvisionnez le portefeuille, puis reprenez.',
    PRICE_CHANGED: 'Le prix d’une lettre a changé depuis votre confirmation. Reprenez pour accepter le nouveau prix.',
    LIMIT_REACHED:
      'Les lettres dépasseraient l’espace de stockage de votre organisation. Reprenez quand les lettres précédentes sont imprimées.',
    CONSENT_ENDED:
      'L’accès de l’application qui envoyait ces lettres a pris fin. Reprenez pour envoyer le reste vous-même.',
  },
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  acceptPrice: 'Reprendre au nouveau prix',
  cancel: 'Annuler la liste',
  cancelTitle: 'Annuler cette liste ?',
  cancelLead:
    'Plus aucune lettre n’est créée. Les lettres qui ne sont pas encore à l’impression sont annulées et remboursées.',
  keep: 'La garder',
  downloadResults: 'Télécharger les résultats (CSV)',
  seeLetters: 'Voir les lettres',
  rowsRemoved:
    'Les lignes de cette liste ont été supprimées : 30 jours après l’envoi, ou à son annulation si elle n’avait pas été confirmée.',
  rowFaults: {
    missing: () => 'Vide, alors que chaque lettre en a besoin. Complétez la cellule.',
    too_long: (most) => `Trop long : ${most} caractères au plus. Raccourcissez le texte.`,
    control_characters: () =>
      'Contient des retours à la ligne, des tabulations ou des caractères invisibles. Mettez le tout sur une ligne.',
    formula: () => 'Contient une formule. Remplacez-la par sa valeur.',
    garbled: () => 'Enregistré dans le mauvais encodage. Enregistrez l’original en CSV (UTF-8).',
    unknown_country: () => 'Pays inconnu. Utilisez un code tel que BE.',
    not_national: () =>
      'Part à l’étranger, alors que cette liste est pour la Belgique. Retirez la ligne ou chargez la liste sans destination.',
    not_international: () =>
      'Part en Belgique, alors que cette liste est pour l’étranger. Retirez la ligne ou chargez la liste sans destination.',
    belgian_zip: () => 'Un code postal belge a quatre chiffres, de 1000 à 9999. Corrigez-le.',
    place_not_split: () =>
      'Le code postal et la localité sont dans une seule cellule et ne peuvent pas être séparés. Écrivez-les comme « 1000 Bruxelles », avec un seul code postal du pays de la ligne, ou dans deux colonnes.',
    lost_zero: (digits) =>
      `Il faut ${digits} chiffres, et les tableurs suppriment les zéros au début. Mettez la colonne au format texte et complétez le code.`,
    unusual_zip: (country) =>
      `${formatOf('fr').country(country)} : les codes postaux y ont une autre forme. Vérifiez le code et le pays.`,
    cell_error: () =>
      'Une erreur, ou une formule sans résultat enregistré. Ouvrez la liste dans votre tableur, corrigez la formule et enregistrez à nouveau.',
    scientific_notation: () =>
      'Abrégé en notation scientifique : des chiffres sont perdus. Mettez la colonne au format texte et saisissez à nouveau le nombre.',
    date_in_address: () =>
      "Votre tableur semble avoir transformé ce numéro en date, en heure ou en fraction. Mettez la colonne au format texte et saisissez-le à nouveau. S’il est juste, mettez une apostrophe devant : '3-avr.",
    null_word: () =>
      "Signifie « aucune valeur » : la cellule est lue comme vide. Videz-la ou saisissez la valeur. Si le mot est voulu, mettez une apostrophe devant : 'NULL.",
    decimals_removed: () =>
      "Imprimé sans décimales ni séparateurs de milliers. Vérifiez-le et mettez la colonne au format texte. Pour les garder, mettez une apostrophe devant : '10115.0.",
    decimal_sign: () =>
      "Imprimé avec le séparateur décimal de la langue du modèle. Vérifiez le montant. Si ce n’est pas un nombre, mettez une apostrophe devant : '4.2.",
    many_digits: () =>
      'Plus de 15 chiffres : les tableurs remplacent les suivants par des zéros. Comparez avec l’original et mettez la colonne au format texte.',
    sandbox_outcome: () =>
      'Ni une adresse, ni une issue connue d’une lettre de test. Écrivez une adresse ou une issue du guide « Sandbox ».',
    invisible: (characters) => `Le caractère ${characters} est invisible et ne peut pas être imprimé. Supprimez-le.`,
    unprintable: (characters) =>
      `Notre police n’a pas ces caractères : ${characters}. Écrivez-les en lettres latines, grecques ou cyrilliques.`,
    does_not_fit: () => 'L’adresse est trop longue pour la fenêtre de l’enveloppe. Raccourcissez ses lignes.',
    address_small: () =>
      'L’adresse est imprimée en petits caractères. Raccourcissez cette ligne ou réunissez-la avec la ligne précédente.',
    repeated_reference: (row) => `La ligne ${row} a la même référence. Donnez à chaque ligne la sienne.`,
    unknown_file: () => 'Le ZIP n’a pas de PDF de ce nom. Corrigez le nom, dossiers compris.',
    bad_document: () => 'Ce PDF ne peut pas être imprimé. Exportez-le à nouveau.',
    bad_variable: () =>
      'Le modèle n’accepte pas cette valeur : elle est vide, trop longue ou impossible à imprimer. Corrigez-la ; la liste avec les erreurs en dit plus.',
    same_letter: (row) => `Même lettre que la ligne ${row}. Les deux partent ; retirez-en une si c’est une erreur.`,
    refused: (problem) => `Refusée : ${problem}`,
  },
  tableFaults: {
    empty: () => 'La liste n’a aucune ligne sous son en-tête.',
    too_many_rows: () =>
      'La liste a plus de 100 000 lignes, lignes vides comprises. Supprimez les lignes vides ou divisez la liste.',
    too_many_columns: () => 'La liste a plus de 200 colonnes. Retirez celles qui ne servent à aucune lettre.',
    row_too_long: (line) =>
      `La ligne ${line} dépasse un million de caractères. Vérifiez que chaque guillemet est fermé.`,
    quote_not_closed: (line) => `Un guillemet est ouvert à la ligne ${line} et jamais fermé.`,
    nul_bytes: (line) => `La ligne ${line} contient des octets nuls. Enregistrez la liste en CSV (UTF-8) ou XLSX.`,
    mixed_encodings: (line) =>
      `La liste mélange UTF-8 et Windows-1252, voir la ligne ${line}. Enregistrez-la entièrement en CSV (UTF-8).`,
    not_a_table: () => 'Ce n’est pas un fichier CSV, XLSX ou ZIP.',
    old_excel: () => 'Ce fichier Excel est ancien ou protégé. Enregistrez-le en XLSX sans mot de passe.',
    ods: () => 'C’est un classeur OpenDocument (ODS). Enregistrez-le en XLSX ou CSV (UTF-8).',
    numbers: () => 'C’est un document Apple Numbers. Exportez-le en Excel (XLSX) ou CSV.',
    xlsb: () => 'C’est un classeur Excel binaire (XLSB). Enregistrez-le en XLSX.',
    html: () => 'C’est une page web (HTML) sous un autre nom. Ouvrez-la dans votre tableur et enregistrez-la en XLSX.',
    xml: () => 'C’est un fichier XML sous un autre nom. Ouvrez-le dans votre tableur et enregistrez-le en XLSX.',
    no_such_sheet: () => 'Le fichier n’a plus la feuille choisie. Chargez-le à nouveau.',
    damaged_xlsx: () => 'Le fichier XLSX est endommagé ou vide. Ouvrez-le et enregistrez-le à nouveau.',
    damaged_zip: () => 'Le ZIP est endommagé ou chiffré. Recréez-le sans mot de passe.',
    storage_full: () =>
      'Les documents du ZIP dépassent l’espace de stockage qui vous reste. Envoyez-en moins à la fois.',
    zip_path: () => 'Un chemin mène hors du ZIP. Recréez-le à partir d’un simple dossier.',
    zip_too_large: () =>
      'Une fois décompressé, le fichier dépasse 300 Mo ou 100 fois sa taille, ou contient plus de 2 000 documents. Divisez-le ou enregistrez-le à nouveau.',
    too_many_merged_cells: () =>
      'La feuille a plus de 500 000 cellules fusionnées sur plusieurs lignes. Annulez leur fusion ou divisez la liste.',
    zip_without_index: () => 'Le ZIP doit contenir exactement un fichier CSV ou XLSX : son index.',
    zip_document_too_large: () => 'Un document du ZIP dépasse 20 Mo.',
    too_hard: () => 'La liste n’a pas pu être lue à temps. Enregistrez-la en CSV ou divisez-la.',
  },
  failures: {
    FILE: 'La liste a été modifiée ou supprimée après son chargement. Chargez-la à nouveau.',
    DOCUMENT: 'Le document ne peut pas être imprimé. Vérifiez-le, puis chargez-le à nouveau.',
    INTERNAL: 'La liste n’a pas pu être lue. Enregistrez-la en CSV ou divisez-la.',
  },
};
