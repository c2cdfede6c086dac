const maxTries = 100;

/**
 * Repeats a request while it is answered with 503: it has waited for others for 5 s or for its letter to be typeset for
 * 20 s, and stored nothing. For many requests at once about one row, and for letters of templates: both wait that long on
 * a busy machine.
 */
export async function untilAnswered<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    if (attempt === maxTries) throw new Error(`${maxTries} tries were answered with 503`);
  }
}
