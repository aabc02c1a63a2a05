import type { ProbeInput, ProbeOutput, ProbeQuestion } from '../contract/probes.ts'
import {
  implausible,
  PROBE_PROTOCOL,
  ProbeRefusal,
  type ProbeResult,
  RENEWAL_HELD_MS,
} from '../core/remote-probe.ts'
import { nextTickMs, phaseMs } from '../core/schedule.ts'
import { openSecrets } from '../store/monitor-secrets.ts'
import { createOverruns } from '../store/overruns.ts'
import { announceLeaving, handOver, leaveProbers, renewMembership } from '../store/probers.ts'
import {
  acknowledge,
  findProbeToken,
  isMemberOf,
  joinRemotely,
  monitorsHeldBy,
  monitorsOfSlots,
  noteHolding,
  openProbeSession,
  type Place,
  type ProbeToken,
  readHoldings,
  readPlaces,
} from '../store/remote-probers.ts'
import {
  readMonitorChanges,
  readRecentChanges,
  readSchedule,
  type ScheduleChange,
} from '../store/scheduling.ts'
import type { ProbeNews } from './probe-news.ts'
import { PROBE_TOKEN_PREFIX } from './probe-tokens.ts'
import type { Services } from './services.ts'
import { hashToken, isWellFormed } from './tokens.ts'

/** The way to a remote probe is longer and less even than that to the database. */
const LEASE_SECONDS = 6
const MOST_MEMBERS_OF_TOKEN = 16
const POLL_BACK_SECONDS = 60
const HAND_OVER_TOLERANCE_MS = 60_000

/** Answers remote probes: it stands for them in the database. */
export type ProbeDesk = {
  /** Whose token this is. Throws a ProbeRefusal. */
  authenticate(token: string | null): Promise<ProbeToken>
  answer: { [Q in ProbeQuestion]: (token: ProbeToken, input: ProbeInput<Q>) => Promise<ProbeOutput<Q>> }
}

export function createProbeDesk(services: Services, news: ProbeNews): ProbeDesk {
  const { db, vault } = services
  const overruns = createOverruns(db)

  async function refuseOthers(membership: number, token: ProbeToken): Promise<void> {
    if (!(await isMemberOf(db, membership, token.id))) throw lost(membership)
  }

  /** Without it the others would wait for ever: a monitor whose secrets cannot be opened is left out. */
  function openedFor(change: ScheduleChange): ProbeOutput<'schedule'>['monitors'] {
    if ('stopped' in change) return [change]
    try {
      const { requestHeaders, password } = openSecrets(change, vault)
      const headers = requestHeaders && JSON.stringify(requestHeaders)
      return [{ ...change, request_headers: headers, password, heartbeat_due_at: null }]
    } catch (error) {
      services.onBug(error)
      return []
    }
  }

  /** Why it is not believed; null once it is recorded, or known to be of no use any more. */
  async function record(
    { membership, monitor_id, revision, checked_at, result }: ProbeResult,
    { region }: ProbeToken,
    { intervalMs, recoveryChecks }: Place,
  ): Promise<string | null> {
    const { note, ...found } = result
    const untilMs = nextTickMs(checked_at.getTime(), intervalMs, phaseMs(monitor_id, intervalMs))
    const recorded = await services.recordResult({
      membership,
      monitorId: monitor_id,
      revision,
      checkedAt: checked_at,
      region,
      result: { ...found, ...(note !== undefined && { note }) },
      recoveryChecks,
      tick: { from: new Date(untilMs - intervalMs), until: new Date(untilMs) },
    })
    return recorded === 'unfit' ? 'it cannot be stored' : null
  }

  return {
    async authenticate(token) {
      // What was never made here costs no question to the database.
      const known =
        token && isWellFormed(token, PROBE_TOKEN_PREFIX) ? await findProbeToken(db, hashToken(token)) : null
      if (!known) throw new ProbeRefusal('unauthorized', 'PROBE_TOKEN is no token of a probe of this service')
      const { revokedAt, name } = known
      if (!revokedAt) return known
      throw new ProbeRefusal('revoked', `the token "${name}" was revoked at ${revokedAt.toISOString()}`)
    },
    answer: {
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
        const membership = await joinRemotely(db, prober, token.id, LEASE_SECONDS, MOST_MEMBERS_OF_TOKEN)
        if (membership !== null) return { membership, acknowledged }
        throw new ProbeRefusal(
          'crowded',
          `${MOST_MEMBERS_OF_TOKEN} processes probe by the token "${token.name}", the most: make another one`,
        )
      },

      async renew(token, { membership }) {
        await refuseOthers(membership, token)
        const beganMs = performance.now()
        const heard = await news.next(membership, RENEWAL_HELD_MS)
        const heldMs = performance.now() - beganMs
        const renewal = await renewMembership(db, membership, LEASE_SECONDS)
        if (!renewal) throw lost(membership)
        await noteHolding(db, membership, token.id, renewal.slots)
        const changed = heard && heard.length > 0 ? await monitorsOfSlots(db, heard, renewal.slots) : heard
        return { ...renewal, heldMs, changed }
      },

      async schedule(token, { membership, slots, changes }) {
        await refuseOthers(membership, token)
        const share = { holder: membership, slots }
        const found =
          changes === undefined
            ? await readSchedule(db, share)
            : changes === 'recent'
              ? await readRecentChanges(db, share, POLL_BACK_SECONDS)
              : await readMonitorChanges(db, share, changes)
        return { monitors: found.flatMap(openedFor) }
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
        const [{ nowMs, holdings }, places] = await Promise.all([
          readHoldings(db, token.id, [...new Set(fresh.map(({ membership }) => membership))]),
          readPlaces(db, [...new Set(fresh.map(({ monitor_id }) => monitor_id))]),
        ])
        const reasons = fresh.map(async (result) => {
          const { membership, monitor_id, checked_at } = result
          const place = places.get(monitor_id)
          const about = { membership, checkedAtMs: checked_at.getTime(), slot: place?.slot }
          const reason = implausible(about, holdings, nowMs)
          return reason ?? (place ? await record(result, token, place) : null)
        })
        const refused = (await Promise.all(reasons)).flatMap((reason, index) =>
          reason === null ? [] : [{ monitor_id: (fresh[index] as ProbeResult).monitor_id, reason }],
        )
        const last = Math.max(acknowledged, first + results.length - 1)
        await acknowledge(db, session, last)
        return { acknowledged: last, refused }
      },

      async handOver(token, { membership, slots, due_from, cut }) {
        await refuseOthers(membership, token)
        if (Math.abs(due_from.getTime() - services.now().getTime()) > HAND_OVER_TOLERANCE_MS) {
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

function lost(membership: number): ProbeRefusal {
  return new ProbeRefusal('lost', `the membership ${membership} has ended`)
}
