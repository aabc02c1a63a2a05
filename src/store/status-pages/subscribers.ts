import { createHash } from 'node:crypto'
import type { Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { hashAddressToken } from '../maintenance/addresses.ts'
import type { Vault } from '../sealing/vault.ts'

const ADDRESS = 'status_subscribers.address'
const TOKEN = 'status_subscribers.token'

export type NewSubscriber = {
  pageId: number
  teamId: number
  type: 'email' | 'webhook'
  address: string
  /** Of the links that confirm, change and end the subscription. */
  token: string
  /** Null: all, new ones included. */
  componentIds: number[] | null
  confirmedAt: Date | null
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
      id,
      page_id: subscriber.pageId,
      team_id: subscriber.teamId,
      type: subscriber.type,
      address: vault.seal(subscriber.address, ADDRESS, id),
      address_hash: hashSubscriberAddress(subscriber),
      token: vault.seal(subscriber.token, TOKEN, id),
      token_hash: hashAddressToken(subscriber.token),
      component_ids: subscriber.componentIds,
      confirmed_at: subscriber.confirmedAt,
      refused_at: null,
    })
    .onConflict((conflict) => conflict.columns(['page_id', 'type', 'address_hash']).doNothing())
    .returning('id')
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
  return row ? { address: openAddress(vault, { ...row, id }), token: vault.open(row.token, TOKEN, id) } : null
}

export function openAddress(vault: Vault, { id, address }: { id: number; address: string }): string {
  return vault.open(address, ADDRESS, id)
}

/** Ends every subscription of an e-mail address: its owner is gone. */
export async function removeSubscriptionsOf(query: Query, email: string): Promise<void> {
  await query
    .deleteFrom('status_subscribers')
    .where('type', '=', 'email')
    .where('address_hash', '=', hashSubscriberAddress({ type: 'email', address: email }))
    .execute()
}

/** Finds an address without storing it readably. Mail servers tell cases apart in theory only. */
export function hashSubscriberAddress({ type, address }: Pick<NewSubscriber, 'type' | 'address'>): Buffer {
  return createHash('sha256')
    .update(type === 'email' ? address.toLowerCase() : address)
    .digest()
}
