import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueOf, type Said, said } from '../../language/said.ts'
import { text, unreadableFault } from '../../text.ts'
import { usesSetting } from '../monitor-types.ts'
import type { Option, OptionFault } from './option.ts'

const MAX_TOKEN_LENGTH = 8_192
const MAX_NAME_LENGTH = 1_024
const MAX_URL_LENGTH = 500
const HEADER_VALUE = /^[^\r\n\0]+$/

/** A text that is not empty, and that a header can carry. */
function carried(max: number) {
  return text(max).superRefine((value, context) => {
    if (!HEADER_VALUE.test(value)) context.addIssue(issueOf(said('must be a text of one line')))
  })
}

const TokenUrl = text(MAX_URL_LENGTH).superRefine((value, context) => {
  const fault = tokenUrlFault(value)
  if (fault) context.addIssue(issueOf(fault))
})

function tokenUrlFault(value: string): Said | null {
  const unreadable = unreadableFault(value)
  if (unreadable) return unreadable
  const url = URL.parse(value)
  if (!url || !/^https?:\/\//i.test(value)) return said('must be a full URL of http or https')
  return url.username || url.password ? said('must not contain credentials') : null
}

const Bearer = z.strictObject({
  type: z.literal('bearer'),
  token: carried(MAX_TOKEN_LENGTH).describe(
    'The token, which is sent with each request. It is never returned.',
  ),
})

const OAuth2 = z.strictObject({
  type: z.literal('oauth2'),
  token_url: TokenUrl.describe('Where tokens are given out (the token endpoint).'),
  client_id: carried(MAX_NAME_LENGTH).describe('The client that the check is.'),
  client_secret: carried(MAX_NAME_LENGTH).describe('Its secret. It is never returned.'),
  scope: carried(MAX_NAME_LENGTH).optional().describe('The scopes to ask for, separated by spaces.'),
  audience: carried(MAX_NAME_LENGTH)
    .optional()
    .describe('The audience to ask for, where the provider wants one.'),
  auth_style: z
    .enum(['basic', 'body'])
    .optional()
    .describe('Where the client and its secret stand: in a header, or in the body.')
    .meta({ default: 'basic' }),
})

const Digest = z.strictObject({ type: z.literal('digest') })

const Auth = z.discriminatedUnion('type', [Bearer, OAuth2, Digest])
export type MonitorAuth = z.infer<typeof Auth>

/** The option of signing in to the target. */
export const AUTH = {
  auth: {
    schema: Auth,
    description:
      'How the check signs in: with a token (`bearer`), with one that it gets by OAuth 2 client credentials (`oauth2`), or by Digest (`digest`) with the user name and password of the monitor.',
    group: 'request',
    label: phrase('Authentication'),
    hint: phrase('In place of the user name and password, or with them by Digest.'),
    // Other protocols have ways of their own to sign in.
    has: (type) => usesSetting(type, 'username') && usesSetting(type, 'http_method'),
    default: null,
    secrets: [
      { at: ['token'], shownTo: 'nobody', boundTo: ['type'] },
      { at: ['client_secret'], shownTo: 'nobody', boundTo: ['type', 'token_url'] },
    ],
    addresses: (value) => {
      const { token_url = null } = value as Partial<z.infer<typeof OAuth2>>
      return token_url === null ? [] : [{ at: ['token_url'], url: token_url }]
    },
    clashes: (value, { username }): OptionFault[] => {
      const isDigest = (value as MonitorAuth).type === 'digest'
      if (isDigest === (username !== null)) return []
      const message = isDigest
        ? said('must be left out while the monitor has no user name')
        : said('must be left out while the monitor has a user name')
      return [{ at: [], message }]
    },
    parts: {
      type: {
        label: phrase('Authenticate by'),
        choices: {
          bearer: phrase('Bearer token'),
          oauth2: phrase('OAuth 2 client credentials'),
          digest: phrase('Digest'),
        },
      },
      token: {
        label: phrase('Token'),
        hint: phrase('It is stored encrypted, and never shown again.'),
      },
      token_url: { label: phrase('Token URL') },
      client_id: { label: phrase('Client ID') },
      client_secret: {
        label: phrase('Client secret'),
        hint: phrase('It is stored encrypted, and never shown again.'),
      },
      scope: { label: phrase('Scope'), hint: phrase('Optional: several are separated by spaces.') },
      audience: { label: phrase('Audience'), hint: phrase('Optional: some providers want one.') },
      auth_style: {
        label: phrase('Client credentials sent in'),
        choices: { basic: phrase('an HTTP header'), body: phrase('the request body') },
      },
    },
  },
} as const satisfies Record<string, Option>
