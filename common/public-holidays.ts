/** The public holidays on a fixed date, as `mm-dd`. */
const fixedHolidays = {
  '01-01': "New Year's Day",
  '05-01': 'Labour Day',
  '07-21': 'National Holiday',
  '08-15': 'Assumption',
  '11-01': "All Saints' Day",
  '11-11': 'Armistice Day',
  '12-25': 'Christmas Day',
};

/** The public holidays that move, by days after Easter Sunday. */
const movingHolidays = { 1: 'Easter Monday', 39: 'Ascension Day', 50: 'Whit Monday' };

const holidaysByYear = new Map<number, ReadonlyMap<string, string>>();

/**
 * Returns the ten Belgian public holidays of a year: English names by ISO date. They are those of the royal decree of
 * 18 April 1974, article 1, without the days of a community or region. Two on one date (Ascension Day on 1 May 2008)
 * have the name of one of them. A library with the holidays of the world costs each process 30 MB of memory.
 */
export function publicHolidays(year: number): ReadonlyMap<string, string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const easter = easterSunday(year);
  const days = new Map([
    ...Object.entries(fixedHolidays).map(([day, name]) => [`${year}-${day}`, name] as const),
    ...Object.entries(movingHolidays).map(
      ([days, name]) => [easter.add({ days: Number(days) }).toString(), name] as const,
    ),
  ]);
  holidaysByYear.set(year, days);

  return days;
}

/** Returns Easter Sunday by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): Temporal.PlainDate {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return Temporal.PlainDate.from({ year, month, day });
}
