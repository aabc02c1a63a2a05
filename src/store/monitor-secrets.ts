import type { Vault } from './vault.ts'

const HEADERS = 'monitors.request_headers'
const PASSWORD = 'monitors.password'
const HEARTBEAT_TOKEN = 'monitors.heartbeat_token'

/** What a probe sends that must not be readable in the database. */
export function openSecrets(row: { request_headers: string | null; password: string | null }, vault: Vault) {
  const headers: Record<string, string> | null =
    row.request_headers === null ? null : JSON.parse(vault.open(row.request_headers, HEADERS))
  return { requestHeaders: headers, password: row.password && vault.open(row.password, PASSWORD) }
}

export function sealSecrets(
  settings: { requestHeaders: Record<string, string> | null; password: string | null },
  vault: Vault,
) {
  return {
    request_headers: settings.requestHeaders && vault.seal(JSON.stringify(settings.requestHeaders), HEADERS),
    password: settings.password && vault.seal(settings.password, PASSWORD),
  }
}

export function openHeartbeatToken(sealed: string, vault: Vault): string {
  return vault.open(sealed, HEARTBEAT_TOKEN)
}

export function sealHeartbeatToken(token: string, vault: Vault): string {
  return vault.seal(token, HEARTBEAT_TOKEN)
}
