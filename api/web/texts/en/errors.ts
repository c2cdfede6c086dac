/** Error pages: what went wrong, and what to do now. */
export const errors = {
  back: 'Back to the home page',
  reference: 'Reference for support:',
  BAD_FORM: {
    title: 'We could not read the form',
    message: 'The data does not match any of our forms. Go back, reload the page and try again.',
  },
  FORBIDDEN: {
    title: 'For administrators only',
    message: 'Your account does not have administrator rights on this installation.',
  },
  CSRF_CHECK_FAILED: {
    title: 'Please send the form again',
    message:
      'For your security, we only accept forms that you opened on this site in your current session. Some can be sent only once. Go back, reload the page and try again.',
  },
  NOT_FOUND: { title: 'Page not found', message: 'This page does not exist, or you do not have access to it.' },
  METHOD_NOT_ALLOWED: { title: 'Not allowed', message: 'This address does not accept this kind of request.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'We could not read the form',
    message: 'The data does not match any of our forms. Go back, reload the page and try again.',
  },
  RATE_LIMITED: { title: 'Too many attempts', message: 'Wait a minute, then try again.' },
  INTERNAL_ERROR: {
    title: 'Something went wrong',
    message: 'The problem is on our side, and we have recorded it. Try again in a moment.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Temporarily unavailable',
    message: 'Part of the service is not responding. Nothing is lost. Try again in a moment.',
  },
};
