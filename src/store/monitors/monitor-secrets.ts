import type { Vault } from '../sealing/vault.ts'

const HEADERS = 'monitors.request_headers'
const PASSWORD = 'monitors.password'
const HEARTBEAT_TOKEN = 'monitors.heartbeat_token'

/** What a probe sends that must not be readable in the database. */
export function openSecrets(
  row: { id: number; request_headers: string | null; password: string | null },
  vault: Vault,
) {
  const headers: Record<string, string> | null =
    row.request_headers === null ? null : JSON.parse(vault.open(row.request_headers, HEADERS, row.id))
  return { requestHeaders: headers, password: row.password && vault.open(row.password, PASSWORD, row.id) }
}

export function sealSecrets(
  monitorId: number,
  settings: { requestHeaders: Record<string, string> | null; password: string | null },
  vault: Vault,
) {
  const { requestHeaders, password } = settings
  return {
    request_headers: requestHeaders && vault.seal(JSON.stringify(requestHeaders), HEADERS, monitorId),
    password: password && vault.seal(password, PASSWORD, monitorId),
  }
}

export function openHeartbeatToken(sealed: string, monitorId: number, vault: Vault): string {
  return vault.open(sealed, HEARTBEAT_TOKEN, monitorId)
}

export function sealHeartbeatToken(token: string, monitorId: number, vault: Vault): string {
  return vault.seal(token, HEARTBEAT_TOKEN, monitorId)
}
