import { randomUUID } from 'node:crypto'
import { ASKED_FOR } from '../../core/accounts/asked-address.ts'
import { nameInMail } from '../../core/accounts/letter.ts'
import { WEBHOOK_CONFIRMATION_BOUNDS } from '../../core/accounts/mail-kinds.ts'
import { PAGE_LANGUAGES, type PageLanguage } from '../../core/language/page-languages.ts'
import { pageUrl } from '../../core/status-pages/page-address.ts'
import {
  type ChosenComponents,
  MAX_SUBSCRIBERS,
  type SubscribeWish,
  type Subscription,
  type SubscriptionAction,
} from '../../core/status-pages/subscribers/subscriber.ts'
import { PAGE_WORDS } from '../../core/status-pages/words/words.ts'
import type { Query } from '../../postgres/database.ts'
import { confirmAddress } from '../../store/accounts/asked-addresses.ts'
import { queueConfirmation } from '../../store/status-pages/notices.ts'
import { readPage } from '../../store/status-pages/pages.ts'
import { deleteSubscriber } from '../../store/status-pages/subscriber-list.ts'
import {
  chooseComponents,
  countSubscribersOf,
  findByToken,
  insertSubscriber,
  lockSubscriber,
  renewWish,
} from '../../store/status-pages/subscribers.ts'
import { componentIdsOf } from '../../store/status-pages/updates.ts'
import { mailQuestion } from '../accounts/ask-address.ts'
import type { LetterPermit } from '../accounts/letter-permit.ts'
import { countMail, withLetter } from '../accounts/letter-permits.ts'
import type { Services } from '../services.ts'
import { countWrongSecret, throttle } from '../sign-in/throttle.ts'
import type { ServedPage } from './serving/followed-pages.ts'

/** Forms and mailed links of visitors: nobody is signed in here. */

type Client = { clientAddress: string; language: PageLanguage }

/** Whether the form takes such an address at all: whatever policy refuses would never get anything. */
export function takesWish({ hasMail, refuseAddress }: Services, { type, address }: SubscribeWish): boolean {
  return type === 'email' ? hasMail : refuseAddress('subscriber', address) === null
}

/**
 * Queues a message that asks to confirm. An address that is known and one that is not get the same answer for the same
 * work: both get a message. Refuses with 429 whoever asks too often.
 */
export async function subscribe(
  services: Services,
  page: ServedPage,
  wish: SubscribeWish,
  { clientAddress, language }: Client,
): Promise<void> {
  const { db, vault } = services
  const componentIds = await ofPage(db.query, page.id, wish.componentIds)
  const add = async (query: Query, permit: LetterPermit | null) => {
    const known = await lockSubscriber(query, vault, page.id, wish)
    if (!known && (await countSubscribersOf(query, page.id)) >= MAX_SUBSCRIBERS) return
    const token = known?.token ?? randomUUID()
    const { id: pageId, teamId } = page
    const added = { pageId, teamId, ...wish, componentIds, token, confirmedAt: null, language }
    const id = known?.id ?? (await insertSubscriber(query, vault, added))
    // The same address was subscribed from elsewhere in this moment, and gets the letter of that.
    if (id === null) return
    const isConfirmed = known?.isConfirmed === true
    if (!isConfirmed) await renewWish(query, { teamId, id }, { componentIds, language })
    if (permit === null) await queueConfirmation(query, { teamId, id })
    else await queueLetter(services, query, permit, page, { to: wish.address, token, isConfirmed, language })
  }
  const counted = { client: clientAddress, page: page.id, pages: page.teamId, mailbox: wish.address }
  const addWith = (permit: LetterPermit | null) =>
    db.query.transaction().execute((query) => add(query, permit))
  if (wish.type === 'email') await withLetter(services, ASKED_FOR.updates.letter, counted, addWith)
  else await countMail(services, WEBHOOK_CONFIRMATION_BOUNDS, counted, () => addWith(null))
}

async function queueLetter(
  services: Services,
  query: Query,
  permit: LetterPermit,
  page: ServedPage,
  about: { to: string; token: string; isConfirmed: boolean; language: PageLanguage },
): Promise<void> {
  const { name } = (await readPage(query, page.id)) ?? { name: '' }
  const words = PAGE_WORDS[about.language].notices
  const named = nameInMail(name, words.nameless)
  const site = pageUrl(services.siteUrl, page, page.domains[0] ?? null)
  const question = {
    title: words.confirmTitle(named),
    language: PAGE_LANGUAGES[about.language].locale,
    text: about.isConfirmed ? words.known(named) : words.confirm(named),
  }
  const { to, token } = about
  const { teamId } = page
  await mailQuestion(services, query, permit, 'updates', { to, token, teamId, site, question })
}

/** Null for a link that is of no subscription, or of one that has ended. */
export function showSubscription(
  services: Services,
  page: Pick<ServedPage, 'id'>,
  token: string,
  clientAddress: string,
): Promise<Subscription | null> {
  return findCounted(services, page.id, token, clientAddress)
}

async function findCounted(services: Services, pageId: number, token: string, clientAddress: string) {
  const { db, vault, limits } = services
  const found = await findByToken(db.query, vault, pageId, token)
  if (found) await throttle(limits.perSubscription, found.id)
  else await countWrongSecret(services, 'subscription', clientAddress)
  return found
}

/** Does what the button of a mailed link says; null as above. */
export async function changeSubscription(
  services: Services,
  page: Pick<ServedPage, 'id'>,
  token: string,
  change: { action: SubscriptionAction; componentIds: ChosenComponents },
  clientAddress: string,
): Promise<Subscription | null> {
  const { db } = services
  const found = await findCounted(services, page.id, token, clientAddress)
  if (!found) return null
  switch (change.action) {
    case 'confirm':
      await confirmAddress(db.query, 'status_subscribers', found, services.databaseNow())
      return { ...found, isConfirmed: true }
    case 'change': {
      const componentIds = await ofPage(db.query, page.id, change.componentIds)
      await chooseComponents(db.query, found, componentIds)
      return { ...found, componentIds }
    }
    case 'end':
      await deleteSubscriber(db.query, found.teamId, found.id)
      return found
  }
}

/** Leaves out what is not on the page; null stands for all. */
async function ofPage(query: Query, pageId: number, chosen: ChosenComponents): Promise<ChosenComponents> {
  if (chosen === null) return null
  const known = new Set(await componentIdsOf(query, pageId))
  const kept = chosen.filter((id) => known.has(id))
  return kept.length === 0 ? null : kept
}
