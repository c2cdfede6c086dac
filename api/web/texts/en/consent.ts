/** The page on which a user lets an application in. */
export const consent = {
  title: 'Allow access',
  heading: (application: string) => `${application} asks for access`,
  lead: (email: string) =>
    `You are signed in as ${email}. If you allow it, this application may, for your organization:`,
  pays: {
    test: 'It works in test mode: what it sends is paid from your test wallet, and nothing is printed.',
    live: 'What it sends are real letters, paid from your live wallet.',
  },
  leadsTo: (host: string) => `Afterwards you go back to ${host}.`,
  takeBack: 'You can take this back at any time in your account.',
  allow: 'Allow',
  deny: 'Deny',
  broken: {
    title: 'This application cannot ask for access',
    client_id: 'The link that brought you here names no application that we know.',
    redirect_uri:
      'The link that brought you here would lead back to an address that the application has not registered.',
    advice: 'Nothing was allowed. Go back, and tell the makers of the application.',
  },
};
