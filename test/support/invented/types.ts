import { copySources } from './copied-sources.ts'

/** The entry and the probe of an invented type of monitor. */
const SEMAPHORE_ENTRY = `
  semaphore: {
    word: 'Semaphore',
    title: 'Semaphore on a hill',
    sentence: 'A semaphore answers with the right arms.',
    icon: 'bell',
    group: 'more',
    place: 31,
    isProbed: true,
    landmark: null,
    url: { usesHostOnly: true, schemes: null, isDialled: true, example: 'semaphore://hill.example.com' },
    settings: { url: 'needed', port: 'needed', expected_keyword: 'more', request_timeout_seconds: 'more' },
    answer: [],
    phases: ['first_byte_ms'],
    intervals: { 10: '10 s' },
    usualIntervalSeconds: null,
    importNames: { 'uptime-kuma': ['flags'] },
    example: { name: 'Hill', url: 'semaphore://hill.example.com', port: 7, check_interval_minutes: 1 },
  },`
const SEMAPHORE_PROBE = `
import { resultWithout } from '../core/monitors/check.ts'
export const semaphoreProbe = async () => resultWithout('down', 'fog')
`

/** The entry and the channel of an invented type of contact. */
const PIGEON_ENTRY = `
  pigeon: entry({
    word: 'Pigeon',
    wordInside: 'pigeon',
    sentence: 'A note on a leg.',
    icon: 'send',
    config: z.object({
      loft: ReceiverUrl.describe('Address of the loft.').register(shown, { as: 'host' }),
      ring: z.string().max(64).describe('Word on its ring.'),
    }),
    texts: {
      loft: { label: 'Loft', placeholder: 'https://loft.example.com' },
      ring: { label: 'Ring', placeholder: 'BE-17' },
    },
    advice: [],
    destination: 'loft',
    importNames: { healthchecks: ['dove'] },
    example: { name: 'Loft', config: { loft: 'https://loft.example.com', ring: 'BE-17' } },
  }),`
/** A channel that quotes its secrets in the outcome, as a receiver may. */
const PIGEON_CHANNEL = `
import type { ContactConfigs } from '../core/alerting/contact-types.ts'
import type { Channel } from './channel.ts'
export const pigeonChannel: Channel<ContactConfigs['pigeon']> = async ({ config }) => ({
  kind: 'rejected', statusCode: null, detail: 'no ' + config.ring + ' at ' + config.loft,
})
`

/** Copies the sources to a folder and adds both types there. The function that it returns loads a module of the copy. */
export function addInventedTypes(folder: string) {
  const { write, insert, load } = copySources(folder)
  insert(
    'src/core/monitors/monitor-types.ts',
    '\n} as const satisfies Record<string, TypeEntry>',
    SEMAPHORE_ENTRY,
  )
  write('src/probes/semaphore.ts', SEMAPHORE_PROBE)
  insert(
    'src/probes/run.ts',
    'import { createTcpProbe }',
    "import { semaphoreProbe } from './semaphore.ts'\n",
  )
  insert('src/probes/run.ts', '  } satisfies Probes', '    semaphore: guard(semaphoreProbe),\n')
  insert('src/core/alerting/contact-types.ts', '\n} as const\n', PIGEON_ENTRY)
  write('src/alerts/pigeon.ts', PIGEON_CHANNEL)
  insert(
    'src/alerts/channels.ts',
    'import { slackCapacity, slackChannel }',
    "import { pigeonChannel } from './pigeon.ts'\n",
  )
  insert('src/alerts/channels.ts', '  } satisfies Channels', '    pigeon: pigeonChannel,\n')
  return load
}
