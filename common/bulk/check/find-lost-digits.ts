import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

/** What posts write between the parts of a postal code. */
const separators = [' ', '-'];
/** As many zeros as a code can lose and still be one: 00040 in Rome. */
const maxLost = 4;

/**
 * Returns how many digits the postal codes of a country have, if this one lacks some: spreadsheets drop zeros at the
 * beginning of a number. Null for a code that is whole, has letters, or is wrong in another way.
 */
export function findLostDigits(written: string, country: string): number | null {
  // As people write it in front: D-1067.
  const zip = written.replace(/^[A-Z]{1,3}[- ](?=\d)/i, '');
  if (!/^\d[\d -]*$/.test(zip) || !postcodeValidatorExistsForCountry(country)) return null;
  const digits = zip.replaceAll(/[ -]/g, '');
  if (isWhole(digits, country)) return null;
  for (let length = digits.length + 1; length <= digits.length + maxLost; length += 1) {
    // Also with a one, because a code that is too short is wrong also where none begins with zero.
    if (['0', '1'].some((digit) => isWhole(digits.padStart(length, digit), country))) return length;
  }
  return null;
}

/** Returns whether these digits are a postal code of the country, with a separator anywhere or without. */
function isWhole(digits: string, country: string): boolean {
  if (postcodeValidator(digits, country)) return true;
  return Array.from(digits, (_, at) => at).some((at) =>
    separators.some((separator) => postcodeValidator(digits.slice(0, at) + separator + digits.slice(at), country)),
  );
}
