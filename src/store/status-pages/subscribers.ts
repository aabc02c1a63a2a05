import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { PageLanguage } from '../../core/language/page-languages.ts'
import type { Subscription } from '../../core/status-pages/subscribers/subscriber.ts'
import type { Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import {
  addressHash,
  agreed,
  askedColumns,
  linkHash,
  openAskedAddress,
  openAskedToken,
} from '../accounts/asked-addresses.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'
import type { OwnRow } from '../sealing/secret-addresses.ts'
import type { Vault } from '../sealing/vault.ts'
import { removeSubscribers } from './notices.ts'

const TABLE = 'status_subscribers'

export type NewSubscriber = {
  pageId: number
  teamId: number
  type: 'email' | 'webhook'
  address: string
  /** The token of the links that confirm, change and end the subscription. */
  token: string
  /** Null: all, new ones included. */
  componentIds: number[] | null
  confirmedAt: Date | null
  /** The language of the texts around posts. */
  language?: PageLanguage
}

/** Null if the page has a subscriber with this address. */
export async function insertSubscriber(
  query: Query,
  vault: Vault,
  subscriber: NewSubscriber,
): Promise<number | null> {
  const id = await nextId(query, 'status_subscribers')
  const row = await query
    .insertInto('status_subscribers')
    .values({
      ...askedColumns(vault, TABLE, id, { ...subscriber, addressHash: hashSubscriberAddress(subscriber) }),
      page_id: subscriber.pageId,
      team_id: subscriber.teamId,
      type: subscriber.type,
      component_ids: subscriber.componentIds,
      ...(subscriber.language && { language: subscriber.language }),
    })
    .onConflict((conflict) => conflict.columns(['page_id', 'type', 'address_hash']).doNothing())
    .returning(['id', changeNotification(subscriber.teamId, 'status_pages').as('notified')])
    .executeTakeFirst()
  return row?.id ?? null
}

/** The address and the token of a subscriber. */
export async function openSubscriber(
  query: Query,
  vault: Vault,
  teamId: number,
  id: number,
): Promise<Pick<NewSubscriber, 'address' | 'token'> | null> {
  const row = await query
    .selectFrom('status_subscribers')
    .select(['address', 'token'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { address, token } = row
  return {
    address: openAskedAddress(vault, TABLE, { id, address }),
    token: openAskedToken(vault, TABLE, { id, token }),
  }
}

export async function countSubscribersOf(query: Query, pageId: number): Promise<number> {
  const { count } = await query
    .selectFrom('status_subscribers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('page_id', '=', pageId)
    .executeTakeFirstOrThrow()
  return count
}

/** The subscriber of an address, locked until the transaction ends. */
export async function lockSubscriber(
  query: Query,
  vault: Vault,
  pageId: number,
  address: Pick<NewSubscriber, 'type' | 'address'>,
): Promise<{ id: number; token: string; isConfirmed: boolean } | null> {
  const row = await query
    .selectFrom('status_subscribers')
    .select(['id', 'token'])
    .select(agreed().as('isConfirmed'))
    .where('page_id', '=', pageId)
    .where('type', '=', address.type)
    .where('address_hash', '=', hashSubscriberAddress(address))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? { ...row, token: openAskedToken(vault, TABLE, row) } : null
}

/** The wish of one who has not confirmed it yet is the latest. */
export async function renewWish(
  query: Query,
  { teamId, id }: OwnRow,
  { componentIds, language }: Pick<NewSubscriber, 'componentIds'> & { language: PageLanguage },
): Promise<void> {
  await query
    .updateTable('status_subscribers')
    .set({ component_ids: componentIds, language })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
}

/** The subscriber that a mailed link is of. */
export async function findByToken(
  query: Query,
  vault: Vault,
  pageId: number,
  token: string,
): Promise<(Subscription & { id: number; teamId: number }) | null> {
  const row = await query
    .selectFrom('status_subscribers')
    .select(['id', 'team_id as teamId', 'address', 'component_ids as componentIds'])
    .select(agreed().as('isConfirmed'))
    .where('page_id', '=', pageId)
    .where('token_hash', '=', linkHash(TABLE, token))
    .executeTakeFirst()
  return row ? { ...row, address: openAskedAddress(vault, TABLE, row) } : null
}

export async function chooseComponents(
  query: Query,
  subscriber: { id: number; teamId: number },
  componentIds: number[] | null,
): Promise<void> {
  await updateRecord(query, 'status_subscribers', subscriber, { component_ids: componentIds })
}

/** Ends every subscription of an e-mail address: its owner is gone. */
export async function removeSubscriptionsOf(query: Query, email: string): Promise<void> {
  const hash = hashSubscriberAddress({ type: 'email', address: email })
  await removeSubscribers(query, sql`type = 'email' AND address_hash = ${hash}`, sql`s.id`)
}

/** Finds an address without storing it readably. Mail servers tell cases apart in theory only. */
export function hashSubscriberAddress({ type, address }: Pick<NewSubscriber, 'type' | 'address'>): Buffer {
  return type === 'email' ? addressHash(address) : createHash('sha256').update(address).digest()
}
