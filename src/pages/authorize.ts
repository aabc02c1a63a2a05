import type { Hono } from 'hono'
import { html } from 'hono/html'
import { problemOf, Refusal } from '../core/errors.ts'
import { phrase } from '../core/language/translate.ts'
import { OauthRefusal } from '../core/sign-in/oauth.ts'
import { isOnThisComputer, policySource } from '../core/sign-in/oauth-client.ts'
import { OAUTH_PATHS } from '../core/sign-in/oauth-metadata.ts'
import type { Services } from '../operations/services.ts'
import {
  allowAuthorization,
  beginAuthorization,
  type Consent,
  declineAuthorization,
} from '../operations/sign-in/oauth-consent.ts'
import { authenticateSession, type Session } from '../operations/sign-in/sessions.ts'
import { consentForm, invalidRequest } from './authorize-form.ts'
import { PAGE_HEADERS } from './page.ts'
import { limitForm, privatePages, type Speaker } from './private-page.ts'

const TITLE = phrase('Connect a program')
/** Parameters that the form adds to the program's request. */
const ANSWERS = ['decision', 'team', 'access']

/** The OAuth 2.1 authorization page: the person signs in, if needed, and chooses what the program may do. */
export function addAuthorize(app: Hono, services: Services, docsPath: string): void {
  // With no referrer at all, browsers would not send the form's origin either.
  const speakerOf = privatePages(docsPath, { 'referrer-policy': 'same-origin' })

  const refused = ({ t, render }: Speaker, why: string, status: number, headers = {}) =>
    render(
      t('Not connected'),
      html`<h1>${t('The program is not connected')}</h1><p>${why}</p><p><a href="/">${t('Go to Upbeat')}</a></p>`,
      status,
      headers,
    )

  const ask = (speaker: Speaker, params: URLSearchParams, consent: Consent, fault: string | null) =>
    speaker.render(
      speaker.t(TITLE),
      consentForm(speaker, withoutAnswers(params), consent, fault),
      fault ? 422 : 200,
      {
        'content-security-policy': policyFor(consent.redirectUri),
      },
    )

  /** Shows refusals on a page, because it is not certain which program a redirect would reach. */
  const withPerson = async (
    speaker: Speaker,
    cookie: string | undefined,
    params: URLSearchParams,
    work: (session: Session, consent: Consent) => Promise<Response>,
  ): Promise<Response> => {
    const session = await authenticateSession(services, cookie)
    if (!session) return redirect(signInPath(params))
    try {
      const asking = await beginAuthorization(services, session, params)
      if (asking.kind === 'answer') {
        if (isOnThisComputer(asking.redirectUri)) return redirect(asking.location)
        return speaker.render(speaker.t('Not connected'), invalidRequest(speaker, asking), 400)
      }
      return await work(session, asking.consent)
    } catch (error) {
      if (error instanceof OauthRefusal) return refused(speaker, speaker.sayRefusal(error), 400)
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'unauthorized') return redirect(signInPath(params))
      const why =
        error.code === 'tooManyRequests'
          ? speaker.t('Too many requests: wait a minute.')
          : speaker.sayRefusal(error)
      return refused(speaker, why, problemOf(error.code, {}, services.docsUrl).status, error.headers)
    }
  }

  app.get(OAUTH_PATHS.authorize, (context) => {
    const params = new URL(context.req.url).searchParams
    const speaker = speakerOf(context)
    return withPerson(speaker, context.req.header('cookie'), params, (_session, consent) =>
      ask(speaker, params, consent, null),
    )
  })

  const limit = limitForm(speakerOf)
  app.post(OAUTH_PATHS.authorize, limit, async (context) => {
    const params = new URLSearchParams(await context.req.text())
    const speaker = speakerOf(context)
    return withPerson(speaker, context.req.header('cookie'), params, async (session, consent) => {
      if (params.get('decision') !== 'allow') return redirect(declineAuthorization(services, params, consent))
      try {
        return redirect(await allowAuthorization(services, session, params, consent))
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'validationFailed') throw error
        return ask(speaker, params, consent, speaker.sayRefusal(error))
      }
    })
  })
}

/** The program's request without the form's additions. */
function withoutAnswers(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => !ANSWERS.includes(name)))
}

function signInPath(params: URLSearchParams): string {
  return `/sign-in?${new URLSearchParams({ to: `${OAUTH_PATHS.authorize}?${withoutAnswers(params)}` })}`
}

/** Browsers apply form-action to the redirect after a form, too. */
function policyFor(redirectUri: string): string {
  const own = "form-action 'self'"
  return PAGE_HEADERS['content-security-policy'].replace(own, `${own} ${policySource(redirectUri)}`)
}

function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
