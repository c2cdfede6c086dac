import { findEngine } from '../engine/find-engine.ts';
import { giveUp, provideHere } from '../give-up.ts';
import { findImages } from '../images/find-images.ts';
import { openAccount } from '../open-account.ts';
import { CannotRunHereError, type Proof, type ProofContext } from '../proof.ts';
import { CommandError } from '../run-command.ts';
import { sendLetterToPosted } from '../send-letter.ts';
import { checkPrivileges, checkStop, measureMemory, measureStart } from './check-containers.ts';
import { checkEscapes, checkFences, checkNoRouteOut, permitsNamespaces } from './check-fences.ts';
import { checkLayers } from './check-layers.ts';
import { checkPages, repeatInstall, scaleWorkers } from './check-service.ts';
import { prepareInstallation, services } from './installation.ts';

const workers = 3;
const withoutNamespaces = 'Skipped: the fence `network`, because this system gives containers no user namespaces';

/** Installs docker-compose.yml from a clone by the command of the manual, and uses it as customers and operators do. */
export const composeProof: Proof = {
  name: 'compose',
  summary: 'docker-compose.yml: from a clone to posted letters, fences, scaling, restarts',
  async run(context) {
    const held = new AsyncDisposableStack();
    try {
      const facts = await runIn(held, context);
      await held.disposeAsync();
      return facts;
    } catch (error) {
      return await giveUp(held, error, context.report);
    }
  },
};

async function runIn(held: AsyncDisposableStack, context: ProofContext): Promise<string[]> {
  const { checklist, report, isThorough, signal } = context;
  const { check } = checklist;
  const engine = await provideHere('an engine', () => findEngine(context));
  held.defer(() => engine.stop());
  const images = await provideHere('images', () => findImages(engine, context));
  const installation = await prepareInstallation(engine, images, signal);
  held.defer(() => installation.remove());

  const startedAt = new Date();
  await check('one command goes from a clone to a running installation', async () => {
    const text = await installation.install().catch(blameRegistry);
    if (!text.includes('Bluejay is running.')) throw new Error(text);
  });
  await check('every service becomes healthy after its start', () => measureStart(installation, startedAt));
  await check('the pages of API and web host answer', () => checkPages(installation));
  const sender = await openAccount(installation);
  await check('a letter is posted', () => sendLetterToPosted(sender));
  const hasNamespaces = await permitsNamespaces(installation);
  if (!hasNamespaces) report(withoutNamespaces);
  await check('all fences around documents are present', () => checkFences(installation, hasNamespaces));
  await check('a document process that breaks out gets nowhere', () => checkEscapes(installation, hasNamespaces));
  await check('documents have no way to the internet', () => checkNoRouteOut(installation));
  await check('every container has minimal rights', () => checkPrivileges(installation));
  await check(`workers scale to ${workers}`, () => scaleWorkers(installation, workers));
  await check('a letter is posted afterwards', () => sendLetterToPosted(sender));
  for (const service of services) {
    await check(`a letter is posted after a restart of ${service}`, async () => {
      await installation.compose('restart', service);
      return await sendLetterToPosted(sender);
    });
  }
  await check('the same command again keeps the scale and the data', () => repeatInstall(installation, sender));
  // It takes as long as the first build.
  if (isThorough) await check('a second build gives the same files', () => checkLayers(installation));
  await check('memory after that', () => measureMemory(installation));
  await check('the product stops by itself', () => checkStop(installation));
  const facts = [`Engine: ${engine.description}`, `Images: ${images.description}`];
  return hasNamespaces ? facts : [...facts, withoutNamespaces];
}

/** A registry that goes away during the build says nothing about the product. */
function blameRegistry(error: unknown): never {
  if (error instanceof CommandError && error.message.includes('npm error network'))
    throw new CannotRunHereError('npm lost its registry while it built the image');
  throw error;
}
