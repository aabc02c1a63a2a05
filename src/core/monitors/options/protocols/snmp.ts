import * as z from 'zod'
import { phrase } from '../../../language/phrase.ts'
import { issueOf, said } from '../../../language/said.ts'
import { text } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import type { Option } from '../option.ts'

export const DEFAULT_COMMUNITY = 'public'
const MAX_OID_LENGTH = 500
const MAX_ARC = 2 ** 32 - 1
const MAX_SECRET_LENGTH = 255
/** Agents refuse shorter ones (RFC 3414, section 11.2). */
const MIN_PASSWORD_LENGTH = 8

const Oid = text(MAX_OID_LENGTH).superRefine((value, context) => {
  if (!isOid(value))
    context.addIssue(issueOf(said('must be numbers with dots between them, such as 1.3.6.1.2.1.1.3.0')))
})

function isOid(value: string): boolean {
  if (!/^[0-2](\.\d{1,10})+$/.test(value)) return false
  const [first = 0, second = 0, ...rest] = value.split('.').map(Number)
  return (first === 2 || second < 40) && [second, ...rest].every((arc) => arc <= MAX_ARC)
}

const ofVersion3 = (value: unknown) => value === '3'

/** Options of a question to an agent of SNMP. */
export const SNMP_OPTIONS = {
  oid: {
    schema: Oid,
    description:
      'The object whose value is asked for, as numbers: `1.3.6.1.2.1.1.3.0` is the time since a restart.',
    group: 'request',
    label: phrase('OID'),
    hint: phrase('Such as 1.3.6.1.2.1.1.3.0, the time since the device was restarted.'),
    has: (type) => hasOption(type, 'oid'),
    default: null,
  },
  snmp_version: {
    schema: z.enum(['1', '2c', '3']),
    description: 'Version of SNMP. Version 3 signs in with the user name and password of the monitor.',
    group: 'request',
    label: phrase('Version of SNMP'),
    hint: phrase('Version 3 signs in with the user name and the password.'),
    has: (type) => hasOption(type, 'snmp_version'),
    default: '2c',
  },
  community: {
    schema: text(MAX_SECRET_LENGTH).min(1),
    description: 'Community of versions 1 and 2c, which is sent in the clear.',
    group: 'request',
    label: phrase('Community'),
    hint: phrase('Of versions 1 and 2c. Without a value, public.'),
    has: (type) => hasOption(type, 'community'),
    default: null,
    secrets: [{ at: [], shownTo: 'nobody' }],
    clashes: (_value, _around, { snmp_version }) =>
      ofVersion3(snmp_version)
        ? [{ at: [], message: said('must be left out with version 3, which has none') }]
        : [],
  },
  auth_protocol: {
    schema: z.enum(['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512']),
    description: 'How version 3 signs messages where the monitor has a password.',
    group: 'request',
    label: phrase('Authentication protocol'),
    has: (type) => hasOption(type, 'auth_protocol'),
    default: 'sha',
    clashes: (_value, _around, { snmp_version }) =>
      ofVersion3(snmp_version) ? [] : [{ at: [], message: said('must be left out but for version 3') }],
  },
  privacy_password: {
    schema: text(MAX_SECRET_LENGTH).min(MIN_PASSWORD_LENGTH),
    description: 'Password that version 3 encrypts messages with, by AES with 128 bits.',
    group: 'request',
    label: phrase('Privacy password'),
    hint: phrase('Version 3 encrypts with it, by AES.'),
    has: (type) => hasOption(type, 'privacy_password'),
    default: null,
    secrets: [{ at: [], shownTo: 'nobody' }],
    clashes: (_value, _around, { snmp_version }) =>
      ofVersion3(snmp_version) ? [] : [{ at: [], message: said('must be left out but for version 3') }],
  },
} as const satisfies Record<string, Option>
