import { clientCommands } from './client.ts';
import type { AnyAdminCommand } from './command.ts';
import { keyCommands } from './key.ts';
import { mailCommands } from './mail.ts';
import { migrateCommands } from './migrate.ts';
import { orgCommands } from './org.ts';
import { tariffCommands } from './tariff.ts';
import { userCommands } from './user.ts';
import { walletCommands } from './wallet.ts';

/** Every command of the administration, in the order in which help lists them. */
export const commands: readonly AnyAdminCommand[] = [
  ...orgCommands,
  ...keyCommands,
  ...walletCommands,
  ...tariffCommands,
  ...clientCommands,
  ...userCommands,
  ...mailCommands,
  ...migrateCommands,
];
