import type { Context, MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import { ASKED_FOR } from '../core/accounts/asked-address.ts'
import { Refusal } from '../core/errors.ts'
import type { Services } from '../operations/services.ts'
import { countWrongSecret, throttleLink } from '../operations/sign-in/throttle.ts'
import { privatePages } from './private-page.ts'

/** Pages that links in letters lead to. Each looks up a secret, for everybody who asks. */
export const MAILED_LINKS = [
  '/ack/:token',
  `${ASKED_FOR.alerts.path}:link`,
  '/confirm-sign-up/:link',
  `${ASKED_FOR.report.path}:link`,
  '/set-password/:link',
  '/verify-email/:link',
]

const NOT_FOUND = 404

/**
 * Limits how often a link is used, and how often one client asks for links that stand for nothing, which take nothing
 * from others behind the same address.
 */
export function limitMailedLinks(
  services: Services,
  addressOf: (context: Context) => string,
  docsPath: string,
): MiddlewareHandler {
  const speakerOf = privatePages(docsPath)
  return async (context, next) => {
    try {
      await throttleLink(services, context.req.path)
      await next()
      if (context.res.status === NOT_FOUND) await countWrongSecret(services, 'letter', addressOf(context))
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'tooManyRequests') throw error
      const { t, render } = speakerOf(context)
      const why = t('Too many requests: wait a minute.')
      const page = await render(t('Not now'), html`<h1>${t('Not now')}</h1><p>${why}</p>`, 429, error.headers)
      // The answer that was made is replaced with its headers.
      context.res = undefined
      context.res = page
      return undefined
    }
  }
}
