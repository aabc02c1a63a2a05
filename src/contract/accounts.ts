import * as z from 'zod'
import {
  CodeProof,
  EmailChange,
  FullProof,
  InvitationJoin,
  InvitationLink,
  OwnDeletion,
  OwnTeamCreate,
  PasskeyCreate,
  PasskeySignIn,
  PasswordChange,
  PasswordProof,
  PasswordReset,
  PersonPatch,
  PersonProof,
  SignIn,
  SignUp,
  TeamChoice,
} from '../core/accounts/account.ts'
import { Account, AccountPage, AccountPatch } from '../core/accounts/account-list.ts'
import { AccountEvent } from '../core/accounts/account-log.ts'
import {
  MailTest,
  MailTestBody,
  ServiceSettings,
  ServiceSettingsPatch,
} from '../core/accounts/service-settings.ts'
import {
  InvitationPreview,
  NewPasskey,
  OwnSession,
  OwnTeam,
  Passkey,
  RecoveryCodes,
  SignedIn,
  SignInOptions,
  TotpSetUp,
} from '../core/accounts/signed-in.ts'
import { integerParameter } from '../core/lists/parameter.ts'
import { MAX_NAME_LENGTH, text } from '../core/text.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'

/**
 * Requests of signed-in people about their own account, authenticated by the session cookie. They name no
 * team and need no role.
 */
export type AccountOperation = Pick<
  Operation,
  'method' | 'path' | 'summary' | 'query' | 'body' | 'output'
> & {
  /** Available without signing in. */
  isOpen?: true
  /** Acts on other people's accounts, so only operators may use it. */
  forOperators?: true
  status: 200 | 201 | 202 | 204
}

/** Options for a browser's passkey functions (WebAuthn, `PublicKeyCredentialCreationOptionsJSON` and the like). */
const PasskeyOptions = z.object({ challenge: z.string() })

const AccountQuery = z.object({
  page: integerParameter(1).default(1),
  search: text(MAX_NAME_LENGTH).default(''),
})

export const accountContract = {
  signIn: {
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Sign in with e-mail and password, and a code if the account requires one',
    isOpen: true,
    body: SignIn,
    status: 204,
  },
  signUp: {
    method: 'POST',
    path: '/auth/sign-up',
    summary: 'Sign up, where that is open: to be confirmed by mail (202), or at once without mail (204)',
    isOpen: true,
    body: SignUp,
    status: 202,
  },
  showSignInOptions: {
    method: 'GET',
    path: '/auth/options',
    summary: 'Show the ways to sign in',
    isOpen: true,
    status: 200,
    output: one(SignInOptions),
  },
  signOut: {
    method: 'POST',
    path: '/auth/sign-out',
    summary: 'End the session',
    status: 204,
  },
  showSession: {
    method: 'GET',
    path: '/auth/session',
    summary: 'Show the signed-in user and their teams',
    status: 200,
    output: one(SignedIn),
  },
  updatePerson: {
    method: 'PATCH',
    path: '/auth/person',
    summary: 'Change the name and phone number that others see, and the language of letters',
    body: PersonPatch,
    status: 204,
  },
  chooseTeam: {
    method: 'POST',
    path: '/auth/session/team',
    summary: 'Select the current team',
    body: TeamChoice,
    status: 204,
  },
  listAccountEvents: {
    method: 'GET',
    path: '/auth/log',
    summary: "List security events of the user's account",
    status: 200,
    output: many(AccountEvent),
  },
  listSessions: {
    method: 'GET',
    path: '/auth/sessions',
    summary: "List the user's sessions",
    status: 200,
    output: many(OwnSession),
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/auth/sessions',
    summary: 'End all other sessions',
    status: 204,
  },
  endSession: {
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: 'End a session',
    status: 204,
  },
  changePassword: {
    method: 'POST',
    path: '/auth/password',
    summary: 'Change the password and end all other sessions',
    body: PasswordChange,
    status: 204,
  },
  beginTotp: {
    method: 'POST',
    path: '/auth/totp',
    summary: 'Start setting up an authenticator app',
    body: PasswordProof,
    status: 200,
    output: one(TotpSetUp),
  },
  confirmTotp: {
    method: 'POST',
    path: '/auth/totp/confirm',
    summary: 'Activate the app with one of its codes and end all other sessions',
    body: CodeProof,
    status: 200,
    output: one(RecoveryCodes),
  },
  removeTotp: {
    method: 'POST',
    path: '/auth/totp/remove',
    summary: 'Remove the authenticator app',
    body: FullProof,
    status: 204,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/auth/totp/recovery-codes',
    summary: 'Replace the recovery codes',
    body: FullProof,
    status: 200,
    output: one(RecoveryCodes),
  },
  beginPasskeySignIn: {
    method: 'POST',
    path: '/auth/sign-in/passkey/options',
    summary: 'Get a challenge for signing in with a passkey',
    isOpen: true,
    status: 200,
    output: one(PasskeyOptions),
  },
  signInByPasskey: {
    method: 'POST',
    path: '/auth/sign-in/passkey',
    summary: 'Sign in with a passkey',
    isOpen: true,
    body: PasskeySignIn,
    status: 204,
  },
  beginPasskey: {
    method: 'POST',
    path: '/auth/passkeys/options',
    summary: 'Get a challenge for creating a passkey',
    body: PersonProof,
    status: 200,
    output: one(PasskeyOptions),
  },
  addPasskey: {
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Add a passkey that the browser created',
    body: PasskeyCreate,
    status: 201,
    output: one(NewPasskey),
  },
  listPasskeys: {
    method: 'GET',
    path: '/auth/passkeys',
    summary: "List the user's passkeys",
    status: 200,
    output: many(Passkey),
  },
  removePasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/{id}',
    summary: 'Remove a passkey',
    status: 204,
  },
  createTeam: {
    method: 'POST',
    path: '/auth/teams',
    summary: 'Create a team',
    body: OwnTeamCreate,
    status: 201,
    output: one(OwnTeam),
  },
  previewInvitation: {
    method: 'POST',
    path: '/auth/invitations/look',
    summary: 'Show an invitation',
    isOpen: true,
    body: InvitationLink,
    status: 200,
    output: one(InvitationPreview),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/auth/invitations/accept',
    summary: 'Accept an invitation',
    body: InvitationLink,
    status: 200,
    output: one(OwnTeam),
  },
  joinByInvitation: {
    method: 'POST',
    path: '/auth/invitations/join',
    summary: 'Create an account from an invitation and join the team',
    isOpen: true,
    body: InvitationJoin,
    status: 204,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/auth/password-reset',
    summary: 'Send a link that sets a new password',
    isOpen: true,
    body: PasswordReset,
    status: 202,
  },
  requestEmailChange: {
    method: 'POST',
    path: '/auth/email',
    summary: 'Send a link to a new address, which confirms it as the address of the account',
    body: EmailChange,
    status: 202,
  },
  requestVerification: {
    method: 'POST',
    path: '/auth/email-verification',
    summary: 'Send a link that confirms the address',
    status: 202,
  },
  deleteOwnAccount: {
    method: 'POST',
    path: '/auth/account/delete',
    summary: "Delete the user's account",
    body: OwnDeletion,
    status: 204,
  },
  listAccounts: {
    method: 'GET',
    path: '/auth/accounts',
    summary: 'List all accounts, ordered by name',
    forOperators: true,
    query: AccountQuery,
    status: 200,
    output: one(AccountPage),
  },
  updateAccount: {
    method: 'PATCH',
    path: '/auth/accounts/{id}',
    summary: 'Enable or disable an account, or make its holder an operator or not',
    forOperators: true,
    body: AccountPatch,
    status: 200,
    output: one(Account),
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/auth/accounts/{id}',
    summary: 'Delete an account',
    forOperators: true,
    status: 204,
  },
  showServiceSettings: {
    method: 'GET',
    path: '/auth/service-settings',
    summary: 'Show the public address and the mail server of the service',
    forOperators: true,
    status: 200,
    output: one(ServiceSettings),
  },
  updateServiceSettings: {
    method: 'PATCH',
    path: '/auth/service-settings',
    summary: 'Change the public address and the mail server of the service',
    forOperators: true,
    body: ServiceSettingsPatch,
    status: 200,
    output: one(ServiceSettings),
  },
  testMail: {
    method: 'POST',
    path: '/auth/mail-tests',
    summary: 'Send a mail to oneself by settings that are not saved yet',
    forOperators: true,
    body: MailTestBody,
    status: 201,
    output: one(z.object({ id: z.int() })),
  },
  showMailTest: {
    method: 'GET',
    path: '/auth/mail-tests/{id}',
    summary: 'Show what has become of such a mail',
    forOperators: true,
    status: 200,
    output: one(MailTest),
  },
} as const satisfies Record<string, AccountOperation>

export type AccountContract = typeof accountContract
export type AccountOperationId = keyof AccountContract
