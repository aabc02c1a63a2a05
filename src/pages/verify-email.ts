import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { phrase, type Translator } from '../core/language/translate.ts'
import { confirmEmailChange } from '../operations/accounts/email-change.ts'
import { confirmEmail, type EmailLink, readEmailLink } from '../operations/accounts/email-verification.ts'
import type { Services } from '../operations/services.ts'
import { authenticateSession, type Session, type Visitor } from '../operations/sign-in/sessions.ts'
import { addLinkPage } from './link-page.ts'
import { type Html, strong } from './page.ts'
import { expiredLinkPage, privatePages, type Speaker } from './private-page.ts'
import { passwordForm } from './set-password.ts'

const TITLE = phrase('Confirm your address')

/** The page behind a link that confirms an address. A person signed in to the account here is asked whether it is their own. */
export function addVerifyEmail(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const speakerOf = privatePages(docsPath)
  const sessionOf = (context: Context) => authenticateSession(services, context.req.header('cookie'))

  addLinkPage(app, '/verify-email/:link', speakerOf, {
    read: (link) => readEmailLink(services, link),
    ask: async ({ speaker, context, found }) =>
      speaker.render(speaker.t(TITLE), question(speaker, found, await sessionOf(context)), 200),
    async submit({ speaker, context, link, found }) {
      const { t, render } = speaker
      const { mine } = await context.req.parseBody()
      const session = mine === 'yes' ? await sessionOf(context) : null
      // A person who chose to keep everything loses nothing if the session has ended in the meantime.
      const isHolder = session?.userId === found.userId
      if (!isHolder && (mine === 'yes' || found.isChange)) {
        return render(t(TITLE), question(speaker, found, null), 422)
      }
      if (found.isChange && session) return change(speaker, link, found, session, visitorOf(context))
      const confirmed = await confirmEmail(services, link, session, visitorOf(context))
      if (!confirmed) return expiredLinkPage(speaker)
      if (confirmed.kind === 'emptied') {
        const action = `/set-password/${confirmed.passwordLink}`
        return render(t('Confirmed'), emptied(speaker, found.email, action), 200)
      }
      const kept = html`<h1>${t('Your address is confirmed')}</h1><p>${t('You can close this page.')}</p>`
      return render(t('Confirmed'), kept, 200)
    },
  })

  async function change(
    speaker: Speaker,
    link: string,
    { email }: EmailLink,
    session: Session,
    visitor: Visitor,
  ): Promise<Response> {
    const { t, render } = speaker
    const outcome = await confirmEmailChange(services, link, session, visitor)
    if (outcome === null) return expiredLinkPage(speaker)
    if (outcome === 'taken') return render(t('Address taken'), taken(speaker, email), 409)
    return render(t('Address changed'), changed(speaker, email), 200)
  }
}

function question(translator: Translator, found: EmailLink, session: Session | null): Html {
  const { email, userId, isFirstProof } = found
  if (found.isChange) return changeForm(translator, found, session?.userId === userId)
  return isFirstProof
    ? firstForm(translator, email, session?.userId === userId)
    : plainForm(translator, email)
}

function changeForm({ t, rich }: Translator, { email, accountEmail }: EmailLink, isHolder: boolean): Html {
  if (!isHolder) {
    const asks = rich(
      'This link changes the address of an account to <strong>{email}</strong>. Open it in the browser where you are signed in to that account. If you did not ask for this, close this page, and nothing happens.',
      { strong, email },
    )
    return html`<h1>${t('Sign in first')}</h1><p>${asks}</p><p><a href="/sign-in">${t('Sign in')}</a></p>`
  }
  const effect = rich(
    'From now on you sign in with <strong>{email}</strong> instead of <strong>{accountEmail}</strong>, and e-mail about your account goes there. Contacts of your teams keep the addresses they have.',
    { strong, email, accountEmail },
  )
  return html`<h1>${t('Change your address')}</h1>
<p>${effect}</p>
<form method="post"><input type="hidden" name="mine" value="yes"><button>${t('Change my address')}</button></form>`
}

function changed({ t, rich }: Translator, email: string): Html {
  const effect = rich('From now on you sign in with <strong>{email}</strong>.', { strong, email })
  return html`<h1>${t('Your address is changed')}</h1><p>${effect}
<a href="/account">${t('Go to your account')}</a></p>`
}

function taken({ t, rich }: Translator, email: string): Html {
  const why = rich('<strong>{email}</strong> has an account of its own by now.', { strong, email })
  return html`<h1>${t('Nothing was changed')}</h1><p>${why}</p>`
}

function plainForm({ t, rich }: Translator, email: string): Html {
  return html`<h1>${t('Confirm your address')}</h1><p>${rich('Is <strong>{email}</strong> yours?', { strong, email })}</p>
<form method="post"><button>${t('Yes, confirm it')}</button></form>`
}

function firstForm({ t, rich }: Translator, email: string, isHolder: boolean): Html {
  const ends = html`<p>${t('This address has not been confirmed before. In case someone else created the account, confirming ends its password, authenticator app, sessions, passkeys, API tokens and connected programs. You choose a new password next.')}</p>
<form method="post"><button>${t('Yes, confirm it')}</button></form>`
  const keeps = html`<p>${t('You are signed in to this account here. If you created it yourself, and no one else knows its password, keep everything as it is.')}</p>
<form method="post"><input type="hidden" name="mine" value="yes"><button>${t('Yes, and keep everything')}</button></form>`
  return html`<h1>${t('Confirm your address')}</h1><p>${rich('Is <strong>{email}</strong> yours?', { strong, email })}</p>
${isHolder ? keeps : ''}${ends}`
}

function emptied(translator: Translator, email: string, action: string): Html {
  const { t } = translator
  return html`<h1>${t('Your address is confirmed')}</h1>
<p>${t('All earlier ways to sign in to this account have ended. Choose a new password.')}</p>
${passwordForm(translator, email, null, action)}`
}
