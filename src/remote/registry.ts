import {
  PROBE_PROTOCOL,
  ProbeRefusal,
  type ProbeRefusalCode,
  RENEWAL_HELD_MS,
} from '../core/probing/remote-probe.ts'
import { bitsOfSlots } from '../core/probing/slot.ts'
import type { Registry } from '../store/probing/registry.ts'
import type { Share } from '../store/probing/schedule.ts'
import { type Ask, createBackoff, Unreachable } from './service-link.ts'

/** A renewal that takes longer may have come too late. */
const RENEWAL_TIMEOUT_MS = RENEWAL_HELD_MS + 2_000

/** The end of the process waits no longer for a service that does not answer. */
const LEAVING_TIMEOUT_MS = 2_000

/** Refusals that asking again does not change. */
const FINAL = new Set<ProbeRefusalCode>(['unauthorized', 'revoked', 'region', 'version'])

/** The registry of a remote probe, which asks the service. `stop` ends its waits. */
export function createRemoteRegistry(
  ask: Ask,
  deps: {
    session: () => string
    random: () => number
    stop: AbortSignal
    /** The service refuses this probe for good. */
    refused: (why: ProbeRefusal) => void
  },
): Registry {
  const backoff = createBackoff(deps.random)

  /** Callers ask again at once after a failure: the wait is here. */
  async function withBackoff<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question
      backoff.reset()
      return answer
    } catch (error) {
      if (error instanceof ProbeRefusal && FINAL.has(error.code)) deps.refused(error)
      if (error instanceof ProbeRefusal && error.code === 'lost') backoff.reset()
      else if (error instanceof Unreachable || error instanceof ProbeRefusal) await backoff.wait(deps.stop)
      throw error
    }
  }

  return {
    async join({ region, host, pid }) {
      const about = { version: PROBE_PROTOCOL, session: deps.session(), region, host, pid }
      return (await withBackoff(ask('join', about))).membership
    },
    async renew(membership, known) {
      try {
        const about = { membership, known: bitsOfSlots(known) }
        return await withBackoff(ask('renew', about, RENEWAL_TIMEOUT_MS))
      } catch (error) {
        if (error instanceof ProbeRefusal && error.code === 'lost') return null
        throw error
      }
    },
    async readSchedule(share) {
      const { monitors } = await ask('schedule', asked(share))
      return monitors.flatMap((monitor) => ('stopped' in monitor ? [] : [monitor]))
    },
    async readChanges(share, changes) {
      return (await ask('schedule', { ...asked(share), changes })).monitors
    },
    async handOver(membership, slots, dueFrom, cut) {
      return (await ask('handOver', { membership, slots, due_from: dueFrom, cut })).kept
    },
    async announceLeaving(membership) {
      await ask('announceLeaving', { membership }, LEAVING_TIMEOUT_MS)
    },
    async leave(membership) {
      await ask('leave', { membership }, LEAVING_TIMEOUT_MS)
    },
  }
}

function asked(share: Share) {
  if (share === 'heartbeats') throw new Error('heartbeats are watched by the service itself')
  return { membership: share.holder, slots: share.slots }
}
