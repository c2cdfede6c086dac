type RefusalOptions = {
  status?: 400 | 409 | 429;
  headers?: Record<string, string>;
  afterwards?: (() => Promise<void>) | null;
};

/** Thrown by an action that refuses a form. The page is shown again with the errors and the submitted values. */
export class FormRefusal extends Error {
  override readonly name = 'FormRefusal';
  /** Keys of `texts.form.errors` by field name. The empty name stands for the form as a whole. */
  readonly errors: Record<string, string>;
  readonly status: 400 | 409 | 429;
  readonly headers: Record<string, string>;
  /** Runs after the response is sent. */
  readonly afterwards: (() => Promise<void>) | null;

  constructor(errors: Record<string, string>, { status = 400, headers = {}, afterwards = null }: RefusalOptions = {}) {
    super('the form was refused');
    this.errors = errors;
    this.status = status;
    this.headers = headers;
    this.afterwards = afterwards;
  }
}
