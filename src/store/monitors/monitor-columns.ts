import type { Insertable } from 'kysely'
import { MonitorSettings } from '../../core/monitors/monitor.ts'
import type { SecretSetting } from '../../core/monitors/secret-settings.ts'
import { keysOf, pick } from '../../core/shape.ts'
import type { Tables } from '../../postgres/tables.ts'
import type { Vault } from '../sealing/vault.ts'

type Columns = Tables['monitors']

/**
 * The columns that hold settings: the keys of their schema. INSERT, UPDATE and SELECT are built from this list, so a
 * setting is stored as soon as the schema and the table have it. The type checker compares the two, in both directions.
 *
 * Every record that clients write follows this pattern (see also `CONTACT_COLUMNS`). `core` has one schema of its
 * settings. The record is the parsed body (snake_case, secrets in the clear) with the service's own fields beside it.
 * The columns are the keys of the schema. Only sealed fields, and fields stored in other tables, are translated, and
 * that stands beside the list.
 */
export const SETTING_COLUMNS: readonly (keyof MonitorSettings & keyof Columns)[] = keysOf(
  MonitorSettings.shape,
)

/** The columns that no client sends. A column that is neither here nor in the schema does not compile. */
type OwnColumn =
  | 'id'
  | 'team_id'
  | 'heartbeat_token'
  | 'heartbeat_token_hash'
  | 'slot'
  | 'revision'
  | 'changed_at'
  | 'created_at'
  | 'deleted_at'
  | 'check_requested_at'
  | 'badge_id'

/** Settings as their columns have them. */
export function sealSettings(
  monitorId: number,
  settings: MonitorSettings,
  vault: Vault,
): Required<Omit<Insertable<Columns>, OwnColumn>> {
  return { ...pick(settings, SETTING_COLUMNS), ...sealSecrets(monitorId, settings, vault) }
}

const HEADERS = 'monitors.request_headers'
const PASSWORD = 'monitors.password'
const HEARTBEAT_TOKEN = 'monitors.heartbeat_token'

type Secrets = Pick<MonitorSettings, SecretSetting>
type SealedSecrets = Pick<Columns, keyof Secrets>

/** Sealed, so that nobody can read in the database what a probe sends. An empty password is none. */
function sealSecrets(monitorId: number, { request_headers, password }: Secrets, vault: Vault): SealedSecrets {
  return {
    request_headers: request_headers && vault.seal(JSON.stringify(request_headers), HEADERS, monitorId),
    password: password ? vault.seal(password, PASSWORD, monitorId) : null,
  }
}

export function openSecrets(row: SealedSecrets & { id: number }, vault: Vault): Secrets {
  const { id, request_headers, password } = row
  return {
    request_headers: request_headers && JSON.parse(vault.open(request_headers, HEADERS, id)),
    password: password && vault.open(password, PASSWORD, id),
  }
}

export function openHeartbeatToken(sealed: string, monitorId: number, vault: Vault): string {
  return vault.open(sealed, HEARTBEAT_TOKEN, monitorId)
}

export function sealHeartbeatToken(token: string, monitorId: number, vault: Vault): string {
  return vault.seal(token, HEARTBEAT_TOKEN, monitorId)
}
