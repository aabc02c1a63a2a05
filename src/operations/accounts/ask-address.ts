import { ASKED_FOR, type AskedFor, lapseOf, linkOf } from '../../core/accounts/asked-address.ts'
import { nameInMail } from '../../core/accounts/letter.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Translator } from '../../core/language/translate.ts'
import type { Query } from '../../postgres/database.ts'
import { findTeam } from '../../store/teams/teams.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { currentClient } from '../sign-in/throttle.ts'
import type { LetterPermit } from './letter-permit.ts'
import { withLetter } from './letter-permits.ts'

/** Members name an address for these. */
type MembersAsk = Extract<AskedFor, 'alerts' | 'report'>
type Question = { title: string; text: string; language: string }

/** Does work for which a member has an address asked. That counts, or is refused with 429 before the work. */
export function countQuestion<T>(
  services: Services,
  asked: MembersAsk,
  { teamId, userId }: Pick<Actor, 'teamId' | 'userId'>,
  address: string,
  work: (permit: LetterPermit) => Promise<T>,
): Promise<T> {
  const counted = { team: teamId, person: userId, client: currentClient(), mailbox: address }
  return withLetter(services, ASKED_FOR[asked].letter, counted, work)
}

/** Mails the one letter that asks an address, in the transaction of `query`. */
export async function mailQuestion(
  services: Services,
  query: Query,
  permit: LetterPermit,
  asked: AskedFor,
  about: { to: string; token: string; teamId: number; site: string; question: Question },
): Promise<void> {
  const { to, token, teamId, site, question } = about
  const letter = { to, ...question, link: linkOf(asked, site, token) }
  await services.enqueueLetter(query, permit, letter, lapseOf(services.now()), teamId)
}

/** The same in the language of a team, which asks by its name. `write` gets the name as it may stand in a letter. */
export async function mailTeamQuestion(
  services: Services,
  query: Query,
  permit: LetterPermit,
  asked: MembersAsk,
  about: { to: string; token: string; teamId: number },
  write: (translator: Translator, team: string) => Omit<Question, 'language'>,
): Promise<void> {
  const found = await findTeam(query, about.teamId)
  const translator = translatorOf(found?.language ?? 'en')
  const team = nameInMail(found?.name ?? '', translator.t('without a name'))
  const question = { ...write(translator, team), language: translator.language }
  await mailQuestion(services, query, permit, asked, { ...about, site: services.siteUrl, question })
}
