import { createHash } from 'node:crypto'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'

const WINDOW_TOKEN = 'maintenance_windows.token'

/** The token of a switch's address has 122 random bits or more, so that a plain hash finds it safely. */
export function hashAddressToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function sealAddressToken(token: string, windowId: number, vault: Vault): string {
  return vault.seal(token, WINDOW_TOKEN, windowId)
}

/** The token of a switch's secret address; null for other windows. */
export async function readAddressToken(
  query: Query,
  vault: Vault,
  teamId: number,
  windowId: number,
): Promise<string | null> {
  const row = await query
    .selectFrom('maintenance_windows')
    .select('token')
    .where('team_id', '=', teamId)
    .where('id', '=', windowId)
    .executeTakeFirst()
  return row?.token ? vault.open(row.token, WINDOW_TOKEN, windowId) : null
}

export async function replaceAddressToken(
  query: Query,
  vault: Vault,
  teamId: number,
  windowId: number,
  token: string,
): Promise<void> {
  await query
    .updateTable('maintenance_windows')
    .set({ token: sealAddressToken(token, windowId, vault), token_hash: hashAddressToken(token) })
    .where('team_id', '=', teamId)
    .where('id', '=', windowId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** The switch of a secret address; null if there is none. */
export async function findSwitch(
  query: Query,
  token: string,
): Promise<{ teamId: number; windowId: number } | null> {
  const row = await query
    .selectFrom('maintenance_windows')
    .select(['team_id as teamId', 'id as windowId'])
    .where('token_hash', '=', hashAddressToken(token))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

const CALENDAR_TOKEN = 'teams.calendar_token'

/** The token of the team's calendar; null while it has no address. */
export async function readCalendarToken(query: Query, vault: Vault, teamId: number): Promise<string | null> {
  const row = await query
    .selectFrom('teams')
    .select('calendar_token')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row?.calendar_token ? vault.open(row.calendar_token, CALENDAR_TOKEN, teamId) : null
}

/** Null takes the address away. */
export async function replaceCalendarToken(
  query: Query,
  vault: Vault,
  teamId: number,
  token: string | null,
): Promise<void> {
  await query
    .updateTable('teams')
    .set({
      calendar_token: token && vault.seal(token, CALENDAR_TOKEN, teamId),
      calendar_token_hash: token ? hashAddressToken(token) : null,
    })
    .where('id', '=', teamId)
    .execute()
}

/** The team of a calendar's address; null if there is none. */
export async function findCalendar(
  query: Query,
  token: string,
): Promise<{ teamId: number; name: string } | null> {
  const row = await query
    .selectFrom('teams')
    .select(['id as teamId', 'name'])
    .where('calendar_token_hash', '=', hashAddressToken(token))
    .executeTakeFirst()
  return row ?? null
}
