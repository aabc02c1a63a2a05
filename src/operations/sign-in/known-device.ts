import { randomBytes } from 'node:crypto'
import type { Services } from '../services.ts'
import { makeCookie, readCookie } from './cookies.ts'

const COOKIE = 'upbeat_device'
const PURPOSE = 'device'
const LIFETIME_SECONDS = 180 * 24 * 3_600
/** Of people who share a browser: more are forgotten, the one who came first before the others. */
const MAX_PEOPLE = 10

/** A browser in which somebody gave the right password before. Only the browser keeps that, sealed. */
export type KnownDevice = { id: string; userIds: number[]; expiresAtMs: number }

/** Null when the browser is known for nobody. */
export function readDevice(services: Services, cookieHeader: string | undefined): KnownDevice | null {
  try {
    const sealed = readCookie(services, cookieHeader, COOKIE) ?? ''
    const device = JSON.parse(services.vault.open(sealed, PURPOSE, null)) as KnownDevice
    return device.expiresAtMs > services.now().getTime() ? device : null
  } catch {
    return null
  }
}

/** The `Set-Cookie` by which the browser is known for a user, too, from now on. */
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
