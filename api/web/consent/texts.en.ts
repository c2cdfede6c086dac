export { apiKeys } from '#api/web/account/api-keys/texts.en.ts';

/** The page on which a user grants an application access. */
export const consent = {
  title: 'Allow access',
  heading: (application: string) => `${application} asks for access`,
  lead: (email: string, organization: string) =>
    `You are signed in as ${email}. If you allow access, this application can do the following for ${organization}:`,
  pays: {
    test: 'This application works in test mode. Its letters are paid from your test wallet, and nothing is printed.',
    live: 'This application sends real letters, paid from your live wallet.',
  },
  unverified: (host: string) =>
    `This application says that it is from ${host}. We have not checked this. Continue only if you started this yourself.`,
  describedAt: 'The application chose its name itself. Its description comes from this address:',
  onDevice: 'The application runs on your device. Another program there could pretend to be it.',
  leadsTo: (host: string) => `You will then return to ${host}.`,
  revokeHint: 'You can revoke access at any time in your account.',
  allow: 'Allow',
  deny: 'Deny',
  broken: {
    title: 'This application cannot ask for access',
    client_id: 'The link that brought you here names an application that we do not know.',
    redirect_uri: 'The link that brought you here returns to an address that the application has not registered.',
    unreachable: 'The description of the application could not be fetched. Try again in a minute.',
    advice: 'You have not allowed anything. Go back and contact the developer of the application.',
    returnTo: (host: string) => `Return to ${host}`,
  },
};
