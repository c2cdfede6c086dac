import type { BulkField, BulkMapping } from '../model/bulk-fields.ts';

/** Names of columns without case, accents and punctuation, in en, fr, nl and de. */
const namesOf: Record<BulkField, readonly string[]> = {
  name: words(
    'name fullname recipient recipientname addressee contact contactname',
    'nom nomcomplet nometprenom prenometnom destinataire',
    'naam volledigenaam ontvanger bestemmeling geadresseerde contactpersoon',
    'namen vollername vorundnachname empfanger empfaenger kontakt',
    'company companyname societe entreprise raisonsociale organisation organization bedrijf bedrijfsnaam firma firmenname',
  ),
  line1: words(
    'line1 address address1 addressline1 street streetaddress streetandnumber',
    'rue ruenumero rueetnumero adresse adresse1 ligne1 voie',
    'straat straatennummer straatnummer adres adres1 adresregel1',
    'strasse strassehausnummer strasseundhausnummer strassenr anschrift adresszeile1',
  ),
  line2: words(
    'line2 address2 addressline2 apartment unit box floor careof',
    'complement complementadresse complementdadresse adresse2 ligne2 boite bte etage',
    'bus adres2 adresregel2 toevoeging verdieping',
    'adresszusatz zusatz adresszeile2 stockwerk',
  ),
  zip: words('zip zipcode postcode postalcode', 'codepostal cp npa', 'postnummer', 'plz postleitzahl'),
  city: words(
    'city town place',
    'ville localite commune',
    'stad plaats gemeente woonplaats',
    'ort stadt wohnort gemeinde',
  ),
  country: words('country countrycode', 'pays codepays', 'land landcode', 'landercode landerkennzeichen staat'),
  reference: words(
    'id reference ref externalid customerid customernumber number invoice invoicenumber member membernumber memberid',
    'numero numeroclient numerofacture numeromembre dossier',
    'referentie kenmerk klantnummer factuurnummer lidnummer dossiernummer',
    'referenz kundennummer rechnungsnummer aktenzeichen mitgliedsnummer',
  ),
  file: words(
    'file filename document pdf',
    'fichier nomfichier nomdufichier',
    'bestand bestandsnaam',
    'datei dateiname dokument',
  ),
};

/** Columns that make up a field together, in their order on a letter. */
const partsOf: { field: BulkField; parts: readonly (readonly string[])[] }[] = [
  {
    field: 'name',
    parts: [
      words('firstname givenname prenom voornaam vorname'),
      words('lastname surname familyname nom nomdefamille naam achternaam familienaam nachname name'),
    ],
  },
  {
    field: 'line1',
    parts: [
      words('street rue straat strasse address adresse adres'),
      words('number housenumber streetnumber numero nr no num huisnummer nummer hausnummer'),
    ],
  },
];

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(' '));
}

/** Returns a column name without case, accents, spaces and punctuation. */
export function foldColumnName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Guesses which columns are which fields from their names, and which are the variables of a template. The first column of
 * a kind counts. A field without a column is absent.
 */
export function guessMapping(header: readonly string[], variables: readonly string[] = []): BulkMapping {
  const folded = header.map(foldColumnName);
  const columnOf = (names: readonly string[], taken: readonly number[] = []) =>
    folded.findIndex((name, index) => name !== '' && names.includes(name) && !taken.includes(index));
  const fields: BulkMapping['fields'] = {};
  for (const { field, parts } of partsOf) {
    const columns: number[] = [];
    for (const names of parts) columns.push(columnOf(names, columns));
    if (columns.every((column) => column >= 0)) fields[field] = columns;
  }
  for (const [field, names] of Object.entries(namesOf) as [BulkField, readonly string[]][]) {
    const column = columnOf(names, Object.values(fields).flat());
    if (fields[field] === undefined && column >= 0) fields[field] = [column];
  }
  return {
    fields,
    variables: variables.flatMap((name) => {
      const column = columnOf([foldColumnName(name)]);
      return column < 0 ? [] : [{ name, column }];
    }),
  };
}
