import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueAt, issueOf, type Said, said } from '../../language/said.ts'
import { MASK } from '../../teams/access.ts'
import { text } from '../../text.ts'
import { usesSetting } from '../monitor-types.ts'
import { asksNameServers } from './dns.ts'
import type { Option } from './option.ts'

const MAX_CERTIFICATES_LENGTH = 65_536
const MAX_KEY_LENGTH = 16_384
const CERTIFICATE = /-----BEGIN CERTIFICATE-----/
const KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/
/** A name of DNS (RFC 1123), with underscores as some have them. */
const HOST_NAME =
  /^(?!\d+(\.\d+)*$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i
const MAX_HOST_NAME = 253

/** Text in PEM; whether it can be read is known where there is a parser. */
function pem(max: number, pattern: RegExp, fault: Said) {
  return text(max).superRefine((value, context) => {
    if (value !== MASK && !pattern.test(value)) context.addIssue(issueOf(fault))
  })
}

const Certificates = pem(
  MAX_CERTIFICATES_LENGTH,
  CERTIFICATE,
  said('must be one or more certificates in PEM, which begin with -----BEGIN CERTIFICATE-----'),
)
const PrivateKey = pem(MAX_KEY_LENGTH, KEY, said('must be a private key in PEM, without a passphrase'))

const ServerName = text(MAX_HOST_NAME).superRefine((value, context) => {
  if (!HOST_NAME.test(value)) context.addIssue(issueOf(said('must be the name of a host')))
})

const Tls = z
  .strictObject({
    verify: z
      .boolean()
      .optional()
      .describe('False takes every certificate. It is read, and warned about, all the same.')
      .meta({ default: true }),
    ca: Certificates.optional().describe(
      'Certificates of authorities in PEM that are trusted besides all others.',
    ),
    client_certificate: Certificates.optional().describe(
      'The certificate that the check shows, in PEM, with its chain.',
    ),
    client_key: PrivateKey.optional().describe('Its private key in PEM. It is never returned.'),
    server_name: ServerName.optional().describe(
      'The name that the server is asked for (SNI), and that its certificate must be for; by default the host of the URL.',
    ),
  })
  .superRefine(({ client_certificate, client_key }, context) => {
    if (client_certificate !== undefined && client_key === undefined)
      context.addIssue(issueAt(['client_key'], said('is required beside the client certificate')))
    if (client_key !== undefined && client_certificate === undefined)
      context.addIssue(issueAt(['client_certificate'], said('is required beside the key')))
  })

/** The option of TLS with the target. */
export const TLS = {
  tls: {
    schema: Tls,
    description:
      'TLS with the target: whether its certificate is verified, further authorities, a client certificate with its key, another server name.',
    group: 'connection',
    label: phrase('TLS'),
    has: (type) => usesSetting(type, 'ssl_expiry_warning_days') || asksNameServers(type),
    default: null,
    secrets: [{ at: ['client_key'], shownTo: 'nobody', boundTo: ['server_name'] }],
    parts: {
      verify: {
        label: phrase('Verify the certificate'),
        hint: phrase('Without it every certificate is taken. It is read, and warned about, all the same.'),
      },
      ca: {
        label: phrase('Further authorities'),
        hint: phrase('Certificates in PEM that are trusted besides all others.'),
      },
      client_certificate: {
        label: phrase('Client certificate'),
        hint: phrase('In PEM, with its chain. Only the host of the URL gets it.'),
      },
      client_key: {
        label: phrase('Key of the client certificate'),
        hint: phrase('In PEM, without a passphrase. It is stored encrypted, and never shown again.'),
      },
      server_name: {
        label: phrase('Server name'),
        hint: phrase('The name that the certificate must be for, where it is not the host of the URL.'),
      },
    },
  },
} as const satisfies Record<string, Option>
