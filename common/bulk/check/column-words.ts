/** What a column of a list can hold. Several roles can make up one field of a letter. */
export type ColumnRole = keyof typeof columnWords | 'extraLine';

/**
 * Headings by role, without case, accents, spaces and punctuation: in English, French, Dutch, German, Italian, Spanish and
 * Polish, and those of the exports of address books, shops and other postal services. Words around it such as `billing` or
 * `address` are dropped before a heading is looked up, and a number behind a street is a line of the address.
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
    'voorl voorletter init prenom1 nombre1 firstname first givenname forename christianname prenom voornaam voornamen roepnaam vorname nomedibattesimo imie',
    'voorletters initialen initials initiales',
  ),
  middleName: words('middlename middle additionalname deuxiemeprenom zweitername'),
  infix: words(
    'infix tussenvoegsel tussenvoegsels tussenv voorv voorvoegsel voorvoegsels particule nameprefixes namenszusatz',
  ),
  lastName: words(
    'nomusuel primerapellido apellido1 lastname last surname familyname nomdefamille achternaam familienaam geslachtsnaam nachname familienname cognome',
    'apellido apellidos nazwisko',
  ),
  suffix: words('suffix namesuffix achtervoegsel'),
  title: words(
    'title nametitle salutation courtesytitle nameprefix honorific civilite titre aanhef titel aanspreking aanspreektitel anrede',
    'titolo tratamiento tytul prefix',
  ),
  contact: words(
    'contact contactname contactperson contactpersoon kontaktperson persoon personne personnedecontact kontakt ansprechpartner',
    'ansprechperson referente contatto personadecontacto contacto osobakontaktowa',
  ),
  company: words(
    'company companyname companyorname organisation organization organisationname organizationname accountname businessname',
    'relatedcompany associatedcompany primaryassociatedcompany employer societe nomdelasociete nomsociete entreprise',
    'nomentreprise raisonsociale bedrijf bedrijfsnaam organisatie organisatienaam onderneming firma firmenname unternehmen',
    'firmenbezeichnung azienda ragionesociale ditta societa empresa razonsocial nazwafirmy naambedrijf firmanaam firm firmname',
    'legalname organization1name parentid parentidname vereniging benaming organisme enseigne denominazione denominacionsocial',
  ),
  careOf: words(
    'careof co attention attn tav terattentievan zhd alattentionde pa chez zuhanden zhdn presso',
    'attentionto aa ca allaca alaatencion atencion department departement organizationdepartment afdeling abteilung dzial',
  ),
  street: words(
    'street streetname streetaddress streetandnumber rue ruenumero rueetnumero voie nomdevoie libellevoie numeroetvoie',
    'straat straatnaam straatennummer straatnummer straatenhuisnummer strasse strassenname strassehausnummer',
    'strasseundhausnummer strassenr strassehnr strasseundnr via viaecivico indirizzovia calle calleynumero ulica ulicainumer',
  ),
  address: words(
    'primaryline address fulladdress postaladdress mailingaddress adresse adressepostale adres postadres anschrift postanschrift',
    'indirizzo direccion domicilio addressline addresslines adresregel adresszeile',
  ),
  number: words(
    'hsnr hn nrdomulokalu housenumber houseno housenr streetnumber streetno streetnr buildingnumber numerorue numerodevoie numvoie numerodemaison',
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
    'puerta pisopuerta nrlokalu numerlokalu nrmieszkania numermieszkania lokal lokalu mieszkanie app unitno ndeboite',
  ),
  poBox: words(
    'pobox postofficebox boitepostale bp postbus postbusnummer postfach casellapostale apartadodecorreos skrytka cs cedex',
  ),
  extra: words(
    'residentie verd fraz addressextra extendedaddress addresscomplement complement complementadresse complementdadresse complementdestinataire',
    'etage batiment residence lieudit floor building neighborhood neighbourhood locality2 dependentlocality verdieping gebouw',
    'adresszusatz zusatz adresserganzung stockwerk gebaude ortsteil scala piano frazione escalera bloque colonia',
    'deelgemeente wijk hameau village premises housename urbanizacion stadtteil',
  ),
  zip: words(
    'eircode pcode pc postc postalzip cpostal zip zipcode zippostalcode zippostcode postcode postalcode postalorzip postcodezip postnummer codepostal codepost cp npa',
    'postnr postcodenummer plz postleitzahl cap codiceavviamentopostale codigopostal codpostal kodpocztowy kod',
  ),
  city: words(
    'gem woonpl libellecommune city town place townofcity citytown posttown suburb locality ville localite commune municipalite stad plaats plaatsnaam gemeente',
    'woonplaats ort stadt wohnort gemeinde citta comune localita ciudad localidad poblacion municipio miasto miejscowosc poczta',
  ),
  state: words(
    'sigla state statecode stateid stateidname stateprovince provinceorstate stateregion stateorprovince province provincecode county region regioncode',
    'countystate administrativearea provincie regio departementcode bundesland kanton canton provincia prov regione estado',
    'comunidadautonoma wojewodztwo',
  ),
  country: words(
    'country paysregion landregion countrycode countryname countryid countryidname iso nation countryregion countryregioncode countryiso pays codepays land landcode landnaam',
    'landercode landerkennzeichen staat paese nazione stato pais codigopais kraj kodkraju',
  ),
  reference: words(
    'id reference ref externalid customerid customernumber customerno clientno clientnumber invoice invoicenumber invoiceno member membernumber',
    'memberid recordid orderid ordernumber numeroclient numerofacture numeromembre dossier referentie kenmerk klantnummer',
    'klantnr factuurnummer lidnummer dossiernummer referenz kundennummer kundennr rechnungsnummer aktenzeichen mitgliedsnummer',
    'riferimento codicecliente numerocliente referencia codigocliente numerklienta',
  ),
  file: words(
    'file filename document pdf fichier nomfichier nomdufichier bestand bestandsnaam datei dateiname dokument archivo plik',
  ),
} as const;

/** Words before or behind those of an address that a row may have several of. Each is a group of columns. */
const groups = words(
  'billing billto invoice shipping shipto delivery home business work other mailing company address1 address2 address3',
  'facturation livraison factuur facturatie lever levering aflever bezoek post rechnungs rechnung liefer lieferung versand',
  'correspondance correspondentie korrespondenz bureau domicile thuis geschaftlich privat',
);
/** Words that say nothing about which address is meant: before others, and on both sides. */
const neutralPrefixes = words('address to contact default primary adresse adres person addressee kunden');
const neutral = words(
  'recipient customer client klant eigenaar owner destination bestemming bestimmungs destino zustell woon iso',
);
/** What stands before a word behind others. */
const links = /(?<!co)(?:de|du|of|van|di|del)$/;

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
const byLength = (list: string[]) => list.sort((a, b) => b.length - a.length);
const prefixes = byLength([...groups, ...neutral, ...neutralPrefixes]);
const endings = byLength([...groups, ...neutral]);
const lineWords = words('line addr ligne lineadresse adreslijn zeile');
/** Longer headings are texts. */
const maxHeading = 60;
const maxStripped = 3;

/** Returns what a column holds, from its heading; null for a heading without a known meaning. */
export function kindOfColumn(heading: string): ColumnKind | null {
  if (heading.length > 2 * maxHeading) return null;
  const [one, two, ...others] = heading
    .split(/[/+,&]| (?:en|et|und|and|e|i|y) /i)
    .map((part) => findKind(foldColumnName(part)));
  const role = one && two && others.length === 0 ? roleOfBoth(one.role, two.role) : null;
  return one && role ? { ...one, role } : findKind(foldColumnName(heading));
}

function findKind(folded: string, group = '', stripped = 0): ColumnKind | null {
  const role = roleByWord.get(folded);
  // `Client No` is no number of a house.
  if (role !== undefined) return role === 'shortNumber' && stripped > 0 ? null : { role, group, line: 0 };
  if (folded.length > maxHeading || stripped > maxStripped) return null;
  const [, stem = '', digit] = /^(\p{L}+)(\d)$/u.exec(folded) ?? [];
  if (stem !== '') {
    const kind = lineWords.includes(stem) ? { role: 'address' as const, group } : findKind(stem, group, stripped);
    if (kind?.role === 'street' || kind?.role === 'address') {
      return { role: digit === '1' ? 'address' : 'extraLine', group: kind.group, line: Number(digit) };
    }
    if (kind?.role === 'extra' || (digit === '1' && (kind?.role === 'name' || kind?.role === 'company'))) {
      return { ...kind, line: 0 };
    }
  }
  const strip = (word: string, rest: string) =>
    rest === '' ? null : findKind(rest, groups.includes(word) ? group + word : group, stripped + 1);
  for (const word of prefixes) {
    const found = folded.startsWith(word) ? strip(word, folded.slice(word.length)) : null;
    if (found !== null) return found;
  }
  for (const word of endings) {
    const rest = folded.endsWith(word) ? folded.slice(0, -word.length) : '';
    const found = strip(word, rest) ?? (links.test(rest) ? strip(word, rest.replace(links, '')) : null);
    if (found !== null) return found;
  }
  return null;
}

const lines: readonly ColumnRole[] = ['street', 'address'];
const numbers: readonly ColumnRole[] = ['number', 'shortNumber', 'addition', 'box'];
const names: readonly ColumnRole[] = ['name', 'firstName', 'lastName'];

/** Returns the role of a column that holds both: `Straat/nr`, `Nom et prénom`, `Town/City`. */
function roleOfBoth(one: ColumnRole, two: ColumnRole): ColumnRole | null {
  const both = [one, two];
  if (one === two) return one;
  if (lines.includes(one) || lines.includes(two)) return both.some((each) => numbers.includes(each)) ? 'street' : null;
  if (both.every((each) => names.includes(each))) return 'fullName';
  return one === 'number' && numbers.includes(two) ? 'number' : null;
}

const unsaid = [...groups, ...neutral, ...neutralPrefixes];
const addressWords = Object.entries(columnWords)
  .filter(([role]) => role !== 'shortNumber' && isAddressRole(role as ColumnRole))
  .flatMap(([role, list]) => list.filter((word) => role === 'address' || !unsaid.includes(word)));
const plainHeading =
  /email|phone|^tel|gsm|mobil|fax|iban|birth|geboor|naissance|geburt|date|datum|remark|opmerk|remarque|bemerk|comment|kommentar|^not[ae]s?$|notiz|^taal|langue|language|sprache|gender|geslacht|^sexe|geschlecht|(?:job|organization1?)title|functie|^fonction|labels?$|^address\dtype$/;

/** Returns what a heading without a known meaning still says: that its column belongs to an address, or that it does not. */
export function hintOfHeading(heading: string): 'address' | 'other' | null {
  const short = heading.slice(0, 2 * maxHeading);
  if (plainHeading.test(foldColumnName(short))) return 'other';
  const found = short.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).map(foldColumnName);
  const isOfAddress = (word: string) =>
    addressWords.some((each) => (each.length > 3 ? word.startsWith(each) || word.endsWith(each) : word === each));
  return found.some(isOfAddress) ? 'address' : null;
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
