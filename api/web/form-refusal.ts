/** Thrown by an action whose form cannot be taken: its page is shown again, with what is wrong and what was typed. */
export class FormRefusal extends Error {
  override readonly name = 'FormRefusal';
  /** By the name of the field, or under the empty name for the whole: a word of `texts.form.errors`. */
  readonly errors: Record<string, string>;
  readonly status: 400 | 409 | 429;
  readonly headers: Record<string, string>;

  constructor(
    errors: Record<string, string>,
    { status = 400, headers = {} }: { status?: 400 | 409 | 429; headers?: Record<string, string> } = {},
  ) {
    super('the form was refused');
    this.errors = errors;
    this.status = status;
    this.headers = headers;
  }
}
