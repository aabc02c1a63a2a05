import * as z from 'zod'
import { Instant } from '../instant.ts'
import { phrase } from '../language/phrase.ts'

/** Security events of an account. Its holder sees each in the account's log and gets a mail about it. */
export const AccountEventKind = z.enum([
  'password_changed',
  'password_set',
  'address_confirmed',
  'account_emptied',
  'address_change_asked',
  'address_changed',
  'authenticator_added',
  'authenticator_removed',
  'recovery_codes_renewed',
  'second_factor_reset',
  'passkey_added',
  'passkey_removed',
  'api_token_created',
  'program_connected',
])
export type AccountEventKind = z.infer<typeof AccountEventKind>

export const AccountEvent = z.object({
  id: z.int(),
  at: Instant,
  kind: AccountEventKind,
  /** The name of the affected object at the time. */
  detail: z.string().nullable(),
  /** Null when the event did not come from a browser. */
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
})
export type AccountEvent = z.infer<typeof AccountEvent>

/** Title and consequence of each event, for the log and for mails. */
export const ACCOUNT_EVENT_WORDS: Record<AccountEventKind, { title: string; effect: string }> = {
  password_changed: {
    title: phrase('Your password was changed'),
    effect: 'Your other sessions have ended, and so have the programs that you let in.',
  },
  password_set: {
    title: phrase('A new password was set by a link'),
    effect: 'Your sessions and passkeys have ended, and so have the programs that you let in.',
  },
  address_confirmed: {
    title: phrase('Your address was confirmed'),
    effect: 'Everything else stays as it was.',
  },
  account_emptied: {
    title: phrase('Your address was proved for the first time'),
    effect:
      'Every older password, authenticator app, session, passkey, API token, program and invitation of the account has ended.',
  },
  address_change_asked: {
    title: phrase('Another address was asked for'),
    effect: 'Nothing changes until the link in the letter to that address is used by who is signed in.',
  },
  address_changed: {
    title: phrase('The address of your account was changed'),
    effect:
      'Letters about your account go to the new one, which signs in. Contacts keep the addresses they have.',
  },
  authenticator_added: {
    title: phrase('An authenticator app was set up'),
    effect: 'Signing in by password wants its code as well. Your other sessions have ended.',
  },
  authenticator_removed: {
    title: phrase('Your authenticator app was removed'),
    effect: 'The password alone signs in.',
  },
  recovery_codes_renewed: {
    title: phrase('Your recovery codes were replaced'),
    effect: 'The older ones do not work any more.',
  },
  second_factor_reset: {
    title: phrase('The operator removed your second factor'),
    effect:
      'The password alone signs in: no authenticator app and no passkey is left. Your sessions have ended.',
  },
  passkey_added: { title: phrase('A passkey was added'), effect: 'It signs in without a password.' },
  passkey_removed: { title: phrase('A passkey was removed'), effect: 'It does not sign in any more.' },
  api_token_created: {
    title: phrase('An API token was created'),
    effect: 'It acts with your role in its team.',
  },
  program_connected: {
    title: phrase('A program was let in'),
    effect: 'It acts for you in one team until you end it among the API tokens.',
  },
}
