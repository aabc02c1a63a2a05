import { sql } from 'kysely'
import { NOTHING_SAVED, type SavedSettings } from '../../core/accounts/service-settings.ts'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'

/** Operators have changed a setting, which every process reads again. */
export const SETTINGS_CHANNEL = 'upbeat_settings'

const SMTP_URL = 'service_settings.smtp_url'
/** The one row. */
const ID = 1
/** Arbitrary, but different from our other advisory locks. */
const LOCK = 7_365_063

export async function readSavedSettings(query: Query, vault: Vault): Promise<SavedSettings> {
  const row = await query
    .selectFrom('service_settings')
    .select(['site_url', 'smtp_url', 'mail_from'])
    .where('id', '=', ID)
    .executeTakeFirst()
  if (!row) return NOTHING_SAVED
  const smtp = openOrNothing(vault, row.smtp_url)
  return { siteUrl: row.site_url, mailFrom: row.mail_from, ...smtp }
}

/** A service whose key was lost still starts; an operator saves the mail server again. */
function openOrNothing(vault: Vault, sealed: string | null) {
  try {
    return { smtpUrl: sealed && vault.open(sealed, SMTP_URL, ID), isMailUnreadable: false }
  } catch {
    return { smtpUrl: null, isMailUnreadable: true }
  }
}

/** Serializes changes to the settings until the transaction ends. */
export async function lockSavedSettings(query: Query): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(query)
}

/** Saves the settings that are given, and wakes all processes when the transaction of `query` commits. */
export async function saveSettings(
  query: Query,
  vault: Vault,
  { siteUrl, smtpUrl, mailFrom }: Partial<Omit<SavedSettings, 'isMailUnreadable'>>,
): Promise<void> {
  const values = {
    ...(siteUrl !== undefined && { site_url: siteUrl }),
    ...(smtpUrl !== undefined && { smtp_url: smtpUrl && vault.seal(smtpUrl, SMTP_URL, ID) }),
    ...(mailFrom !== undefined && { mail_from: mailFrom }),
    changed_at: sql<Date>`now()`,
  }
  await query
    .insertInto('service_settings')
    .values({ id: ID, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await sql`SELECT pg_notify(${SETTINGS_CHANNEL}, '')`.execute(query)
}
