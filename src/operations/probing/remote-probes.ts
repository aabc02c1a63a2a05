import type { ProbeOutput } from '../../contract/remote-probes.ts'
import { ofAnswer } from '../../core/expectations/response-times.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import { PROBE_PROTOCOL, ProbeRefusal, RENEWAL_HELD_MS } from '../../core/probing/remote-probe.ts'
import { slotsOfBits } from '../../core/probing/slot.ts'
import { openSecrets } from '../../store/monitors/monitor-columns.ts'
import { announceLeaving, handOver, leaveProbers, renewMembership } from '../../store/probing/memberships.ts'
import { createOverruns } from '../../store/probing/overruns.ts'
import { createRegistry } from '../../store/probing/registry.ts'
import {
  acknowledge,
  endMembershipsOf,
  findProbeToken,
  isMemberOf,
  joinRemotely,
  monitorsHeldBy,
  monitorsOfSlots,
  noteHolding,
  openProbeSession,
  type ProbeToken,
} from '../../store/probing/remote-probes.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { countWrongSecret } from '../sign-in/throttle.ts'
import { isWellFormed } from '../teams/tokens.ts'
import { createConfirmationAnswers } from './remote-confirmations.ts'
import { lostMembership, type RemoteProbeAnswers, type RemoteProbeMonitor } from './remote-probe-answers.ts'
import type { RemoteProbeNews } from './remote-probe-news.ts'
import { PROBE_TOKEN_PREFIX } from './remote-probe-tokens.ts'
import { recordRemoteResults } from './remote-results.ts'

/** The way to a remote probe is longer and less even than that to the database. */
const LEASE_SECONDS = 6
const MAX_MEMBERS_OF_TOKEN = 16
const HAND_OVER_TOLERANCE_MS = 60_000

/** Answers remote probes, and acts for them in the database. */
export type RemoteProbeHost = {
  /** Finds the token's record. Throws a ProbeRefusal, or a Refusal with 429 for one of many wrong tokens. */
  authenticate(token: string | null, address: string): Promise<ProbeToken>
  answer: RemoteProbeAnswers
}

export function createRemoteProbeHost(services: Services, news: RemoteProbeNews): RemoteProbeHost {
  const { db, vault } = services
  const overruns = createOverruns(db)
  const registry = createRegistry(db, LEASE_SECONDS)

  async function refuseOthers(membership: number, token: ProbeToken): Promise<void> {
    if (!(await isMemberOf(db, membership, token.id))) throw lostMembership(membership)
  }

  /** Leaves out a monitor whose secrets cannot be opened: all others would wait for it forever. */
  function openedMonitor(monitor: ScheduledMonitor): RemoteProbeMonitor[] {
    try {
      const { request_headers, ...opened } = openSecrets(monitor, vault)
      const { sealed_url, sealed_options, ...settings } = monitor
      const headers = request_headers && JSON.stringify(request_headers)
      const options = opened.options && probedOptions(opened.options)
      return [{ ...settings, ...opened, options, request_headers: headers, heartbeat_due_at: null }]
    } catch (error) {
      services.onBug(error)
      return []
    }
  }

  function openedChange(change: ScheduleChange): ProbeOutput<'schedule'>['monitors'] {
    return 'stopped' in change ? [change] : openedMonitor(change)
  }

  return {
    async authenticate(token, address) {
      // A token that was never made here costs no query.
      const known =
        token && isWellFormed(token, PROBE_TOKEN_PREFIX) ? await findProbeToken(db, hashToken(token)) : null
      if (!known) {
        await countWrongSecret(services, 'probe', address)
        throw new ProbeRefusal('unauthorized', 'PROBE_TOKEN is no token of a probe of this service')
      }
      const { revokedAt, expiresAt, name } = known
      if (revokedAt) {
        throw new ProbeRefusal('revoked', `the token "${name}" was revoked at ${revokedAt.toISOString()}`)
      }
      if (expiresAt === null || expiresAt > services.now()) return known
      // Others take over what it held, at once.
      await endMembershipsOf(db.pool, known.id)
      const when = `the token "${name}" expired at ${expiresAt.toISOString()}`
      throw new ProbeRefusal('revoked', `${when}: make another one`)
    },
    answer: {
      ...createConfirmationAnswers(services, openedMonitor),

      async join(token, { version, session, region, host, pid }) {
        if (version !== PROBE_PROTOCOL) {
          const both = `this service speaks version ${PROBE_PROTOCOL} of the protocol, the probe ${version}`
          throw new ProbeRefusal('version', `${both}: run the same release of Upbeat on both`)
        }
        if (region !== token.region) {
          const both = `REGION is ${region}, and the token "${token.name}" is for ${token.region}`
          throw new ProbeRefusal('region', `${both}: set REGION to that, or make a token for ${region}`)
        }
        const acknowledged = await openSession(services, session, token)
        const prober = { region: token.region, host, pid }
        const membership = await joinRemotely(db, prober, token.id, LEASE_SECONDS, MAX_MEMBERS_OF_TOKEN)
        if (membership !== null) return { membership, acknowledged }
        throw new ProbeRefusal(
          'crowded',
          `${MAX_MEMBERS_OF_TOKEN} processes probe by the token "${token.name}", the most: make another one`,
        )
      },

      async renew(token, { membership, known }) {
        await refuseOthers(membership, token)
        const beganMs = performance.now()
        const heard = await news.next(membership, token.region, RENEWAL_HELD_MS)
        const heldMs = performance.now() - beganMs
        const slotsKnown = known === undefined ? null : slotsOfBits(known)
        const renewal = await renewMembership(db, membership, LEASE_SECONDS, slotsKnown)
        if (!renewal) throw lostMembership(membership)
        const slots = renewal.slots ?? slotsKnown ?? []
        await noteHolding(db, membership, token.id, slots)
        const changed =
          heard && heard.length > 0 ? await monitorsOfSlots(db, heard, slots, token.region) : heard
        return { ...renewal, heldMs, changed }
      },

      async schedule(token, { membership, slots, changes }) {
        await refuseOthers(membership, token)
        const share = { holder: membership, slots }
        const found =
          changes === undefined
            ? await registry.readSchedule(share)
            : await registry.readChanges(share, changes)
        return { monitors: found.flatMap(openedChange) }
      },

      async overruns(token, { membership, action, calls }) {
        await refuseOthers(membership, token)
        const ids = calls.map(({ id }) => id)
        const own = await monitorsHeldBy(db, membership, ids)
        const answers = calls.map(async ({ id, ms }) => {
          if (!own.has(id)) return false
          if (action === 'busy') return overruns.isBusy(id, membership)
          if (action === 'claim') return overruns.claim(id, membership, ms)
          await overruns.end(id, membership)
          return true
        })
        return { answers: await Promise.all(answers) }
      },

      async results(token, { session, first, results }) {
        const acknowledged = await openSession(services, session, token)
        if (first > acknowledged + 1) {
          throw new ProbeRefusal(
            'order',
            `results from ${acknowledged + 1} on come before those from ${first}`,
          )
        }
        const fresh = results.slice(Math.max(0, acknowledged + 1 - first))
        const refused = await recordRemoteResults(services, token, fresh)
        const last = Math.max(acknowledged, first + results.length - 1)
        await acknowledge(db, session, last)
        return { acknowledged: last, refused }
      },

      async handOver(token, { membership, slots, due_from, cut }) {
        await refuseOthers(membership, token)
        if (due_from && Math.abs(due_from.getTime() - services.now().getTime()) > HAND_OVER_TOLERANCE_MS) {
          throw new ProbeRefusal(
            'invalid',
            `due_from is ${due_from.toISOString()}: it takes a time close to now`,
          )
        }
        return { kept: await handOver(db, membership, slots, due_from, cut) }
      },

      async announceLeaving(token, { membership }) {
        await refuseOthers(membership, token)
        await announceLeaving(db, membership)
        return {}
      },

      async leave(token, { membership }) {
        await refuseOthers(membership, token)
        await leaveProbers(db, membership)
        await noteHolding(db, membership, token.id, [])
        return {}
      },
    },
  }
}

async function openSession({ db }: Services, session: string, token: ProbeToken): Promise<number> {
  const acknowledged = await openProbeSession(db, session, token.id)
  if (acknowledged === null) throw new ProbeRefusal('unauthorized', 'the session belongs to another token')
  return acknowledged
}

/** Assertions about several checks are judged here, where these are on record: a probe does not know of them. */
function probedOptions(options: MonitorOptions): MonitorOptions {
  const { assertions } = options
  return assertions ? { ...options, assertions: [...ofAnswer(assertions)] } : options
}
