import type { Hono } from 'hono'
import { DAY_MS } from '../core/history/history-span.ts'
import type { Services } from '../operations/services.ts'

const PATH = '/.well-known/security.txt'
/** RFC 9116 recommends an expiry less than a year ahead; it moves on every day. */
const VALID_DAYS = 180

/** Says where to report vulnerabilities (RFC 9116). Not added without a contact. */
export function addSecurityText(
  app: Hono,
  services: Pick<Services, 'siteUrl' | 'now'>,
  contact: string | null,
): void {
  if (contact === null) return
  app.get(PATH, (context) => {
    const today = Math.floor(services.now().getTime() / DAY_MS) * DAY_MS
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(today + VALID_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${services.siteUrl}${PATH}`,
    ]
    return context.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'public, max-age=3600' })
  })
}
