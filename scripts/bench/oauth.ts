import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
