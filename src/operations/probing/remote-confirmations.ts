import type { FoundStatus } from '../../core/monitors/check.ts'
import { ANSWER_MARGIN_MS, type KnownStatus } from '../../core/monitors/confirmation.ts'
import { checkResultOf } from '../../core/probing/remote-probe.ts'
import { nextTickMs, phaseMs } from '../../core/probing/schedule.ts'
import { createConfirmationClaims, createConfirmationRequests } from '../../store/probing/confirmations.ts'
import {
  type Confirmable,
  endRequestsAbout,
  readConfirmable,
  readKnownBy,
  requestsOf,
  withdrawRequests,
} from '../../store/probing/remote-confirmations.ts'
import { isMemberOf } from '../../store/probing/remote-probes.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { Services } from '../services.ts'
import { lostMembership, type RemoteProbeAnswers, type RemoteProbeMonitor } from './remote-probe-answers.ts'

type ConfirmationAnswers = Pick<
  RemoteProbeAnswers,
  'known' | 'askOthers' | 'look' | 'withdraw' | 'claim' | 'answer'
>

/**
 * Lets remote probes take part when failures are confirmed: they ask about monitors that they hold, read the answers to
 * their own requests, and claim requests to their region.
 */
export function createConfirmationAnswers(
  { db, limits, now }: Services,
  openedFor: (monitor: ScheduledMonitor) => RemoteProbeMonitor[],
): ConfirmationAnswers {
  const requests = createConfirmationRequests(db)
  const claims = createConfirmationClaims(db)

  async function refuseOthers(membership: number, token: number): Promise<void> {
    if (!(await isMemberOf(db, membership, token))) throw lostMembership(membership)
  }

  /** Allows as many requests as the monitor's checks can need; beyond that it does without other regions. */
  async function mayRequest(id: number, { intervalMs }: Confirmable): Promise<boolean> {
    const tickMs = nextTickMs(now().getTime(), intervalMs, phaseMs(id, intervalMs))
    return (await limits.perConfirmedTick.take(`${id}-${tickMs}`)).retryAfterSeconds === null
  }

  return {
    async known(token, { ids }) {
      const known = await readKnownBy(db, token.id, ids)
      return { known: ids.map((id) => toProbe(known.get(id) ?? null)) }
    },

    async askOthers(token, { membership, wishes }) {
      await refuseOthers(membership, token.id)
      const ids = wishes.map(({ id }) => id)
      const confirmable = await readConfirmable(db, membership, ids)
      await endRequestsAbout(db, membership, [...confirmable.keys()])
      const made = wishes.map(async ({ id, revision, regions }) => {
        const about = confirmable.get(id)
        const others = [...new Set(regions)].filter((region) => region !== token.region)
        if (!about || others.length === 0 || !(await mayRequest(id, about))) return []
        return requests.request({
          monitorId: id,
          revision,
          membership,
          regions: others.slice(0, about.confirmations),
          forMs: about.timeoutMs + ANSWER_MARGIN_MS,
        })
      })
      return { asked: await Promise.all(made) }
    },

    async look(token, { ids }) {
      return { asked: await requests.readAttempts(await requestsOf(db, token.id, ids)) }
    },

    async withdraw(token, { ids }) {
      await withdrawRequests(db, token.id, ids)
      return {}
    },

    async claim(token, { membership, limit, held }) {
      await refuseOthers(membership, token.id)
      const claimed = await claims.claim(membership, limit, held)
      return {
        claimed: claimed.flatMap(({ confirmation, monitor }) =>
          openedFor(monitor).map((opened) => ({ confirmation, monitor: opened })),
        ),
      }
    },

    async answer(token, { membership, answers }) {
      await refuseOthers(membership, token.id)
      await Promise.all(
        answers.map(({ confirmation, result }) => {
          const { note: _, answer: __, ...found } = checkResultOf(result)
          return claims.answer(confirmation, membership, found)
        }),
      )
      return {}
    },
  }
}

/** A probe made before there was maintenance does not know that status. To both it means that a failure is news. */
function toProbe(known: KnownStatus) {
  if (!known) return null
  const status: FoundStatus = known.status === 'maintenance' ? 'pending' : known.status
  return { ...known, status }
}
