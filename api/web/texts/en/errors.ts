/** Pages that say what went wrong, and what to do now. */
export const errors = {
  back: 'Back to the start',
  reference: 'Reference for support:',
  BAD_FORM: {
    title: 'The form could not be read',
    message: 'What was sent does not look like one of our forms. Go back, reload the page and try again.',
  },
  FORBIDDEN: {
    title: 'For administrators only',
    message: 'You are signed in as a user who is no administrator of this installation.',
  },
  FOREIGN_FORM: {
    title: 'Please send the form again',
    message:
      'For your safety we only take forms that were opened on this site in your present session, and some of them only once. Go back, reload the page and try again.',
  },
  NOT_FOUND: { title: 'Not found', message: 'There is no page at this address, or it is not yours to see.' },
  METHOD_NOT_ALLOWED: { title: 'Not allowed', message: 'This address does not take that kind of request.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'The form could not be read',
    message: 'What was sent does not look like one of our forms. Go back, reload the page and try again.',
  },
  RATE_LIMITED: { title: 'Too many attempts', message: 'Wait a minute, then try again.' },
  INTERNAL_ERROR: {
    title: 'Something went wrong',
    message: 'The fault is on our side, and it has been recorded. Try again in a moment.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Not available right now',
    message: 'A part of the service does not answer. Try again in a moment; nothing is lost.',
  },
};
