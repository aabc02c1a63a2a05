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
  InvitationLook,
  NewPasskey,
  OwnSession,
  OwnTeam,
  Passkey,
  RecoveryCodes,
  SignedIn,
  TotpSetUp,
  WaysIn,
} from '../core/accounts/signed-in.ts'
import { MAX_NAME_LENGTH, text } from '../core/text.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'
import { integerParameter } from './query.ts'

/** What people ask for about their own account, by a cookie. No team is named, and no role is needed. */
export type AccountOperation = Pick<
  Operation,
  'method' | 'path' | 'summary' | 'query' | 'body' | 'output'
> & {
  /** Whether one need not be signed in. */
  isOpen?: true
  /** Whether it is about others' accounts, and so for who runs the service. */
  forOperators?: true
  status: 200 | 201 | 202 | 204
}

/** What a browser's passkey functions are given (WebAuthn, `PublicKeyCredentialCreationOptionsJSON` and its like). */
const PasskeyOptions = z.object({ challenge: z.string() })

const AccountQuery = z.object({
  page: integerParameter(1).default(1),
  search: text(MAX_NAME_LENGTH).default(''),
})

export const accountContract = {
  signIn: {
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Sign in by e-mail and password, and a code where the account wants one',
    isOpen: true,
    body: SignIn,
    status: 204,
  },
  signUp: {
    method: 'POST',
    path: '/auth/sign-up',
    summary:
      'Make an account, where everybody may: confirmed by a letter (202), or at once without mail (204)',
    isOpen: true,
    body: SignUp,
    status: 202,
  },
  showWaysIn: {
    method: 'GET',
    path: '/auth/options',
    summary: 'Show how one can sign in here',
    isOpen: true,
    status: 200,
    output: one(WaysIn),
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
    summary: 'Show who is signed in, and in which teams',
    status: 200,
    output: one(SignedIn),
  },
  updatePerson: {
    method: 'PATCH',
    path: '/auth/person',
    summary: 'Change the name that others see',
    body: PersonPatch,
    status: 204,
  },
  chooseTeam: {
    method: 'POST',
    path: '/auth/session/team',
    summary: 'Note which team is looked at',
    body: TeamChoice,
    status: 204,
  },
  listAccountEvents: {
    method: 'GET',
    path: '/auth/log',
    summary: "Show what was done to one's account",
    status: 200,
    output: many(AccountEvent),
  },
  listSessions: {
    method: 'GET',
    path: '/auth/sessions',
    summary: "List one's sessions",
    status: 200,
    output: many(OwnSession),
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/auth/sessions',
    summary: 'End all sessions but this one',
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
    summary: 'Change the password; all other sessions end',
    body: PasswordChange,
    status: 204,
  },
  beginTotp: {
    method: 'POST',
    path: '/auth/totp',
    summary: 'Start to set up an authenticator app',
    body: PasswordProof,
    status: 200,
    output: one(TotpSetUp),
  },
  confirmTotp: {
    method: 'POST',
    path: '/auth/totp/confirm',
    summary: 'Take the app into use by one of its codes; all other sessions end',
    body: CodeProof,
    status: 200,
    output: one(RecoveryCodes),
  },
  removeTotp: {
    method: 'POST',
    path: '/auth/totp/remove',
    summary: 'Stop asking for codes',
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
    summary: 'Ask for something that a passkey can sign',
    isOpen: true,
    status: 200,
    output: one(PasskeyOptions),
  },
  signInByPasskey: {
    method: 'POST',
    path: '/auth/sign-in/passkey',
    summary: 'Sign in by a passkey',
    isOpen: true,
    body: PasskeySignIn,
    status: 204,
  },
  beginPasskey: {
    method: 'POST',
    path: '/auth/passkeys/options',
    summary: 'Start to make a passkey',
    body: PersonProof,
    status: 200,
    output: one(PasskeyOptions),
  },
  addPasskey: {
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Keep a passkey that a browser made',
    body: PasskeyCreate,
    status: 201,
    output: one(NewPasskey),
  },
  listPasskeys: {
    method: 'GET',
    path: '/auth/passkeys',
    summary: "List one's passkeys",
    status: 200,
    output: many(Passkey),
  },
  removePasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/{id}',
    summary: 'Forget a passkey',
    status: 204,
  },
  createTeam: {
    method: 'POST',
    path: '/auth/teams',
    summary: 'Make a team of one’s own',
    body: OwnTeamCreate,
    status: 201,
    output: one(OwnTeam),
  },
  lookAtInvitation: {
    method: 'POST',
    path: '/auth/invitations/look',
    summary: 'Show into what an invitation leads',
    isOpen: true,
    body: InvitationLink,
    status: 200,
    output: one(InvitationLook),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/auth/invitations/accept',
    summary: 'Join a team by an invitation',
    body: InvitationLink,
    status: 200,
    output: one(OwnTeam),
  },
  joinByInvitation: {
    method: 'POST',
    path: '/auth/invitations/join',
    summary: 'Make an account by an invitation, and join',
    isOpen: true,
    body: InvitationJoin,
    status: 204,
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/auth/password-reset',
    summary: 'Have a link mailed that sets a new password',
    isOpen: true,
    body: PasswordReset,
    status: 202,
  },
  requestEmailChange: {
    method: 'POST',
    path: '/auth/email',
    summary: 'Have a link mailed to another address, which becomes the address of the account',
    body: EmailChange,
    status: 202,
  },
  requestVerification: {
    method: 'POST',
    path: '/auth/email-verification',
    summary: 'Have a link mailed that confirms the address',
    status: 202,
  },
  deleteOwnAccount: {
    method: 'POST',
    path: '/auth/account/delete',
    summary: "Delete one's account",
    body: OwnDeletion,
    status: 204,
  },
  listAccounts: {
    method: 'GET',
    path: '/auth/accounts',
    summary: 'List the accounts of the service in name order',
    forOperators: true,
    query: AccountQuery,
    status: 200,
    output: one(AccountPage),
  },
  updateAccount: {
    method: 'PATCH',
    path: '/auth/accounts/{id}',
    summary: 'Disable an account, or name an operator, or take either back',
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
} as const satisfies Record<string, AccountOperation>

export type AccountContract = typeof accountContract
export type AccountOperationId = keyof AccountContract
