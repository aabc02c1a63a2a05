import type { Insertable } from 'kysely'
import { MonitorSettings } from '../../core/monitors/monitor.ts'
import { putSecrets, takeSecrets } from '../../core/monitors/options/secret-options.ts'
import type { SecretSetting } from '../../core/monitors/secret-settings.ts'
import { keysOf } from '../../core/shape.ts'
import type { Tables } from '../../postgres/tables.ts'
import { openAddress, sealAddress } from '../sealing/sealed-address.ts'
import type { Vault } from '../sealing/vault.ts'

type Columns = Tables['monitors']

/**
 * The columns of settings, which are the keys of their schema. INSERT, UPDATE and SELECT are built from this list, so
 * a setting that the schema and the table have is stored. The type checker compares the two in both directions.
 *
 * All records that clients write follow this pattern (see also `CONTACT_COLUMNS`). `core` has one schema of their
 * settings. A record is the parsed body (snake_case, secrets in the clear) plus the service's own fields. Only sealed
 * fields and fields of other tables are translated, next to the list.
 */
export const SETTING_COLUMNS: readonly (keyof MonitorSettings & keyof Columns)[] = keysOf(
  MonitorSettings.shape,
)

/** The columns that clients do not send. A column that is missing both here and in the schema does not compile. */
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
  | 'tags'

/** Settings as stored, with secrets sealed. */
export function sealSettings(
  monitorId: number,
  settings: MonitorSettings,
  vault: Vault,
): Required<Omit<Insertable<Columns>, OwnColumn>> {
  const { plain, sealed } =
    settings.url === null
      ? { plain: null, sealed: null }
      : sealAddress(settings.url, SEALED_URL, monitorId, vault)
  return {
    ...settings,
    ...sealSecrets(monitorId, settings, vault),
    ...sealOptions(monitorId, settings, vault),
    url: plain,
    sealed_url: sealed,
  }
}

export const SEALED_URL = 'monitors.sealed_url'
const HEADERS = 'monitors.request_headers'
const PASSWORD = 'monitors.password'
const SEALED_OPTIONS = 'monitors.sealed_options'
const HEARTBEAT_TOKEN = 'monitors.heartbeat_token'

type Secrets = Pick<MonitorSettings, SecretSetting>
type Options = Pick<MonitorSettings, 'options'>
/** Secret settings as stored. */
export type SealedSecrets = Pick<Columns, keyof Secrets>
/** Options as stored, with masks in place of their secrets. */
export type SealedOptions = Partial<Pick<Columns, 'options' | 'sealed_options'>>
/** A target as stored. */
export type SealedUrl = { id: number; url: string | null; sealed_url?: string | null }

/** The target as it was given. */
export function openUrl({ id, url, sealed_url = null }: SealedUrl, vault: Vault): string | null {
  return url === null ? null : openAddress({ plain: url, sealed: sealed_url }, SEALED_URL, id, vault)
}

/** Sealed, so that a stolen database does not reveal what probes send. An empty password is stored as null. */
function sealSecrets(monitorId: number, { request_headers, password }: Secrets, vault: Vault): SealedSecrets {
  return {
    request_headers: request_headers && vault.seal(JSON.stringify(request_headers), HEADERS, monitorId),
    password: password ? vault.seal(password, PASSWORD, monitorId) : null,
  }
}

/** Without a secret the options stand in one column, as they are. */
function sealOptions(
  monitorId: number,
  { options }: Options,
  vault: Vault,
): Pick<Columns, 'options' | 'sealed_options'> {
  if (options === null) return { options, sealed_options: null }
  const { plain, secrets } = takeSecrets(options)
  const sealed = secrets.length > 0 ? vault.seal(JSON.stringify(secrets), SEALED_OPTIONS, monitorId) : null
  return { options: plain, sealed_options: sealed }
}

function openOptions(
  id: number,
  { options = null, sealed_options = null }: SealedOptions,
  vault: Vault,
): MonitorSettings['options'] {
  if (sealed_options === null) return options
  return putSecrets(options, JSON.parse(vault.open(sealed_options, SEALED_OPTIONS, id)))
}

export function openSecrets(
  row: SealedSecrets & SealedUrl & SealedOptions,
  vault: Vault,
): Secrets & Options & Pick<MonitorSettings, 'url'> {
  const { id, request_headers, password } = row
  return {
    url: openUrl(row, vault),
    options: openOptions(id, row, vault),
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
