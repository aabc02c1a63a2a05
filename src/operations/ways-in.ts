import type { Services } from './services.ts'
import { isSignUpOpen } from './sign-up.ts'

/** What a sign-in page can offer. */
export async function describeWaysIn(services: Services) {
  const { oidc, hasMail, docsUrl } = services
  return {
    oidc: oidc && { name: oidc.name },
    signup: await isSignUpOpen(services),
    mail: hasMail,
    passkeys: true,
    docs_url: docsUrl,
  }
}
