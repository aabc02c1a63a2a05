import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { confirmEmailChange } from '../operations/accounts/email-change.ts'
import { confirmEmail, type EmailLink, readEmailLink } from '../operations/accounts/email-verification.ts'
import type { Services } from '../operations/services.ts'
import { authenticateSession, type Session, type Visitor } from '../operations/sign-in/sessions.ts'
import type { Html } from './page.ts'
import { expiredLinkPage, limitForm, privatePages } from './private-page.ts'
import { passwordForm } from './set-password.ts'

const TITLE = 'Confirm your address'

/**
 * The page behind a link that confirms an address. It asks for a click first, because mail filters open links, too. A
 * person signed in to the account here is asked whether it is their own.
 */
export function addVerifyEmail(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const render = privatePages(docsPath)
  const sessionOf = (context: Context) => authenticateSession(services, context.req.header('cookie'))

  app.get('/verify-email/:link', async (context) => {
    const found = await readEmailLink(services, context.req.param('link'))
    return found ? render(TITLE, question(found, await sessionOf(context)), 200) : expiredLinkPage(render)
  })

  const limit = limitForm(render)
  app.post('/verify-email/:link', limit, async (context) => {
    const link = context.req.param('link')
    const found = await readEmailLink(services, link)
    if (!found) return expiredLinkPage(render)
    const { mine } = await context.req.parseBody()
    const session = mine === 'yes' ? await sessionOf(context) : null
    // A person who chose to keep everything loses nothing if the session has ended in the meantime.
    const isHolder = session?.userId === found.userId
    if (!isHolder && (mine === 'yes' || found.isChange)) return render(TITLE, question(found, null), 422)
    if (found.isChange && session) return change(link, found, session, visitorOf(context))
    const confirmed = await confirmEmail(services, link, session, visitorOf(context))
    if (!confirmed) return expiredLinkPage(render)
    if (confirmed.kind === 'emptied') {
      return render('Confirmed', emptied(found.email, `/set-password/${confirmed.passwordLink}`), 200)
    }
    return render('Confirmed', html`<h1>Your address is confirmed</h1><p>You can close this page.</p>`, 200)
  })

  async function change(link: string, { email }: EmailLink, session: Session, visitor: Visitor) {
    const outcome = await confirmEmailChange(services, link, session, visitor)
    if (outcome === null) return expiredLinkPage(render)
    if (outcome === 'taken') return render('Address taken', taken(email), 409)
    return render('Address changed', changed(email), 200)
  }
}

function question(found: EmailLink, session: Session | null): Html {
  const { email, userId, isFirstProof } = found
  if (found.isChange) return changeForm(found, session?.userId === userId)
  return isFirstProof ? firstForm(email, session?.userId === userId) : plainForm(email)
}

function changeForm({ email, accountEmail }: EmailLink, isHolder: boolean): Html {
  if (!isHolder) {
    return html`<h1>Sign in first</h1><p>This link changes the address of an
account to <strong>${email}</strong>. Open it in the
browser where you are signed in to that account. If you did not ask for this, close this page, and nothing
happens.</p><p><a href="/sign-in">Sign in</a></p>`
  }
  return html`<h1>Change your address</h1>
<p>From now on you sign in with <strong>${email}</strong> instead of <strong>${accountEmail}</strong>, and e-mail about
your account goes there. Contacts of your teams keep the addresses they have.</p>
<form method="post"><input type="hidden" name="mine" value="yes"><button>Change my address</button></form>`
}

function changed(email: string): Html {
  return html`<h1>Your address is changed</h1><p>From now on you sign in with <strong>${email}</strong>.
<a href="/account">Go to your account</a></p>`
}

function taken(email: string): Html {
  return html`<h1>Nothing was changed</h1><p><strong>${email}</strong> has an account of its own by now.</p>`
}

function plainForm(email: string): Html {
  return html`<h1>Confirm your address</h1><p>Is <strong>${email}</strong> yours?</p>
<form method="post"><button>Yes, confirm it</button></form>`
}

function firstForm(email: string, isHolder: boolean): Html {
  const ends = html`<p>This address has not been confirmed before. In case someone else created the account,
confirming ends its password, authenticator app, sessions, passkeys, API tokens and connected programs. You choose a
new password next.</p>
<form method="post"><button>Yes, confirm it</button></form>`
  const keeps = html`<p>You are signed in to this account here. If you created it yourself, and no one else knows its
password, keep everything as it is.</p>
<form method="post"><input type="hidden" name="mine" value="yes"><button>Yes, and keep everything</button></form>`
  return html`<h1>Confirm your address</h1><p>Is <strong>${email}</strong> yours?</p>
${isHolder ? keeps : ''}${ends}`
}

function emptied(email: string, action: string): Html {
  return html`<h1>Your address is confirmed</h1>
<p>All earlier ways to sign in to this account have ended. Choose a new password.</p>
${passwordForm(email, null, action)}`
}
