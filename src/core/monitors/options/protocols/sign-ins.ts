import { phrase } from '../../../language/phrase.ts'
import { text } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import type { Option } from '../option.ts'

const MAX_SECRET_LENGTH = 255
const MAX_STATION_LENGTH = 253
const MAX_DN_LENGTH = 1_000

/** Options of servers that people sign in at: RADIUS, LDAP. */
export const SIGN_INS = {
  shared_secret: {
    schema: text(MAX_SECRET_LENGTH).min(1),
    description: 'Secret that the server of RADIUS shares with this client.',
    group: 'request',
    label: phrase('Shared secret'),
    hint: phrase('The secret that the server has for this client.'),
    has: (type) => hasOption(type, 'shared_secret'),
    default: null,
    secrets: [{ at: [], shownTo: 'nobody' }],
  },
  called_station_id: {
    schema: text(MAX_STATION_LENGTH).min(1),
    description: 'Called-Station-Id that the server is told, such as the name of a wireless network.',
    group: 'request',
    label: phrase('Called-Station-Id'),
    has: (type) => hasOption(type, 'called_station_id'),
    default: null,
  },
  calling_station_id: {
    schema: text(MAX_STATION_LENGTH).min(1),
    description: 'Calling-Station-Id that the server is told, such as the address of a device.',
    group: 'request',
    label: phrase('Calling-Station-Id'),
    has: (type) => hasOption(type, 'calling_station_id'),
    default: null,
  },
  base_dn: {
    schema: text(MAX_DN_LENGTH).min(1),
    description:
      'Entry of the directory that must be there, and whose attributes assertions about `answer` read.',
    group: 'request',
    label: phrase('Entry (DN)'),
    hint: phrase('Such as dc=example,dc=com. It must be there, and assertions read its attributes.'),
    has: (type) => hasOption(type, 'base_dn'),
    default: null,
  },
} as const satisfies Record<string, Option>
