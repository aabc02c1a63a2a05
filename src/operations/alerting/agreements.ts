import { randomBytes } from 'node:crypto'
import { DAYS_TO_AGREE, lapseOf } from '../../core/accounts/asked-address.ts'
import { nameInMail } from '../../core/accounts/letter.ts'
import type { ContactConfig } from '../../core/alerting/contact.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import type { Query } from '../../postgres/database.ts'
import { addressHash } from '../../store/accounts/asked-addresses.ts'
import {
  agreeByLink,
  findAgreement,
  findAgreementLink,
  insertAgreement,
  isMembersAddress,
  releaseContacts,
} from '../../store/alerting/agreements.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { countQuestion, mailTeamQuestion } from '../accounts/ask-address.ts'
import type { LetterPermit } from '../accounts/letter-permit.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** An address that must agree before it gets alerts, and whether it still has to be asked. */
type Unagreed = { address: string; hash: Buffer; isToBeAsked: boolean }

/**
 * Where sign-up is open, a contact could use anyone's address. Unless it is a member's confirmed address, it gets one
 * letter asking for agreement and nothing else until it agrees. Null when no agreement is needed.
 */
async function findMissingAgreement(
  services: Services,
  teamId: number,
  config: ContactConfig,
): Promise<Unagreed | null> {
  const { db, now, opensSignUp } = services
  if (!opensSignUp || !('email' in config)) return null
  const { email: address } = config
  if (await isMembersAddress(db.query, teamId, address)) return null
  const hash = addressHash(address)
  const asked = await findAgreement(db.query, teamId, hash)
  if (asked?.agreedAt) return null
  return { address, hash, isToBeAsked: services.hasMail && (!asked || asked.expiresAt <= now()) }
}

/** A permit for the letter, where one is to be sent. */
type Asking = { unagreed: Unagreed; permit: LetterPermit | null } | null

/**
 * Does work that has a contact lead to an address. Where the address has to be asked, that counts, or is refused with 429
 * before the work.
 */
export async function withAgreement<T>(
  services: Services,
  { teamId, userId }: Pick<Actor, 'teamId' | 'userId'>,
  config: ContactConfig,
  work: (asking: Asking) => Promise<T>,
): Promise<T> {
  const unagreed = await findMissingAgreement(services, teamId, config)
  if (!unagreed?.isToBeAsked) return work(unagreed && { unagreed, permit: null })
  return countQuestion(services, 'alerts', { teamId, userId }, unagreed.address, (permit) =>
    work({ unagreed, permit }),
  )
}

/** Mails the one letter that asks for agreement, in the transaction of `query`. */
export async function mailAgreementRequest(
  services: Services,
  query: Query,
  teamId: number,
  { unagreed: { address, hash }, permit }: NonNullable<Asking>,
): Promise<void> {
  if (!permit) return
  const askedAt = services.now()
  const token = randomBytes(24).toString('base64url')
  const asked = {
    teamId,
    addressHash: hash,
    linkHash: hashToken(token),
    askedAt,
    expiresAt: lapseOf(askedAt),
  }
  if (!(await insertAgreement(query, asked))) return
  await mailTeamQuestion(
    services,
    query,
    permit,
    'alerts',
    { to: address, token, teamId },
    ({ t }, team) => ({
      title: t('Alerts to your address?'),
      text: t(
        'The team {team} of this Upbeat service wants to send you an alert when something that it monitors fails. You get nothing more from it unless you agree behind this link, which works for {days, plural, one {# day} other {# days}}. If you know nothing of it, do nothing.',
        { team, days: DAYS_TO_AGREE },
      ),
    }),
  )
}

/** Asks a contact's address again, once the link in the last letter has expired. */
export async function askAgain(
  services: Services,
  actor: Pick<Actor, 'teamId' | 'userId'>,
  config: ContactConfig,
): Promise<void> {
  const { teamId } = actor
  if (!services.hasMail) {
    throw Refusal.invalid({ contact: [said('cannot be asked: this service sends no mail yet')] })
  }
  await withAgreement(services, actor, config, (asking) => askOnceMore(services, teamId, config, asking))
}

async function askOnceMore(services: Services, teamId: number, config: ContactConfig, asking: Asking) {
  if (!asking) {
    // The address now belongs to a member, or agreed for another contact.
    if ('email' in config) await releaseContacts(services.db.query, teamId, addressHash(config.email))
    return
  }
  if (!asking.permit) {
    const asked = await findAgreement(services.db.query, teamId, asking.unagreed.hash)
    const fault = asked
      ? said('cannot be asked again before {at}, when the link of its letter expires', {
          at: formatInstant(asked.expiresAt),
        })
      : said('cannot be asked again')
    throw Refusal.invalid({ contact: [fault] })
  }
  await services.db.query
    .transaction()
    .execute((query) => mailAgreementRequest(services, query, teamId, asking))
}

/** Reads the link of a letter that asks for agreement; null when it no longer works. */
export async function readAgreement({ db, now }: Services, link: string) {
  const found = await findAgreementLink(db.query, hashToken(link), now())
  return found && { team: nameInMail(found.teamName), hasAgreed: found.hasAgreed }
}

/** False when the link no longer works. */
export async function agree({ db, now }: Services, link: string): Promise<boolean> {
  return db.query.transaction().execute((query) => agreeByLink(query, hashToken(link), now()))
}
