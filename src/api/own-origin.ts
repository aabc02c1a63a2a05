import type { HonoRequest, MiddlewareHandler } from 'hono'
import { Refusal } from '../core/errors.ts'
import { said } from '../core/language/said.ts'
import { isOwnOrigin } from '../core/sign-in/session.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { toResponse, withSentences } from './respond.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Allows changes by cookie from our own pages only, in addition to the SameSite attribute of all cookies. */
export function refuseForeignOrigins(services: Services): MiddlewareHandler {
  return async ({ req }, next) => {
    if (SAFE_METHODS.has(req.method) || isFromOwnPages(services, req)) return next()
    const detail = said('The request comes from a page of another site.')
    return toResponse(withSentences(refusalAnswer(services, new Refusal('forbidden', { detail }))))
  }
}

/** Whether no header that browsers set names another site. */
export function isFromOwnPages({ siteUrl }: Pick<Services, 'siteUrl'>, req: HonoRequest): boolean {
  const site = req.header('sec-fetch-site')
  return (
    (site === undefined || site === 'same-origin' || site === 'none') &&
    isOwnOrigin(req.header('origin'), req.header('host'), siteUrl)
  )
}
