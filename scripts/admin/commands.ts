import type { AnyAdminCommand } from './command.ts';
import { clientCommands } from './commands/client.ts';
import { closeBatchesCommands } from './commands/close-batches.ts';
import { keyCommands } from './commands/key.ts';
import { mailCommands } from './commands/mail.ts';
import { migrateCommands } from './commands/migrate.ts';
import { orgCommands } from './commands/org.ts';
import { batchCommands } from './commands/press-batch.ts';
import { itemCommands } from './commands/press-item.ts';
import { backupCommands } from './commands/recovery/backup.ts';
import { compareCommands } from './commands/recovery/compare.ts';
import { returnCommands } from './commands/returns.ts';
import { secretsCommands } from './commands/secrets.ts';
import { tariffCommands } from './commands/tariff.ts';
import { trackingCommands } from './commands/tracking.ts';
import { trackingRangeCommands } from './commands/tracking-ranges.ts';
import { userCommands } from './commands/user.ts';
import { walletCommands } from './commands/wallet.ts';
import { controlCommands } from './operations/control.ts';
import { orgLimitCommands } from './operations/org-limits.ts';
import { overviewCommands } from './operations/overview.ts';

/** All admin commands, in the order of the help text. */
export const commands: readonly AnyAdminCommand[] = [
  ...overviewCommands,
  ...orgCommands,
  ...orgLimitCommands,
  ...keyCommands,
  ...walletCommands,
  ...tariffCommands,
  ...clientCommands,
  ...userCommands,
  ...mailCommands,
  ...batchCommands,
  ...itemCommands,
  ...closeBatchesCommands,
  ...trackingCommands,
  ...trackingRangeCommands,
  ...returnCommands,
  ...secretsCommands,
  ...migrateCommands,
  ...backupCommands,
  ...compareCommands,
  ...controlCommands,
];
