import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { problemOf, Refusal } from '../core/errors.ts'
import { said } from '../core/language/said.ts'
import type { Services } from '../operations/services.ts'
import {
  beginOidc,
  endedOidcCookie,
  finishOidc,
  OIDC_CALLBACK,
  type Redirect,
} from '../operations/sign-in/oidc.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import type { Html } from './page.ts'
import { privatePages, type Speaker } from './private-page.ts'

/**
 * Sends people to the identity provider and back; shows a page with the reason if they are refused. Not added without a
 * provider.
 */
export function addOidc(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const provider = services.oidc
  if (!provider) return
  const speakerOf = privatePages(docsPath)

  const answer = async (context: Context, work: () => Promise<Redirect>) => {
    try {
      return redirect(await work())
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status } = problemOf(error.code, {}, services.docsUrl)
      const headers = { ...error.headers, 'set-cookie': endedOidcCookie(services) }
      const speaker = speakerOf(context)
      return speaker.render(speaker.t('Not signed in'), refused(speaker, error), status, headers)
    }
  }

  app.get('/auth/oidc', (context) =>
    answer(context, async () => {
      // The person must see the page: no one signs in through an image or a frame.
      const { 'sec-fetch-dest': shownAs = 'document' } = context.req.header()
      if (shownAs !== 'document')
        throw new Refusal('forbidden', { detail: said('Open this address itself.') })
      return beginOidc(services, provider, context.req.query('return_to'), visitorOf(context))
    }),
  )

  app.get(OIDC_CALLBACK, (context) => {
    const returned = { cookie: context.req.header('cookie'), search: new URL(context.req.url).search }
    return answer(context, () => finishOidc(services, provider, returned, visitorOf(context)))
  })
}

function redirect({ location, cookies }: Redirect): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

function refused({ t, rich, sayRefusal }: Speaker, refusal: Refusal): Html {
  const isHasty = refusal.code === 'tooManyRequests'
  const why = isHasty ? t('Too many attempts: wait ten minutes.') : sayRefusal(refusal)
  const ways = rich('<again>Try again</again> or <back>go back</back>.', {
    again: (inside) => html`<a href="/auth/oidc">${inside}</a>`,
    back: (inside) => html`<a href="/">${inside}</a>`,
  })
  return html`<h1>${t('You are not signed in')}</h1><p>${why}</p>
<p>${ways}</p>`
}
