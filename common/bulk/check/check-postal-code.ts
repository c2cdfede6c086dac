import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

/** What posts write between the parts of a postal code. */
const separators = [' ', '-'];
/** As many zeros as a code can lose and still be one: 00040 in Rome. */
const maxLost = 4;
/** As people write it in front: D-1067. */
const countryLetters = /^[A-Z]{1,3}[- ](?=\d)/i;

/**
 * Returns how many digits the postal codes of a country have, if this one lacks some: spreadsheets drop zeros at the
 * beginning of a number. Null for a code that is whole, has letters, or is wrong in another way.
 */
export function findLostDigits(written: string, country: string): number | null {
  const zip = written.replace(countryLetters, '');
  if (!/^\d[\d -]*$/.test(zip) || !postcodeValidatorExistsForCountry(country)) return null;
  const digits = zip.replaceAll(/[ -]/g, '');
  if (isWhole(digits, country)) return null;
  for (let length = digits.length + 1; length <= digits.length + maxLost; length += 1) {
    // Also with a one, because a code that is too short is wrong also where none begins with zero.
    if (['0', '1'].some((digit) => isWhole(digits.padStart(length, digit), country))) return length;
  }
  return null;
}

/** Returns whether a country has such a postal code, in any case and with any separator; true for one without patterns. */
export function isPostalCodeOf(written: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true;
  const zip = written.toUpperCase();
  return [zip, zip.replace(countryLetters, '')].some(
    (each) => postcodeValidator(each, country) || isWhole(each.replaceAll(/[ -]/g, ''), country),
  );
}

/** Returns whether this is a postal code of the country, with a separator anywhere or without. */
function isWhole(digits: string, country: string): boolean {
  if (postcodeValidator(digits, country)) return true;
  return Array.from(digits, (_, at) => at).some((at) =>
    separators.some((separator) => postcodeValidator(digits.slice(0, at) + separator + digits.slice(at), country)),
  );
}
