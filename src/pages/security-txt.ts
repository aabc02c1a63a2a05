import type { Hono } from 'hono'
import { DAY_MS } from '../core/history/history-span.ts'

const PATH = '/.well-known/security.txt'
/** RFC 9116 recommends an expiry less than a year ahead; it moves on every day. */
const VALID_DAYS = 180

/** Says where to report vulnerabilities (RFC 9116). Not added without a contact. */
export function addSecurityText(
  app: Hono,
  { siteUrl, contact, now }: { siteUrl: string; contact: string | null; now: () => Date },
): void {
  if (contact === null) return
  app.get(PATH, (context) => {
    const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(today + VALID_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${siteUrl}${PATH}`,
    ]
    return context.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'public, max-age=3600' })
  })
}
