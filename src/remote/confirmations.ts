import type { CheckResult } from '../core/monitors/check.ts'
import type { KnownStatus } from '../core/monitors/confirmation.ts'
import { checkResultOf, type SentResult } from '../core/probing/remote-probe.ts'
import { gather } from '../postgres/gather.ts'
import type {
  ConfirmationClaims,
  ConfirmationRequest,
  ConfirmationRequests,
  RequestedAttempt,
} from '../store/probing/confirmations.ts'
import { type ServiceLink, unlessUnreachable } from './service-link.ts'

const TIMEOUT_MS = 2_000

type ClaimAnswer = { confirmation: number; membership: number; result: SentResult }

/**
 * Requests of regions to each other to confirm a failure, by way of the service. While that is out of reach no region
 * can be asked: further attempts are made here, and a monitor that was found down here is not doubted again.
 */
export function createRemoteConfirmations(
  link: ServiceLink,
  isDown: (monitorId: number) => boolean,
): { confirmations: ConfirmationRequests; claims: ConfirmationClaims } {
  const knownOf = gather(async (ids: number[]) => (await link.ask('known', { ids }, TIMEOUT_MS)).known)
  const request = gather(async (requests: ConfirmationRequest[]): Promise<number[][]> => {
    const requested = new Map<ConfirmationRequest, number[]>()
    for (const [membership, own] of Map.groupBy(requests, (one) => one.membership)) {
      const wishes = own.map(({ monitorId, revision, regions }) => ({ id: monitorId, revision, regions }))
      const answer = await link.ask('askOthers', { membership, wishes }, TIMEOUT_MS)
      for (const [index, one] of own.entries()) requested.set(one, answer.asked[index] ?? [])
    }
    return requests.map((one) => requested.get(one) ?? [])
  })
  const readAttempt = gather(async (ids: number[]) => {
    const { asked } = await link.ask('look', { ids }, TIMEOUT_MS)
    const found = new Map<number, RequestedAttempt>(
      asked.map(({ attempt, ...one }) => {
        const made = attempt && { region: attempt.region, result: checkResultOf(attempt.result) }
        return [one.id, { ...one, attempt: made }]
      }),
    )
    return ids.map((id) => found.get(id) ?? null)
  })
  const withdraw = gather(async (ids: number[]) => {
    await link.ask('withdraw', { ids }, TIMEOUT_MS)
    return ids.map(() => null)
  })
  const answer = gather(async (answers: ClaimAnswer[]) => {
    for (const [membership, own] of Map.groupBy(answers, (one) => one.membership)) {
      const sent = own.map(({ confirmation, result }) => ({ confirmation, result }))
      await link.ask('answer', { membership, answers: sent }, TIMEOUT_MS)
    }
    return answers.map(() => null)
  })

  return {
    confirmations: {
      knownOf: (id) => unlessUnreachable<KnownStatus>(link, () => knownOf(id), knownHere(isDown(id))),
      request: (one) => unlessUnreachable(link, () => request(one), []),
      async readAttempts(ids) {
        const attempts = await unlessUnreachable(link, () => Promise.all(ids.map(readAttempt)), [])
        return attempts.filter((one) => one !== null)
      },
      withdraw: async (ids) => void (await unlessUnreachable(link, () => Promise.all(ids.map(withdraw)), [])),
    },
    claims: {
      async claim(membership, limit, held) {
        const { claimed } = await unlessUnreachable(
          link,
          () => link.ask('claim', { membership, limit, held }, TIMEOUT_MS),
          { claimed: [] },
        )
        return claimed
      },
      async answer(confirmation, membership, result) {
        const sent = sentPartOf(result)
        await unlessUnreachable(link, () => answer({ confirmation, membership, result: sent }), null)
      },
    },
  }
}

function knownHere(isDown: boolean): KnownStatus {
  return isDown ? { status: 'down', passing: 0 } : null
}

/** A result without the address of the target, which stays here. */
export function sentPartOf({ address, ...sent }: CheckResult): SentResult {
  return sent
}
