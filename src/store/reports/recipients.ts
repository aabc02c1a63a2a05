import { sql } from 'kysely'
import type { AskedState } from '../../core/accounts/asked-address.ts'
import type { Query } from '../../postgres/database.ts'
import {
  ASKED_STATE,
  addressHash,
  askedColumns,
  linkHash,
  openAskedAddress,
  openAskedToken,
} from '../accounts/asked-addresses.ts'
import { insertRecord } from '../records.ts'
import type { Vault } from '../sealing/vault.ts'

const TABLE = 'report_recipients'

/** A recipient as its team sees it. */
export type RecipientRecord = {
  id: number
  address: string
  state: AskedState
  createdAt: Date
  lastSentAt: Date | null
}

/** In the order in which they were added. */
export async function listRecipients(
  query: Query,
  vault: Vault,
  teamId: number,
  reportId: number,
): Promise<RecipientRecord[]> {
  const rows = await selectRecipients(query, teamId).where('report_id', '=', reportId).orderBy('id').execute()
  return rows.map((row) => ({ ...row, address: openAskedAddress(vault, TABLE, row) }))
}

export async function findRecipient(
  query: Query,
  vault: Vault,
  teamId: number,
  id: number,
): Promise<RecipientRecord | null> {
  const row = await selectRecipients(query, teamId).where('id', '=', id).executeTakeFirst()
  return row ? { ...row, address: openAskedAddress(vault, TABLE, row) } : null
}

function selectRecipients(query: Query, teamId: number) {
  return query
    .selectFrom('report_recipients')
    .select(['id', 'address', 'created_at as createdAt'])
    .select(ASKED_STATE.as('state'))
    .select(
      sql<Date | null>`(SELECT max(m.finished_at) FROM report_mails m
        WHERE m.recipient_id = report_recipients.id AND m.state = 'sent')`.as('lastSentAt'),
    )
    .where('team_id', '=', teamId)
}

export type NewReportRecipient = {
  reportId: number
  teamId: number
  address: string
  /** The token of the link that confirms and ends it. */
  token: string
  confirmedAt: Date | null
}

export async function insertRecipient(
  query: Query,
  vault: Vault,
  { reportId, teamId, address, token, confirmedAt }: NewReportRecipient,
): Promise<number> {
  const hash = addressHash(address)
  return insertRecord(query, TABLE, teamId, (id) => ({
    ...askedColumns(vault, TABLE, id, { address, addressHash: hash, token, confirmedAt }),
    report_id: reportId,
  }))
}

/** The recipient of an address, whose report is locked. */
export async function findRecipientByAddress(
  query: Query,
  vault: Vault,
  reportId: number,
  address: string,
): Promise<{ id: number; token: string; state: AskedState } | null> {
  const row = await query
    .selectFrom('report_recipients')
    .select(['id', 'token'])
    .select(ASKED_STATE.as('state'))
    .where('report_id', '=', reportId)
    .where('address_hash', '=', addressHash(address))
    .executeTakeFirst()
  return row ? { ...row, token: openAskedToken(vault, TABLE, row) } : null
}

/** Locks a report until the transaction ends; its number of recipients, or null if it is gone. */
export async function lockReportForRecipients(
  query: Query,
  teamId: number,
  reportId: number,
): Promise<number | null> {
  const report = await query
    .selectFrom('reports')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', reportId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!report) return null
  const { count } = await query
    .selectFrom('report_recipients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow()
  return count
}

/** The recipient of a mailed link, with its report; null once it was ended. */
export async function findRecipientByToken(query: Query, vault: Vault, token: string) {
  const row = await query
    .selectFrom('report_recipients as r')
    .innerJoin('reports as p', 'p.id', 'r.report_id')
    .innerJoin('teams as t', 't.id', 'r.team_id')
    .select(['r.id', 'r.team_id as teamId', 'r.address', 'p.name', 't.name as team'])
    .select(ASKED_STATE.as('state'))
    .where('r.token_hash', '=', linkHash(TABLE, token))
    .executeTakeFirst()
  return row ? { ...row, address: openAskedAddress(vault, TABLE, row) } : null
}

/** Its owner is gone. */
export async function removeReportsTo(query: Query, email: string): Promise<void> {
  await query.deleteFrom('report_recipients').where('address_hash', '=', addressHash(email)).execute()
}
