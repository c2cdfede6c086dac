// Level: unit
import { countryCodes } from '#common/countries.ts';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { clean, maxAddressLines, toAddressLines, toCountryLine } from '#common/documents/addressing/address-lines.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** Country, street, postal code and city as a sender writes them, and the lines below the name. */
const table: [string, string, string, string, string][] = [
  ['BE', 'Avenue Louise 235', '1050', 'Bruxelles', 'Avenue Louise 235 | 1050 BRUXELLES'],
  ['BE', 'Kerkstraat 1', 'B-9000', 'Gent', 'Kerkstraat 1 | 9000 GENT'],
  ['NL', 'Prinsengracht 263', '1016gv', 'Amsterdam', 'Prinsengracht 263 | 1016 GV  AMSTERDAM | NETHERLANDS'],
  ['FR', '12 rue de la Paix', '75002', 'Paris', '12 rue de la Paix | 75002 PARIS | FRANCE'],
  ['DE', 'Karl-Marx-Str. 1', 'D-35390', 'Gießen', 'Karl-Marx-Str. 1 | 35390 GIESSEN | GERMANY'],
  ['LU', '5, rue du Marché', 'L-1234', 'Luxembourg', '5, rue du Marché | 1234 LUXEMBOURG | LUXEMBOURG'],
  ['CH', 'Bahnhofstrasse 7', 'CH-8001', 'Zürich', 'Bahnhofstrasse 7 | 8001 ZÜRICH | SWITZERLAND'],
  ['LI', 'Städtle 38', '9490', 'Vaduz', 'Städtle 38 | 9490 VADUZ | LIECHTENSTEIN'],
  ['AT', 'Stephansplatz 3/4', 'A-1010', 'Wien', 'Stephansplatz 3/4 | 1010 WIEN | AUSTRIA'],
  ['GB', '221b Baker Street', 'nw16xe', 'London', '221b Baker Street | LONDON | NW1 6XE | UNITED KINGDOM'],
  ['IE', '2 Grafton Street', 'D02 VF25', 'Dublin 2', '2 Grafton Street | DUBLIN 2 | D02 VF25 | IRELAND'],
  [
    'US',
    '1600 Pennsylvania Ave NW',
    '20500',
    'Washington DC',
    '1600 Pennsylvania Ave NW | WASHINGTON DC 20500 | UNITED STATES OF AMERICA',
  ],
  ['CA', '24 Sussex Drive', 'k1m1m4', 'Ottawa ON', '24 Sussex Drive | OTTAWA ON  K1M 1M4 | CANADA'],
  ['AU', '200 George St', '2000', 'Sydney NSW', '200 George St | SYDNEY NSW 2000 | AUSTRALIA'],
  ['NZ', '1 Queen Street', '1010', 'Auckland', '1 Queen Street | AUCKLAND 1010 | NEW ZEALAND'],
  ['ES', 'Calle Mayor 5, 2º B', '28013', 'Madrid', 'Calle Mayor 5, 2º B | 28013 MADRID | SPAIN'],
  ['PT', 'Rua Augusta 24', '1100048', 'Lisboa', 'Rua Augusta 24 | 1100-048 LISBOA | PORTUGAL'],
  ['IT', 'Via del Corso 10', '00186', 'Roma RM', 'Via del Corso 10 | 00186 ROMA RM | ITALY'],
  ['SE', 'Drottninggatan 5', '11151', 'Stockholm', 'Drottninggatan 5 | 111 51 STOCKHOLM | SWEDEN'],
  ['NO', 'Karl Johans gate 1', '0154', 'Oslo', 'Karl Johans gate 1 | 0154 OSLO | NORWAY'],
  ['DK', 'Strøget 2, 3. tv.', 'DK-1000', 'København K', 'Strøget 2, 3. tv. | 1000 KØBENHAVN K | DENMARK'],
  ['FI', 'Mannerheimintie 1', 'FI-00100', 'Helsinki', 'Mannerheimintie 1 | 00100 HELSINKI | FINLAND'],
  ['IS', 'Laugavegur 1', '101', 'Reykjavík', 'Laugavegur 1 | 101 REYKJAVÍK | ICELAND'],
  ['PL', 'ul. Piotrkowska 1', '90406', 'Łódź', 'ul. Piotrkowska 1 | 90-406 ŁÓDŹ | POLAND'],
  ['CZ', 'Václavské nám. 1', '11000', 'Praha 1', 'Václavské nám. 1 | 110 00 PRAHA 1 | CZECH REPUBLIC'],
  ['SK', 'Hlavná 1', '811 01', 'Bratislava', 'Hlavná 1 | 811 01 BRATISLAVA | SLOVAKIA'],
  ['HU', 'Kossuth tér 1', '1055', 'Budapest', 'BUDAPEST | Kossuth tér 1 | 1055 | HUNGARY'],
  ['SI', 'Čopova 1', 'SI-1000', 'Ljubljana', 'Čopova 1 | 1000 LJUBLJANA | SLOVENIA'],
  ['HR', 'Ilica 1', '10000', 'Zagreb', 'Ilica 1 | 10000 ZAGREB | CROATIA'],
  ['RO', 'Calea Victoriei 1', '010061', 'București', 'Calea Victoriei 1 | 010061 BUCUREȘTI | ROMANIA'],
  ['BG', 'бул. Витоша 1', '1000', 'София', 'бул. Витоша 1 | 1000 СОФИЯ | BULGARIA'],
  ['GR', 'Ερμού 1', '10563', 'Αθήνα', 'Ερμού 1 | 105 63 ΑΘΗΝΑ | GREECE'],
  ['TR', 'İstiklal Cd. 1', '34430', 'Beyoğlu/İstanbul', 'İstiklal Cd. 1 | 34430 BEYOĞLU/İSTANBUL | TÜRKIYE'],
  ['LT', 'Gedimino pr. 1', '01103', 'Vilnius', 'Gedimino pr. 1 | LT-01103 VILNIUS | LITHUANIA'],
  ['LV', 'Brīvības iela 1', 'LV-1010', 'Rīga', 'Brīvības iela 1 | RĪGA, LV-1010 | LATVIA'],
  ['AZ', 'Nizami 1', 'AZ1000', 'Baku', 'Nizami 1 | AZ 1000 BAKU | AZERBAIJAN'],
  ['BB', 'Bay St', 'BB11000', 'Bridgetown', 'Bay St | BRIDGETOWN BB11000 | BARBADOS'],
  ['EE', 'Viru 1', '10140', 'Tallinn', 'Viru 1 | 10140 TALLINN | ESTONIA'],
  ['UA', 'вул. Хрещатик, 22', '01001', 'Київ', 'вул. Хрещатик, 22 | КИЇВ | 01001 | UKRAINE'],
  ['JP', '1-1 Chiyoda', '1000001', 'Chiyoda-ku, Tokyo', '1-1 Chiyoda | CHIYODA-KU, TOKYO 100-0001 | JAPAN'],
  ['BR', 'Av. Paulista 1000', '01310100', 'São Paulo-SP', 'Av. Paulista 1000 | SÃO PAULO-SP | 01310-100 | BRAZIL'],
  ['AE', 'PO Box 500', '00000', 'Dubai', 'PO Box 500 | DUBAI | UNITED ARAB EMIRATES'],
  ['SG', '10 Eunos Road 8', '408600', 'Singapore', '10 Eunos Road 8 | SINGAPORE 408600 | SINGAPORE'],
  ['HK', '2 Queen’s Road Central', '-', 'Hong Kong', '2 Queen’s Road Central | HONG KONG | HONG KONG'],
];

describe('the lines of an address follow the custom of its country', () => {
  test.each(table)('%s: %s, %s %s', (country, line1, zip, city, expected) => {
    const lines = toAddressLines({ name: 'Name', line1, line2: null, zip, city, country });
    expect(lines.join(' | ')).toBe(`Name | ${expected}`);
  });

  test('the second line of the street follows the first', () => {
    const address = {
      name: 'N',
      line1: 'Flat 2',
      line2: '1 Mill Lane',
      zip: 'TA14 6QE',
      city: 'Yeovil',
      country: 'GB',
    };
    expect(toAddressLines(address)).toEqual(['N', 'Flat 2', '1 Mill Lane', 'YEOVIL', 'TA14 6QE', 'UNITED KINGDOM']);
  });

  test.each(countryCodes)(
    'an address in %s loses nothing, and ends with a country that can be printed',
    async (country) => {
      const address = { name: 'Name', line1: 'Street 1', line2: 'Floor 2', zip: '12345', city: 'Ghent', country };
      const lines = toAddressLines(address);
      expect(lines.length).toBeLessThanOrEqual(maxAddressLines);
      expect(lines[0]).toBe('Name');
      expect(lines.indexOf('Floor 2')).toBe(lines.indexOf('Street 1') + 1);
      expect(lines.join('').replaceAll(/[ -]/g, '')).toContain('12345');
      expect(lines.filter((line) => line.includes('GHENT'))).toHaveLength(1);
      expect(lines.at(-1)).toBe(country === 'BE' ? '12345 GHENT' : toCountryLine(country));
      expect((await loadAddressFont()).findUnprintable(lines.join(''))).toEqual([]);
    },
  );

  test('text is composed and cleaned of what is not shown', () => {
    expect(clean(' Rene\u0301\u00a0\u200bE\u0301\tx\u0000\u202ey\ufe0f ')).toBe('René É x y');
  });
});
