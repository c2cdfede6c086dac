/** Begins the failure of a test that hung. The runner finds it, and ends the process in which the test may go on. */
export const hangMessage = 'Hung: not over after';
