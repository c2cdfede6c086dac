// Level: ci
import iconv from 'iconv-lite';
import { rankEncodings } from '#common/bulk/file/encoding/rank-encodings.ts';
import { repairTwiceEncoded } from '#common/bulk/file/encoding/twice-encoded.ts';
import { bulkFileReader } from '#test/support/bulk/read-bulk-file.ts';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';

const unicode = ['utf-8', 'utf-16le', 'utf-16be'];
const western = ['windows-1252', 'macintosh', 'cp850', 'cp437'];
const central = ['windows-1250', 'cp852', 'iso-8859-2'];

/** Rows of lists, and the encodings in which people have them. */
const lists: [string, string[], readonly string[]][] = [
  [
    'French',
    ['Hélène Müller;Rue Haute 3;1000;Liège;BE', 'SOCIÉTÉ;Allée 4;1000;Bruxelles;BE'],
    [...unicode, ...western],
  ],
  ['without a country', ['José;Rue 3;1000;Gent', 'Loïc;Rue 3;1000;Gent'], western],
  ['German', ['Jörg Größe;Königstraße 1;10115;Köln;DE', 'Käthe;Ärzteweg 3;10115;München;Deutschland'], western],
  ['Danish', ['Søren Bæk;Nørregade 3;1165;Ålborg;DK', 'Åse;Østergade 3;1165;Århus;Denmark'], ['windows-1252', 'cp850']],
  ['Polish', ['Żółta Sp.;ul. Żółwia 5;00-950;Łódź;PL'], [...unicode, ...central]],
  ['Czech', ['Jiří Dvořák;Pražská 5;110 00;Plzeň;CZ', 'Žofie;Na Příkopě 3;110 00;Děčín;CZ'], central],
  ['Hungarian', ['Szabó Gergő;Petőfi út 3;1011;Győr;HU', 'Űry;Erdősor 1;1011;Pécs;HU'], central],
  [
    'Russian',
    ['Иван Петров;улица Ленина 5;101000;Москва', 'Елена;Невский 3;101000;Тула'],
    ['utf-16le', 'windows-1251'],
  ],
  ['Greek', ['Γιώργος;Ερμού 5;10563;Αθήνα', 'Ελένη;Οδός 3;10563;Πάτρα'], ['utf-16be', 'windows-1253']],
  ['Turkish', ['Ayşe Çelik;İstiklal Caddesi 3;34000;İstanbul;TR', 'Şahin;Kızılay 4;6000;Ankara;TR'], ['windows-1254']],
];

describe('the encoding of a list', () => {
  const { read, faultOf } = bulkFileReader(useTempFolders());
  const cellsOf = async (bytes: Uint8Array, reading = {}) =>
    (await read(bytes, reading)).rows.map(({ cells }) => cells.join(';'));

  test.each(lists)(
    'a %s list is read as it was written, whatever its encoding and separator',
    async (_, rows, known) => {
      for (const [index, encoding] of known.entries()) {
        const separator = [';', ',', '\t', '|', '^'][index % 5] ?? ';';
        const text = ['Name;Street;Postcode;City;Country', ...rows, ''].join('\r\n').replaceAll(';', separator);
        expect([encoding, await cellsOf(iconv.encode(text, encoding))]).toEqual([encoding, rows]);
      }
    },
  );

  test('a list that can be read in two ways offers both, with cells that tell them apart', async () => {
    const list = iconv.encode('Name;City\nŘehoř;Gent\nJosé;Gent\n', 'windows-1250');
    const { format } = await read(list);
    const [western, central] = [
      { encoding: 'windows-1252', cells: ['Øehoø'] },
      { encoding: 'windows-1250', cells: ['Řehoř'] },
    ];
    expect(format.likely).toEqual([western, central]);
    const chosen = await read(list, { encoding: 'windows-1250' });
    expect([chosen.format.likely, chosen.rows[0]?.cells]).toEqual([undefined, ['Řehoř', 'Gent']]);
    // The country of the row decides.
    const named = iconv.encode('Name;City;Country\nŘehoř;Praha;CZ\n', 'windows-1250');
    expect(rankEncodings(named).map(({ encoding }) => encoding)).toEqual(['windows-1250']);
    const [long] = rankEncodings(iconv.encode(`Ř${'e'.repeat(200)}hoř`, 'windows-1250'));
    expect(long?.cells.map(({ length }) => length)).toEqual([80]);
  });

  test.each([
    ['koi8-r', 'Иван Петров;RU'],
    ['cp866', 'Иван Петров;RU'],
    ['iso-8859-7', 'Άννα;GR'],
    ['windows-1257', 'Žemaitė ąžuolų;LT'],
  ])('%s, which is not guessed, is never decided without a question, and can be chosen', async (encoding, row) => {
    const list = iconv.encode(`Name;Country\n${row}\nJan;BE\n`, encoding);
    const found = await read(list).then(
      ({ format }) => format.likely?.length ?? 0,
      ({ fault }) => fault,
    );
    expect(['mixed_encodings', 2, 3]).toContain(found);
    expect(await cellsOf(list, { encoding })).toEqual([row, 'Jan;BE']);
  });

  test('what is not text stays a fault, and a chosen encoding is obeyed', async () => {
    expect(await faultOf(Buffer.from('a;b\n1;\u0000\n'), { encoding: 'utf-8' })).toEqual(['nul_bytes', null]);
    expect(await cellsOf(Buffer.from('a;b\nñ;1\n'), { encoding: 'cp437' })).toEqual(['├▒;1']);
  });
});

describe('text that was encoded twice', () => {
  const letters = Array.from({ length: 0x17f - 0xa0 }, (_, index) => String.fromCharCode(0xa1 + index));
  const twice = (text: string, encoding: string) => {
    const read = (byte: number) =>
      iconv.decode(Buffer.from([byte]), encoding).replace('\ufffd', String.fromCharCode(byte));
    return [...Buffer.from(text)].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : read(byte))).join('');
  };

  test.each(['iso-8859-1', 'windows-1252', 'windows-1250', 'macintosh', 'cp850', 'cp437'])(
    'every letter read as %s is repaired, whatever its second byte',
    (encoding) => {
      // Two bytes of code page 437 are the signs of others in 850.
      const isRead = (letter: string) => encoding !== 'cp437' || ![0x9b, 0x9d].includes(Buffer.from(letter)[1] ?? 0);
      const known = letters.filter(isRead);
      const repaired = known.map((letter) => repairTwiceEncoded(`x${twice(letter, encoding)}y`));
      expect(repaired).toEqual(known.map((letter) => `x${letter}y`));
      expect(repairTwiceEncoded(twice('Liège, l’Église à 5 €', encoding))).toBe('Liège, l’Église à 5 €');
    },
  );

  test('an à whose second half became a space is repaired, and other words are left alone', () => {
    expect(repairTwiceEncoded('voilÃ Ã la carte')).toBe('voilà à la carte');
    expect(repairTwiceEncoded(twice(twice('l’Église', 'windows-1252'), 'windows-1252'))).toBe('l’Église');
    const good = [
      'Ελένη',
      'Иван Петров',
      'Żółta Łódź',
      '„Gruß“',
      '«ÉCOLE»',
      'IRMÃ DE',
      'Þór Ægisson',
      'N° 12 – É',
      'ÅÄÖ',
      '王',
    ];
    for (const text of [...good, ...lists.flatMap(([, rows]) => rows)]) expect(repairTwiceEncoded(text)).toBe(text);
  });
});
