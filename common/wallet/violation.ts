/** Something about the money that cannot be true, named so that a person can look at it. Nothing mends it by itself. */
export type Violation = {
  subject: 'wallet' | 'mail job';
  id: string;
  /** What should hold. */
  rule: string;
  expected: number;
  found: number;
};
