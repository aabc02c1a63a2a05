import type { Context, Hono } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { DOCUMENT_HEADERS } from '../core/document-headers.ts'
import { problemOf, Refusal } from '../core/errors.ts'
import { type Badge, BadgeKind, refusedBadge } from '../core/monitors/badge.ts'
import { readBadge } from '../operations/monitors/badges.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import type { ClientAddress } from './request.ts'
import { readRequest } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

/** Badges may appear on anyone's pages, as images and as data, and nothing in them may run or load anything. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'content-security-policy': "default-src 'none'",
  ...DOCUMENT_HEADERS.shared,
}
const FRESH = { 'cache-control': 'public, max-age=60' }
const NOT_KEPT = { 'cache-control': 'no-store' }

/** The badges of monitors. They need no token: knowing the id in the path is enough. */
export function addBadges(app: Hono, services: Services, clientAddress: ClientAddress): void {
  app.use('/badge/*', etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(HEADERS)] }))

  const read = (context: Context, kind: BadgeKind) => {
    context.set('operation', 'badge')
    const { params, query } = readRequest(context)
    return readBadge(services, { badgeId: params.badge ?? '', kind, query, address: clientAddress(context) })
  }

  for (const kind of BadgeKind.options) {
    const route = `/badge/:badge/${kind}`

    app.get(`${route}.json`, async (context) => {
      try {
        const body = { schemaVersion: 1, ...(await read(context, kind)) }
        return toResponse({ status: 200, body, headers: { ...HEADERS, ...FRESH } })
      } catch (error) {
        return toResponse(refusalAnswer(services, error, { ...HEADERS, ...NOT_KEPT }))
      }
    })

    app.get(`${route}.svg`, async (context) => {
      try {
        return picture(200, await read(context, kind), FRESH)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { status, title } = problemOf(error.code, {}, services.docsUrl)
        return picture(status, refusedBadge(kind, reasonOf(error, title)), { ...NOT_KEPT, ...error.headers })
      }
    })

    for (const path of [`${route}.json`, `${route}.svg`]) {
      refuseOtherMethods(app, services, path, new Set(['GET']))
    }
  }
}

/** A few words: a picture has room for no sentence. */
function reasonOf({ code, members }: Refusal, title: string): string {
  if (code !== 'validationFailed') return title.toLowerCase()
  return `invalid ${Object.keys(members.errors as object).join(', ')}`
}

async function picture(status: number, badge: Badge, headers: Record<string, string>): Promise<Response> {
  // Its tables of letter widths take a while to load, which must not delay the service's start.
  const { makeBadge } = await import('badge-maker')
  const { label, message, color } = badge
  return new Response(makeBadge({ label, message, color }), {
    status,
    headers: { ...HEADERS, ...headers, 'content-type': 'image/svg+xml' },
  })
}
