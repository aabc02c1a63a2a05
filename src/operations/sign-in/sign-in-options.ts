import { hasAccounts } from '../accounts/setup.ts'
import type { Services } from '../services.ts'
import { isSignUpOpen } from './sign-up.ts'

/** Lists the ways to sign in, for the sign-in page. */
export async function describeSignInOptions(services: Services) {
  const { oidc, hasMail, siteUrl, docsUrl } = services
  return {
    is_set_up: await hasAccounts(services),
    oidc: oidc && { name: oidc.name },
    signup: await isSignUpOpen(services),
    mail: hasMail,
    passkeys: true,
    site_url: siteUrl,
    docs_url: docsUrl,
  }
}
