import type { Insertable } from 'kysely'
import { MonitorSettings } from '../../core/monitors/monitor.ts'
import { keysOf, pick } from '../../core/shape.ts'
import type { Tables } from '../../postgres/tables.ts'
import type { Vault } from '../sealing/vault.ts'

type Columns = Tables['monitors']

/**
 * The columns that hold what clients send: the keys of its schema. INSERT, UPDATE and SELECT are built from this list,
 * so a setting is kept as soon as the schema and the table have it; the type checker holds each against the other.
 *
 * This is the pattern for every record that clients write (see also `CONTACT_COLUMNS`): `core` has one schema of what
 * is sent, a record is what the schema parsed (in snake_case, secrets in the clear) beside what the service adds, its
 * columns are the keys of the schema, and only what is sealed or kept elsewhere is translated, next to the list.
 */
export const SETTING_COLUMNS: readonly (keyof MonitorSettings & keyof Columns)[] = keysOf(
  MonitorSettings.shape,
)

/** The other columns, which nobody sends. One that is named neither here nor in the schema does not compile. */
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

type Secrets = Pick<MonitorSettings, 'request_headers' | 'password'>
type SealedSecrets = Pick<Columns, keyof Secrets>

/** What a probe sends that must not be readable in the database. An empty password is none. */
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
