// Level: unit
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const scheme = envelopeSchemes['window-left'];
/** Two of the 100 addresses are measured in a turn, and the first two need none. */
const leastTurns = 49;

describe('a check of many addresses', () => {
  test('leaves the event loop free for other work', async () => {
    const words = 'Wa V. '.repeat(16);
    const long = { ...recipient, name: words, line1: words, line2: words };
    const turns = await countTurns(() => checkAddresses({ scheme, sender, recipients: Array(100).fill(long) }));
    expect(turns).toBeGreaterThanOrEqual(leastTurns);
  });

  test('is one turn of the event loop after another, also for many checks at once', async () => {
    const recipients = [
      { ...recipient, name: 'Wa V. '.repeat(16), line1: 'Wa V. '.repeat(16), line2: 'Wa V. '.repeat(16) },
    ];
    const check = async () => await checkAddresses({ scheme, sender, recipients });
    const turns = await countTurns(() => Promise.all(Array.from({ length: 100 }, check)));
    expect(turns).toBeGreaterThanOrEqual(leastTurns);
  });
});

/** Counts the turns of the event loop while work is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isWorking = true;
  const turn = () => {
    turns += 1;
    if (isWorking) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isWorking = false;
  return turns;
}

describe('an address that is too large for its window', () => {
  const found = async (change: Partial<typeof recipient>, of = scheme) => {
    const [problem] = await checkAddresses({ scheme: of, sender, recipients: [{ ...recipient, ...change }] });
    return problem && [problem.field, problem.isSmall, problem.problem];
  };
  const hard = (points: number, remedy: string) => `At ${points} points it is hard to read. ${remedy}`;
  const refused = (field: string) =>
    `It is too long for the window of the envelope, even at 7 points. Shorten ${field}.`;
  const wotton = { line1: 'Flat 1', line2: 'Mill Lane', zip: 'GL12 7AA', city: 'Wotton', country: 'GB' };

  test('is printed at 8 points if it can be wrapped, and is small below', async () => {
    expect(await found({ name: 'Wa V. '.repeat(10) })).toBeUndefined();
    expect(await found({ name: 'x'.repeat(66) })).toEqual(['name', true, hard(7.25, 'Shorten name.')]);
    expect(await found(wotton, envelopeSchemes.registered)).toEqual([
      'line2',
      true,
      hard(7, 'Write line1 and line2 on one line.'),
    ]);
  });

  test('is refused below 7 points, at its widest word, else at its widest line', async () => {
    expect(await found({ name: 'x'.repeat(75) })).toEqual(['name', false, refused('name')]);
    expect(await found({ name: 'Wa V. '.repeat(16), city: 'W'.repeat(40) })).toEqual(['city', false, refused('city')]);
    const lines = { name: 'Wa V. '.repeat(15), line1: 'Wa V. '.repeat(16), line2: 'Wa V. '.repeat(14) };
    expect(await found(lines, envelopeSchemes.registered)).toEqual(['line1', false, refused('line1')]);
  });

  test('names no character of it', async () => {
    const [problem] = await checkAddresses({ scheme, sender, recipients: [{ ...recipient, line1: 'x'.repeat(90) }] });
    expect(problem).not.toHaveProperty('characters');
  });
});

describe('an address with characters that cannot be printed', () => {
  const problemsOf = async (name: string) => {
    const problems = await checkAddresses({ scheme, sender, recipients: [{ ...recipient, name }] });
    return problems.map(({ problem }) => problem);
  };
  const known = 'Latin, Greek and Cyrillic letters are.';

  test('names up to five of them by code point, so that a name cannot be read from it', async () => {
    const five = "Its name has characters that are not in the printer's font: 丁 丙 丨 中 乙. ";
    expect(await problemsOf('中丨丁丙乙丁中')).toEqual([five + known]);
  });

  test('tells how many more there are', async () => {
    const six = "Its name has characters that are not in the printer's font: 一 丁 丂 七 丄 and 3 more. ";
    expect(await problemsOf('丆丅丄丂七丁一丁丅 😀 Wang')).toEqual([six + known]);
  });
});

describe('an address with several faults', () => {
  const problemsOf = async (changes: Partial<typeof recipient>, from: Partial<typeof sender> = {}) => {
    const recipients = [recipient, { ...recipient, ...changes }];
    const problems = await checkAddresses({ scheme, sender: { ...sender, ...from }, recipients });
    return problems.map(({ recipientIndex, field, characters, problem }) => [
      ...[recipientIndex, field],
      characters ?? /Shorten \w+/.exec(problem)?.[0],
    ]);
  };

  test('names each field with characters that cannot be printed, and those of the field alone', async () => {
    const changes = { name: '王', line1: 'Rue 東', line2: '京', zip: '千1000', city: 'Gent 王' };
    expect(await problemsOf(changes, { line1: '北', line2: '南', city: '東' })).toEqual([
      ...[
        [null, 'line1', '北'],
        [null, 'city', '東'],
      ],
      ...[
        [1, 'name', '王'],
        [1, 'line1', '東'],
        [1, 'line2', '京'],
        [1, 'zip', '千'],
        [1, 'city', '王'],
      ],
    ]);
  });

  test('names each field with a word that is too wide, also beside one with such characters', async () => {
    const [wide, fitting] = ['W'.repeat(40), 'x'.repeat(66)];
    expect(await problemsOf({ name: wide, line1: '王', line2: fitting, city: wide })).toEqual([
      [1, 'line1', '王'],
      [1, 'name', 'Shorten name'],
      [1, 'city', 'Shorten city'],
    ]);
    // A line that is only small is told when nothing keeps the address from being printed.
    expect(await problemsOf({ name: '王', line1: fitting })).toEqual([[1, 'name', '王']]);
    expect(await problemsOf({ name: fitting, line1: fitting })).toEqual([
      [1, 'name', 'Shorten name'],
      [1, 'line1', 'Shorten line1'],
    ]);
  });
});
