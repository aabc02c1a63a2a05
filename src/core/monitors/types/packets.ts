import { phrase } from '../../language/phrase.ts'
import { SHORT_INTERVALS, type TypeEntry } from './entry.ts'

/** The types that exchange packets, without a connection. */
export const PACKET_TYPES = {
  udp: {
    word: 'UDP',
    title: phrase('UDP port'),
    sentence: phrase('A UDP service answers a packet as you expect.'),
    icon: 'package',
    group: 'network',
    place: 16,
    isProbed: true,
    landmark: null,
    url: { usesHostOnly: true, schemes: null, isDialled: true, example: 'udp://game.example.com' },
    identity: ['url', 'port', 'name'],
    settings: { url: 'needed', port: 'needed', request_timeout_seconds: 'more' },
    way: ['ip_version', 'resolver'],
    sends: true,
    neededOptions: ['send', 'assertions'],
    answer: ['answer', 'response_time_ms', 'response_time_p95_ms'],
    phases: ['dns_ms', 'first_byte_ms'],
    intervals: SHORT_INTERVALS,
    usualIntervalSeconds: null,
    importNames: { gatus: ['udp'], uptimerobot: ['UDP'] },
    example: {
      name: 'Echo',
      url: 'udp://echo.example.com',
      port: 7,
      check_interval_minutes: 5,
      options: {
        send: 'are you there?',
        assertions: [{ source: 'answer', comparison: 'equals', target: 'are you there?' }],
      },
    },
  },
} as const satisfies Record<string, TypeEntry>
