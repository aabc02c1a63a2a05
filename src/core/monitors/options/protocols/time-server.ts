import * as z from 'zod'
import { phrase } from '../../../language/phrase.ts'
import { hasOption } from '../../monitor-types.ts'
import type { Option } from '../option.ts'

export const DEFAULT_MAX_OFFSET_MS = 1_000
const MAX_MS = 86_400_000
const MAX_STRATUM = 15

/** Options of how good the time of a time server must be. */
export const TIME_SERVER = {
  max_offset_ms: {
    schema: z.int().min(1).max(MAX_MS),
    description: 'Milliseconds that the time of the server may differ from that of this service.',
    group: 'expectations',
    label: phrase('Greatest offset'),
    hint: phrase('In milliseconds, to the clock of this service. Without a value, 1,000.'),
    has: (type) => hasOption(type, 'max_offset_ms'),
    default: DEFAULT_MAX_OFFSET_MS,
  },
  max_stratum: {
    schema: z.int().min(1).max(MAX_STRATUM),
    description: 'Steps that the server may be away from a clock, 1 being a server with one.',
    group: 'expectations',
    label: phrase('Greatest stratum'),
    hint: phrase('1 to 15. A server with a clock of its own has 1.'),
    has: (type) => hasOption(type, 'max_stratum'),
    default: null,
  },
  max_dispersion_ms: {
    schema: z.int().min(1).max(MAX_MS),
    description: 'Milliseconds that the server may be uncertain of its time (root dispersion).',
    group: 'expectations',
    label: phrase('Greatest dispersion'),
    hint: phrase('In milliseconds: the root dispersion, as uncertain as the server is of its time.'),
    has: (type) => hasOption(type, 'max_dispersion_ms'),
    default: null,
  },
} as const satisfies Record<string, Option>
