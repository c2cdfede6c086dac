export const home = {
  title: 'Physical mail from your own systems',
  lead: 'Send letters through an API: priced to the cent, printed, posted and tracked step by step.',
  signIn: 'Sign in to your account',
  toAccount: 'Go to your account',
  docs: 'Read the API documentation',
  points: {
    price: {
      title: 'Know the price first',
      text: 'Quotes and letters use the same tariff, and your prepaid wallet accounts for every cent.',
    },
    proof: {
      title: 'Follow every step',
      text: 'Printed, posted, delivered: signed webhooks notify your systems as it happens.',
    },
    sandbox: {
      title: 'Test without paying',
      text: 'Test keys send the same letters with play money. Nothing is ever printed.',
    },
  },
  forPrograms: 'API base URL:',
};
