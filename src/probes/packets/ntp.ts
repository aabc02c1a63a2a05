import { randomBytes } from 'node:crypto'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import { DEFAULT_MAX_OFFSET_MS } from '../../core/monitors/options/protocols/time-server.ts'
import {
  NTP_UNSYNCHRONIZED,
  ntpDispersion,
  ntpKiss,
  ntpOffset,
  ntpStratum,
} from '../../core/monitors/types/causes.ts'
import type { PacketProtocol, Understood } from './by-packets.ts'
import { Cursor, Garbled } from './cursor.ts'

const VERSION_4_CLIENT = 0x23
const MODE_SERVER = 4
const LENGTH = 48
const TRANSMIT_AT = 40
const STAMP_BYTES = 8
const LEAP_UNKNOWN = 3
const UNSYNCHRONIZED_STRATUM = 16
const MS_PER_ERA = 2 ** 32 * 1_000
/** From 1900 to 1970, in milliseconds: the time of NTP begins 70 years earlier. */
const EPOCH_MS = 2_208_988_800_000
const MAX_STATES = 20

type Options = Pick<MonitorOptions, 'max_offset_ms' | 'max_stratum' | 'max_dispersion_ms'>

/**
 * RFC 5905, sections 7.3 and 8. The time that we send is random: a server needs none, and an answer must repeat it. Without retransmission in
 * between each packet has its own, which tells when it was sent.
 */
export const NTP: PacketProtocol<'ntp'> = {
  name: 'NTP',
  begin: ({ network, settings: { options } }) => {
    const sent = new Map<string, { wallMs: number; at: number }>()
    return {
      packet: () => {
        const packet = Buffer.alloc(LENGTH)
        packet[0] = VERSION_4_CLIENT
        const nonce = randomBytes(STAMP_BYTES)
        nonce.copy(packet, TRANSMIT_AT)
        if (sent.size < MAX_STATES)
          sent.set(nonce.toString('hex'), { wallMs: network.now().getTime(), at: performance.now() })
        return packet
      },
      read: (bytes) => {
        const arrivedAt = performance.now()
        const cursor = new Cursor(bytes)
        const first = cursor.byte()
        if ((first & 7) !== MODE_SERVER) throw new Garbled('no answer of a server')
        const stratum = cursor.byte()
        cursor.take(2)
        const delayMs = shortMs(cursor)
        const dispersionMs = shortMs(cursor)
        const reference = cursor.take(4)
        cursor.take(STAMP_BYTES)
        const asked = sent.get(cursor.take(STAMP_BYTES).toString('hex'))
        const receivedMs = stampMs(cursor)
        const transmittedMs = stampMs(cursor)
        // It answers another question, or nobody's.
        if (!asked) return null
        if (stratum === 0) return { answer: { fault: ntpKiss(codeIn(reference)) } }
        if (first >> 6 === LEAP_UNKNOWN || stratum >= UNSYNCHRONIZED_STRATUM)
          return { answer: { fault: NTP_UNSYNCHRONIZED } }
        const backMs = asked.wallMs + (arrivedAt - asked.at)
        const offset = (nearest(receivedMs, asked.wallMs) + nearest(transmittedMs, backMs)) / 2
        const found = { stratum, offsetMs: Math.round(offset), dispersionMs, delayMs, reference }
        return { answer: judged(found, options ?? {}) }
      },
    }
  },
}

type Time = {
  stratum: number
  offsetMs: number
  dispersionMs: number
  delayMs: number
  reference: Buffer
}

function judged({ stratum, offsetMs, dispersionMs, delayMs, reference }: Time, options: Options): Understood {
  const { max_offset_ms = DEFAULT_MAX_OFFSET_MS, max_stratum, max_dispersion_ms } = options
  const fault = faultOf()
  const values = {
    offset_ms: offsetMs,
    stratum,
    root_dispersion_ms: dispersionMs,
    root_delay_ms: delayMs,
    reference: stratum === 1 ? codeIn(reference) : [...reference].join('.'),
  }
  return { fault, read: { answer: String(offsetMs), body: JSON.stringify(values) } }

  function faultOf(): string | null {
    if (Math.abs(offsetMs) > max_offset_ms) return ntpOffset(offsetMs, max_offset_ms)
    if (max_stratum !== undefined && stratum > max_stratum) return ntpStratum(stratum, max_stratum)
    if (max_dispersion_ms !== undefined && dispersionMs > max_dispersion_ms)
      return ntpDispersion(dispersionMs, max_dispersion_ms)
    return null
  }
}

/** Seconds in the first half, and their fraction in the second one. */
function shortMs(cursor: Cursor): number {
  return Math.round((cursor.uint32() / 2 ** 16) * 1_000)
}

/** Milliseconds since 1970, in an era of 136 years that is not said: `nearest` finds it. */
function stampMs(cursor: Cursor): number {
  const seconds = cursor.uint32()
  return seconds * 1_000 + (cursor.uint32() / 2 ** 32) * 1_000 - EPOCH_MS
}

/** From our time to theirs, in the era in which they are nearest: a new one begins in 2036. */
function nearest(theirs: number, ours: number): number {
  const apart = theirs - ours
  return apart - Math.round(apart / MS_PER_ERA) * MS_PER_ERA
}

function codeIn(reference: Buffer): string {
  return reference.toString('latin1').replace(/\0+$/, '')
}
