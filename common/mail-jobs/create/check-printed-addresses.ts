import type { EnvelopeWindow } from '#common/config/variables.ts';
import { type AddressProblem, checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import { envelopeSchemes, type SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import { AppError, type Issue } from '#common/errors.ts';
import { readCoverPageRule } from '#common/organizations/cover-pages.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { MailWarning } from '../model/mail-job.model.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import type { ReadySendRequest } from '../model/send-request.ts';
import { schemeFor } from '../rules/scheme-for.ts';

type GivenAddresses = Pick<MailRequest, 'recipients' | 'sender'>;
type PrintedAddresses = { recipients: readonly PostalAddress[]; sender: PostalAddress };

/**
 * Returns a warning for each address that is printed below 8 points. Throws VALIDATION_ERROR with an issue for each that
 * cannot be printed, and with those that are known already. A single address of an organization without cover pages is judged when the letter is rendered,
 * because its document may show the address itself.
 */
export async function checkPrintedAddresses(
  { body, owner, template }: ReadySendRequest,
  printed: PrintedAddresses,
  window: EnvelopeWindow,
  known: readonly Issue[],
): Promise<MailWarning[]> {
  const found = await findAddressProblems(body, printed, schemeFor(body.serviceType, window));
  const mayShowItsOwn = found.length > 0 && printed.recipients.length === 1 && template === undefined;
  const showsItsOwn = mayShowItsOwn && (await readCoverPageRule(owner.organizationId)) === 'never';
  const problems = showsItsOwn ? [] : found;
  const refused = problems
    .filter(({ isSmall }) => !isSmall)
    .map((each) => ({ path: pathOf(each, body), message: `The address cannot be printed. ${each.problem}` }));
  const issues = [...known, ...refused];
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
  return problems.map((each) => ({ code: 'ADDRESS_SMALL', path: pathOf(each, body), message: each.problem }));
}

/**
 * Returns what is wrong with the addresses of a letter. Security: characters of address book entries are left out, because
 * not every credential may read them.
 */
export async function findAddressProblems(
  given: GivenAddresses,
  printed: PrintedAddresses,
  scheme: SchemeName,
): Promise<AddressProblem[]> {
  const problems = await checkAddresses({ scheme: envelopeSchemes[scheme], ...printed });
  return problems.map(({ characters, ...each }) => {
    if (characters === undefined) return each;
    const isGiven = fieldsOf(each, given) !== null;
    return isGiven ? { ...each, characters } : { ...each, problem: each.problem.replace(`: ${characters}`, '') };
  });
}

/** Returns the address that the request has; null for an entry of the address book and for the default sender. */
function fieldsOf({ recipientIndex }: Pick<AddressProblem, 'recipientIndex'>, { recipients, sender }: GivenAddresses) {
  const given = recipientIndex === null ? sender : recipients[recipientIndex];
  return given && !('addressId' in given) ? given : null;
}

function pathOf(problem: AddressProblem, given: GivenAddresses): MailWarning['path'] {
  const { recipientIndex, field } = problem;
  const path = recipientIndex === null ? ['sender'] : ['recipients', recipientIndex];
  if (fieldsOf(problem, given)) return [...path, field];
  return recipientIndex === null && !given.sender ? path : [...path, 'addressId'];
}
