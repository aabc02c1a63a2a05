import { randomBytes } from 'node:crypto'
import type { Services } from '../services.ts'
import { makeCookie, readCookie } from './cookies.ts'

const COOKIE = 'upbeat_device'
const PURPOSE = 'device'
const LIFETIME_SECONDS = 180 * 24 * 3_600
/** People may share a browser: beyond this number, the oldest is forgotten. */
const MAX_PEOPLE = 10

/** A browser in which the right password was given before. Only the browser stores this, sealed. */
export type KnownDevice = { id: string; userIds: number[]; expiresAtMs: number }

/** Null when the browser carries no valid device cookie. */
export function readDevice(services: Services, cookieHeader: string | undefined): KnownDevice | null {
  try {
    const sealed = readCookie(services, cookieHeader, COOKIE) ?? ''
    const device = JSON.parse(services.vault.open(sealed, PURPOSE, null)) as KnownDevice
    return device.expiresAtMs > services.now().getTime() ? device : null
  } catch {
    return null
  }
}

/** The `Set-Cookie` that also marks this browser as known for the user. */
export function rememberDevice(services: Services, known: KnownDevice | null, userId: number): string {
  const others = (known?.userIds ?? []).filter((id) => id !== userId)
  const device: KnownDevice = {
    id: known?.id ?? randomBytes(12).toString('base64url'),
    userIds: [...others, userId].slice(-MAX_PEOPLE),
    expiresAtMs: services.now().getTime() + LIFETIME_SECONDS * 1_000,
  }
  return makeCookie(
    services,
    COOKIE,
    services.vault.seal(JSON.stringify(device), PURPOSE, null),
    LIFETIME_SECONDS,
  )
}
