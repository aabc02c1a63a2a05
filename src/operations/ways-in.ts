import type { Services } from './services.ts'
import { isSignUpOpen } from './sign-up.ts'

/** What a sign-in page can offer. */
export async function describeWaysIn(services: Services) {
  return { signup: await isSignUpOpen(services), mail: services.hasMail, passkeys: true }
}
