const weights = [8, 6, 4, 2, 3, 5, 9, 7];

/** Returns the check digit of a serial number of eight digits (UPU standard S10, modulus 11 with weights). */
export function checkDigitOf(serial: string): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(serial[index]), 0);
  const digit = 11 - (sum % 11);
  if (digit === 10) return 0;
  return digit === 11 ? 5 : digit;
}

/** The highest serial number of UPU standard S10. */
export const maxSerial = 99_999_999;

/** Returns a serial number as it is printed: eight digits. */
export function formatSerial(serial: number): string {
  return String(serial).padStart(8, '0');
}

/** Returns the number of UPU standard S10 with this serial number, 0 to 99,999,999, as in RR473124829BE. */
export function formatS10({ indicator, country }: { indicator: string; country: string }, serial: number): string {
  const digits = formatSerial(serial);
  return `${indicator}${digits}${checkDigitOf(digits)}${country}`;
}
