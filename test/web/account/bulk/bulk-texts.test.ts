// Level: unit
import { bulk as german } from '#api/web/account/bulk/texts.de.ts';
import { bulk as english } from '#api/web/account/bulk/texts.en.ts';
import { bulk as french } from '#api/web/account/bulk/texts.fr.ts';
import { bulk as dutch } from '#api/web/account/bulk/texts.nl.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the warning of a postal code that its country does not have', () => {
  test.each([
    ['English', english, ['United Kingdom', 'Netherlands', 'United States']],
    ['French', french, ['Royaume-Uni', 'Pays-Bas', 'États-Unis']],
    ['Dutch', dutch, ['Verenigd Koninkrijk', 'Nederland', 'Verenigde Staten']],
    ['German', german, ['Vereinigtes Königreich', 'Niederlande', 'Vereinigte Staaten']],
  ])('begins with the name of the country, in %s', (_, { rowFaults }, names) => {
    const shown = ['GB', 'NL', 'US'].map((country) => rowFaults.unusual_zip(country));
    // Behind a preposition, most names need an article: de la France, du Royaume-Uni, of the Netherlands.
    expect(shown.map((text) => text.replace(/ ?:.*/, ''))).toEqual(names);
  });
});
