import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AskedState } from '../../core/accounts/asked-address.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { ASKED_STATE, openAskedAddress } from '../accounts/asked-addresses.ts'
import { changeNotification } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import { removeSubscribers } from './notices.ts'

/** A subscriber as its team sees it. */
export type SubscriberRecord = {
  id: number
  pageId: number
  type: 'email' | 'webhook'
  address: string
  state: AskedState
  componentIds: number[] | null
  createdAt: Date
  confirmedAt: Date | null
  refusedAt: Date | null
}

type Filter = {
  pageId: number
  state?: AskedState | undefined
  /** Those alone. */
  ids?: number[] | undefined
}

/** Addresses that are opened before other requests have their turn. */
const OPENED_AT_ONCE = 1_000

/** Newest first. */
export async function listSubscribers(
  query: Query,
  vault: Vault,
  teamId: number,
  filter: Filter,
  page: { limit: number; offset: number },
): Promise<SubscriberRecord[]> {
  const rows = await withColumns(selectMatching(query, teamId, filter))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => ({ ...row, address: openAskedAddress(vault, 'status_subscribers', row) }))
}

export async function countSubscribers(query: Query, teamId: number, filter: Filter): Promise<number> {
  const { count } = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findSubscriber(
  query: Query,
  vault: Vault,
  teamId: number,
  id: number,
): Promise<SubscriberRecord | null> {
  const row = await withColumns(selectSubscribers(query, teamId)).where('id', '=', id).executeTakeFirst()
  return row ? { ...row, address: openAskedAddress(vault, 'status_subscribers', row) } : null
}

export async function deleteSubscriber(query: Query, teamId: number, id: number): Promise<void> {
  const notified = changeNotification(teamId, 'status_pages')
  await removeSubscribers(query, sql`team_id = ${teamId} AND id = ${id}`, notified)
}

/** The ids of all whose address holds a text, in any case. Addresses are sealed: each has to be opened. */
export async function findByAddress(
  query: Query,
  vault: Vault,
  teamId: number,
  { pageId, search }: { pageId: number; search: string },
): Promise<number[]> {
  const wanted = search.toLowerCase()
  const rows = await selectMatching(query, teamId, { pageId }).select(['id', 'address']).execute()
  const found: number[] = []
  for (const [index, row] of rows.entries()) {
    if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await setImmediate()
    if (openAskedAddress(vault, 'status_subscribers', row).toLowerCase().includes(wanted)) found.push(row.id)
  }
  return found
}

function selectSubscribers(query: Query, teamId: number) {
  return query.selectFrom('status_subscribers').where('team_id', '=', teamId)
}

function selectMatching(query: Query, teamId: number, { pageId, state, ids }: Filter) {
  return selectSubscribers(query, teamId)
    .where('page_id', '=', pageId)
    .$if(ids !== undefined, (rows) => rows.where('id', '=', anyOf(ids ?? [])))
    .$if(state !== undefined, (rows) => rows.where(ASKED_STATE, '=', state as AskedState))
}

function withColumns(subscribers: ReturnType<typeof selectSubscribers>) {
  return subscribers
    .select(['id', 'page_id as pageId', 'type', 'address', 'component_ids as componentIds'])
    .select(['created_at as createdAt', 'confirmed_at as confirmedAt', 'refused_at as refusedAt'])
    .select(ASKED_STATE.as('state'))
}
