import { EmailAddress } from '../../core/alerting/contact.ts'
import { Refusal } from '../../core/errors.ts'
import type { Language } from '../../core/language/language.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { Identity } from '../../core/sign-in/identity.ts'
import { label, MAX_NAME_LENGTH } from '../../core/text.ts'
import type { Query } from '../../postgres/database.ts'
import { confirmAddressFirst } from '../../store/accounts/address-proof.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import { findIdentity, insertIdentity } from '../../store/sign-in/identities.ts'
import { tellHolder } from '../accounts/account-log.ts'
import type { Services } from '../services.ts'
import type { Visitor } from './sessions.ts'
import { insertSelfMadeAccount, isSignUpOpen } from './sign-up.ts'

const Name = label(MAX_NAME_LENGTH)

/**
 * The account of a person identified by the provider: the one they used before; otherwise the one with their address;
 * otherwise, if sign-up is open, a new one with its own team.
 */
export async function findOrMakeAccount(
  services: Services,
  query: Query,
  identity: Identity,
  visitor: Visitor,
): Promise<number> {
  const { issuer, subject } = identity
  const known = await findIdentity(query, issuer, subject)
  if (known !== null) return known
  const email = EmailAddress.safeParse(identity.email)
  if (!email.success || !identity.isEmailVerified) throw refuse(UNVERIFIED)
  const createdAt = services.now()
  const userId =
    (await claimAccount(services, query, email.data, visitor)) ??
    (await makeAccount(services, query, email.data, identity.name, createdAt, visitor.language)) ??
    // Another request created it at the same moment.
    (await claimAccount(services, query, email.data, visitor))
  if (userId === null)
    throw refuse(
      said(
        'No account has the address {email}. Ask the operator of this service, or the owner of your team, to create one.',
        { email: email.data },
      ),
    )
  return insertIdentity(query, { issuer, subject, userId, createdAt })
}

/**
 * Null when no account has the address. Before the address was ever confirmed, anyone could have created the account to
 * lie in wait for the owner, so everything in it ends.
 */
async function claimAccount(
  services: Services,
  query: Query,
  email: string,
  visitor: Visitor,
): Promise<number | null> {
  const account = await findUserByEmail(query, email)
  if (!account) return null
  if (await confirmAddressFirst(query, account.id, services.now())) {
    await tellHolder(services, query, account.id, { kind: 'account_emptied', visitor })
  }
  return account.id
}

/** Null when sign-up is closed, or when the address has just been taken. */
async function makeAccount(
  services: Services,
  query: Query,
  email: string,
  name: string | null,
  now: Date,
  language: Language,
): Promise<number | null> {
  if (!(await isSignUpOpen(services))) return null
  const wanted = { email, name: Name.safeParse(name).data ?? email, passwordHash: null }
  return insertSelfMadeAccount(services, query, wanted, now, language)
}

const UNVERIFIED = said(
  'The provider does not say that your e-mail address is yours. Have it confirmed there, then sign in again.',
)

function refuse(detail: Said): Refusal {
  return new Refusal('forbidden', { detail })
}
