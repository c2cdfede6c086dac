/** What a column of a list can hold. Several roles can make up one field of a letter. */
export type ColumnRole = keyof typeof columnWords | 'extraLine';

/**
 * Headings by role, without case, accents, spaces and punctuation: in English, French, Dutch, German, Italian, Spanish and
 * Polish, and those of the exports of address books, shops and other postal services. A prefix such as `billing` or
 * `address` is dropped before a heading is looked up, and a number behind a street is a line of the address.
 */
export const columnWords = {
  fullName: words(
    'fullname recipient recipientname addressee displayname attentionname nomcomplet nometprenom nomprenom prenometnom',
    'prenomnom destinataire volledigenaam ontvanger bestemmeling geadresseerde vollername vorundnachname empfanger',
    'empfaenger empfangername namevorname destinatario nomecognome nomeecognome nomecompleto nombrecompleto',
    'nombreyapellidos imieinazwisko nazwiskoimie odbiorca adresat',
  ),
  name: words('name nom naam namen nome nombre nazwa customer client klant kunde cliente klient'),
  firstName: words(
    'firstname first givenname forename christianname prenom voornaam voornamen roepnaam vorname nomedibattesimo imie',
    'voorletters initialen initials initiales',
  ),
  middleName: words('middlename middle additionalname deuxiemeprenom zweitername'),
  infix: words('infix tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels particule nameprefixes namenszusatz'),
  lastName: words(
    'lastname last surname familyname nomdefamille achternaam familienaam geslachtsnaam nachname familienname cognome',
    'apellido apellidos nazwisko',
  ),
  suffix: words('suffix namesuffix achtervoegsel'),
  title: words(
    'title nametitle salutation courtesytitle nameprefix honorific civilite titre aanhef titel aanspreking aanspreektitel anrede',
    'titolo tratamiento tytul',
  ),
  contact: words(
    'contact contactname contactperson contactpersoon persoon personne personnedecontact kontakt ansprechpartner',
    'ansprechperson referente contatto personadecontacto contacto osobakontaktowa',
  ),
  company: words(
    'company companyname companyorname organisation organization organisationname organizationname accountname businessname',
    'relatedcompany associatedcompany primaryassociatedcompany employer societe nomdelasociete nomsociete entreprise',
    'nomentreprise raisonsociale bedrijf bedrijfsnaam organisatie organisatienaam onderneming firma firmenname unternehmen',
    'firmenbezeichnung azienda ragionesociale ditta societa empresa razonsocial nazwafirmy',
  ),
  careOf: words(
    'careof co attention attn tav terattentievan zhd alattentionde pa chez zuhanden zhdn presso',
    'alaatencion atencion department departement organizationdepartment afdeling abteilung dzial',
  ),
  street: words(
    'street streetname streetaddress streetandnumber rue ruenumero rueetnumero voie nomdevoie libellevoie numeroetvoie',
    'straat straatnaam straatennummer straatnummer straatenhuisnummer strasse strassenname strassehausnummer',
    'strasseundhausnummer strassenr strassehnr strasseundnr via viaecivico indirizzovia calle calleynumero ulica ulicainumer',
  ),
  address: words(
    'address fulladdress postaladdress mailingaddress adresse adressepostale adres postadres anschrift postanschrift',
    'indirizzo direccion domicilio addressline addresslines adresregel adresszeile',
  ),
  number: words(
    'housenumber houseno housenr streetnumber streetno streetnr buildingnumber numerorue numerodevoie numvoie numerodemaison',
    'numerovoie huisnummer huisnr straatnr hausnummer hausnr hnr numerocivico civico ncivico nrdomu numerdomu',
    'numerbudynku numerodecalle numeroexterior',
  ),
  shortNumber: words('number numero no nr num n nummer numer civ'),
  addition: words(
    'addition numberaddition housenumberaddition toevoeging huisnummertoevoeging huisletter huisnrtoevoeging toev bis',
    'indicederepetition hausnummerzusatz hausnrzusatz zusatznummer',
  ),
  box: words(
    'box boxnumber boxno apartment apartmentnumber apt aptnumber aptno unit unitnumber suite flat flatnumber boite bte',
    'numeroboite numerodeboite boiteno appartement appt bus busnummer busnr wohnung wohnungsnummer whg top interno piso',
    'puerta pisopuerta nrlokalu numerlokalu nrmieszkania numermieszkania lokal mieszkanie',
  ),
  poBox: words(
    'pobox postofficebox boitepostale bp postbus postbusnummer postfach casellapostale apartadodecorreos skrytka',
  ),
  extra: words(
    'addressextra extendedaddress addresscomplement complement complementadresse complementdadresse complementdestinataire',
    'etage batiment residence lieudit floor building neighborhood neighbourhood locality2 dependentlocality verdieping gebouw',
    'adresszusatz zusatz adresserganzung stockwerk gebaude ortsteil scala piano frazione escalera bloque colonia',
    'deelgemeente wijk hameau',
  ),
  zip: words(
    'zip zipcode zippostalcode zippostcode postcode postalcode postalorzip postcodezip postnummer codepostal codepost cp npa',
    'postcodenummer plz postleitzahl cap codiceavviamentopostale codigopostal codpostal kodpocztowy kod',
  ),
  city: words(
    'city town place townofcity citytown posttown suburb ville localite commune municipalite stad plaats plaatsnaam gemeente',
    'woonplaats ort stadt wohnort gemeinde citta comune localita ciudad localidad poblacion municipio miasto miejscowosc poczta',
  ),
  state: words(
    'state statecode stateprovince provinceorstate stateregion stateorprovince province provincecode county region regioncode',
    'countystate administrativearea provincie regio departementcode bundesland kanton canton provincia prov regione estado',
    'comunidadautonoma wojewodztwo',
  ),
  country: words(
    'country countrycode countryname countryregion countryregioncode countryiso pays codepays land landcode landnaam',
    'landercode landerkennzeichen staat paese nazione stato pais codigopais kraj kodkraju',
  ),
  reference: words(
    'id reference ref externalid customerid customernumber customerno invoice invoicenumber invoiceno member membernumber',
    'memberid recordid orderid ordernumber numeroclient numerofacture numeromembre dossier referentie kenmerk klantnummer',
    'klantnr factuurnummer lidnummer dossiernummer referenz kundennummer kundennr rechnungsnummer aktenzeichen mitgliedsnummer',
    'riferimento codicecliente numerocliente referencia codigocliente numerklienta',
  ),
  file: words(
    'file filename document pdf fichier nomfichier nomdufichier bestand bestandsnaam datei dateiname dokument archivo plik',
  ),
} as const;

/** Prefixes of addresses that a row may have several of. Each is a group of columns. */
const groups = words(
  'billing billto invoice shipping shipto delivery home business work other mailing company address1 address2 address3',
  'facturation livraison factuur facturatie lever levering aflever bezoek post rechnungs rechnung liefer lieferung versand',
);
/** Prefixes that say nothing about which address is meant. */
const neutral = words(
  'address to recipient customer contact default primary client adresse adres person addressee klant kunden',
);

/** Roles that are no part of an address. */
const others: readonly ColumnRole[] = ['reference', 'file'];

export type ColumnKind = {
  role: ColumnRole;
  /** The address that the column belongs to; empty for the only one. */
  group: string;
  /** Of a line of the address, from 1; otherwise 0. */
  line: number;
};

const roleByWord = new Map(
  Object.entries(columnWords).flatMap(([role, list]) => list.map((word) => [word, role as ColumnRole] as const)),
);
const prefixes = [...groups, ...neutral].sort((a, b) => b.length - a.length);
const lineStems = [
  ...columnWords.street,
  ...columnWords.address,
  ...columnWords.extra,
  ...words('line addr ligne lineadresse adreslijn zeile'),
];

/** Returns what a column holds, from its heading; null for a heading without a known meaning. */
export function kindOfColumn(heading: string): ColumnKind | null {
  return findKind(foldColumnName(heading), '');
}

function findKind(folded: string, group: string): ColumnKind | null {
  const role = roleByWord.get(folded);
  if (role !== undefined) return { role, group, line: 0 };
  const [, stem = '', digit] = /^(\p{L}+)(\d)$/u.exec(folded) ?? [];
  if (lineStems.includes(stem)) return { role: digit === '1' ? 'address' : 'extraLine', group, line: Number(digit) };
  for (const prefix of prefixes) {
    if (!folded.startsWith(prefix) || folded.length === prefix.length) continue;
    const found = findKind(folded.slice(prefix.length), groups.includes(prefix) ? group + prefix : group);
    if (found !== null) return found;
  }
  return null;
}

/** Returns whether a role is a part of an address. */
export function isAddressRole(role: ColumnRole): boolean {
  return !others.includes(role);
}

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(' '));
}

/** Returns a column name without case, accents, spaces and punctuation. */
export function foldColumnName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
