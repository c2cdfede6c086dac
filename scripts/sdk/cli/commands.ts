import { bulkCommand } from './commands/bulk.ts';
import { eventsTailCommand } from './commands/events.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './commands/login.ts';
import { mailsCommands } from './commands/mails.ts';
import { preflightCommand } from './commands/preflight.ts';
import { quoteCommand } from './commands/quote.ts';
import { sandboxAdvanceCommand, sandboxClockCommand, triggerCommand } from './commands/sandbox.ts';
import { sendCommand } from './commands/send.ts';
import { walletCommand } from './commands/wallet.ts';
import { webhooksListenCommand } from './commands/webhooks.ts';
import type { Command } from './program/command.ts';
import type { Groups } from './program/parse-words.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  preflightCommand,
  quoteCommand,
  sendCommand,
  ...mailsCommands,
  bulkCommand,
  sandboxClockCommand,
  sandboxAdvanceCommand,
  triggerCommand,
  eventsTailCommand,
  webhooksListenCommand,
  walletCommand,
];

/** The first words of commands with two, and what the help says about them. */
export const groups: Groups = {
  mails: 'List, show and cancel letters.',
  sandbox: 'Move test letters and test clocks.',
  events: 'Follow events.',
  webhooks: 'Receive events on this machine.',
};
