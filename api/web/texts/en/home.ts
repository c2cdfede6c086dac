export const home = {
  title: 'Physical post from your own systems',
  lead: 'Send letters through an API: priced to the cent, printed, posted, and followed step by step.',
  signIn: 'Sign in to your account',
  toAccount: 'Go to your account',
  docs: 'Read the API documentation',
  points: {
    price: {
      title: 'A price before every letter',
      text: 'Quote and letter share one tariff. Your prepaid wallet shows each cent.',
    },
    proof: {
      title: 'Proof of every step',
      text: 'Printed, posted, delivered: signed webhooks tell your systems as it happens.',
    },
    sandbox: {
      title: 'A sandbox that behaves',
      text: 'Test keys send the same letters with play money, and nothing is ever printed.',
    },
  },
  forPrograms: 'Programs send letters through the API at',
};
