import { isDeepStrictEqual } from 'node:util'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type ContactConfig, type ContactRecord, ContactSettings } from '../../core/alerting/contact.ts'
import { MAX_RECORD_ID } from '../../core/record-id.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Database, Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'
import { changeNotification } from '../news.ts'
import { insertRecord, updateRecord } from '../records.ts'
import type { Vault } from '../sealing/vault.ts'
import { insertAudit } from '../teams/audit.ts'

const CONFIG = 'contacts.config'

type Columns = Tables['contacts']

/** The columns of settings, which are the keys of their schema; see `SETTING_COLUMNS`. */
const CONTACT_COLUMNS: readonly (keyof ContactSettings & keyof Columns)[] = keysOf(ContactSettings.shape)

/** The columns that clients do not send. A column that is missing both here and in the schema does not compile. */
type OwnColumn = 'id' | 'team_id' | 'created_at' | 'unagreed_hash' | 'user_id' | 'quiet_hours' | 'time_zone'

/** A contact as stored, with its config sealed. */
export type ContactRow = Pick<Selectable<Columns>, 'id' | keyof ContactSettings>

export async function listContacts(query: Query, vault: Vault, teamId: number): Promise<ContactRecord[]> {
  const rows = await query
    .selectFrom('contacts')
    .select(['id', ...CONTACT_COLUMNS])
    .where('team_id', '=', teamId)
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
  return rows.map((row) => openContact(row, vault))
}

export async function findContact(
  query: Query,
  vault: Vault,
  teamId: number,
  contactId: number,
): Promise<ContactRecord | null> {
  const row = await query
    .selectFrom('contacts')
    .select(['id', ...CONTACT_COLUMNS])
    .where('team_id', '=', teamId)
    .where('id', '=', contactId)
    .executeTakeFirst()
  return row ? openContact(row, vault) : null
}

/**
 * An expression in a statement: the contacts attached to a monitor `alias`, in name order, as a JSON array; NULL for
 * none. OFFSET 0 makes it begin with those attached, not with all of the team.
 */
export function contactsOf(alias: string): string {
  const fields = ['id', ...CONTACT_COLUMNS].map((column) => `'${column}', c.${column}`).join(', ')
  return `(SELECT json_agg(json_build_object(${fields}) ORDER BY lower(c.name) COLLATE "C", c.id)
    FROM (SELECT contact_id FROM subject_contacts WHERE kind = 'monitor' AND subject_id = ${alias}.id OFFSET 0) attached
    JOIN contacts c ON c.id = attached.contact_id WHERE c.team_id = ${alias}.team_id)`
}

/** `user_id`: the member whose browser the contact is. */
export async function insertContact(
  query: Query,
  vault: Vault,
  teamId: number,
  contact: ContactSettings & { unagreed_hash?: Buffer | null; user_id?: number | null },
): Promise<number> {
  return insertRecord(query, 'contacts', teamId, (id) => ({
    ...sealContact(id, contact, vault),
    unagreed_hash: contact.unagreed_hash ?? null,
    user_id: contact.user_id ?? null,
  }))
}

export async function updateContact(
  query: Query,
  vault: Vault,
  teamId: number,
  contactId: number,
  changes: Partial<ContactSettings & { unagreed_hash: Buffer | null }>,
): Promise<boolean> {
  return updateRecord(
    query,
    'contacts',
    { teamId, id: contactId },
    {
      ...pick(changes, CONTACT_COLUMNS),
      config: changes.config && sealConfig(changes.config, contactId, vault),
      unagreed_hash: changes.unagreed_hash,
    },
  )
}

/**
 * Keeps what the service of a contact says of its new address. False if the contact is gone, or no longer has the address
 * that was written to.
 */
export async function moveContact(
  { query }: Database,
  vault: Vault,
  {
    teamId,
    contactId,
    from,
    config,
  }: { teamId: number; contactId: number; from: ContactConfig; config: ContactConfig },
): Promise<boolean> {
  return query.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('contacts')
      .select(['name', 'config', sql<Date>`now()`.as('at')])
      .where('team_id', '=', teamId)
      .where('id', '=', contactId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row || !isDeepStrictEqual(openConfig(row.config, contactId, vault), from)) return false
    await updateContact(transaction, vault, teamId, contactId, { config })
    await insertAudit(transaction, {
      ...{ teamId, at: row.at, userId: null, door: 'receiver', action: 'updateContact' },
      ...{ subject: row.name, subjectId: contactId, fields: ['config'] },
    })
    return true
  })
}

/**
 * Also detaches it from all subjects. Subjects left without contacts alert every contact of the team. In a
 * transaction: its deliveries, which stay, are held in the order in which they are sent.
 */
export async function deleteContact(query: Query, teamId: number, contactId: number): Promise<boolean> {
  await lockContactWithDeliveries(query, teamId, contactId)
  const row = await query
    .deleteFrom('contacts')
    .where('team_id', '=', teamId)
    .where('id', '=', contactId)
    .returning(['id', changeNotification(teamId, 'contacts').as('notified')])
    .executeTakeFirst()
  return row !== undefined
}

/** The contact comes first, as where quiet hours are kept. */
export async function lockContactWithDeliveries(
  query: Query,
  teamId: number,
  contactId: number,
): Promise<void> {
  await sql`SELECT FROM contacts WHERE team_id = ${teamId} AND id = ${contactId} FOR UPDATE`.execute(query)
  await sql`SELECT FROM deliveries WHERE team_id = ${teamId} AND contact_id = ${contactId} AND state = 'pending'
    ORDER BY id FOR NO KEY UPDATE`.execute(query)
}

/** The contacts of the team that are browsers of this member. */
export async function listBrowsersOf(query: Query, teamId: number, userId: number): Promise<Set<number>> {
  const rows = await query
    .selectFrom('contacts')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The IDs among these that belong to contacts of the team. */
export async function knownContactIds(query: Query, teamId: number, ids: number[]): Promise<Set<number>> {
  const possible = ids.filter((id) => id > 0 && id <= MAX_RECORD_ID)
  if (possible.length === 0) return new Set()
  const rows = await query
    .selectFrom('contacts')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', anyOf(possible))
    .orderBy('id')
    // Contacts to attach must not be deleted before the transaction ends.
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export function openConfig(sealed: string, contactId: number, vault: Vault): ContactConfig {
  return JSON.parse(vault.open(sealed, CONFIG, contactId))
}

function sealConfig(config: ContactConfig, contactId: number, vault: Vault): string {
  return vault.seal(JSON.stringify(config), CONFIG, contactId)
}

/** Settings as stored, with the config sealed. */
function sealContact(
  contactId: number,
  settings: ContactSettings,
  vault: Vault,
): Required<Omit<Insertable<Columns>, OwnColumn>> {
  return { ...pick(settings, CONTACT_COLUMNS), config: sealConfig(settings.config, contactId, vault) }
}

export function openContact(row: ContactRow, vault: Vault): ContactRecord {
  return { ...row, config: openConfig(row.config, row.id, vault) }
}
