import type { CheckResult } from '../core/monitors/check.ts'
import type { Known } from '../core/monitors/confirmation.ts'
import { type Found, resultOf } from '../core/probing/remote-probe.ts'
import { gather } from '../postgres/gather.ts'
import type { Asked, ClaimedConfirmations, Confirmations, Wish } from '../store/probing/confirmations.ts'
import { type Line, unlessCut } from './ask.ts'

const TIMEOUT_MS = 2_000

type Answer = { confirmation: number; membership: number; result: Found }

/**
 * What regions ask each other for to confirm a failure, by way of the service. While that is out of reach nobody else
 * can be asked: further attempts are made here, and what was found down here is not doubted again.
 */
export function createRemoteConfirmations(
  line: Line,
  isDown: (monitorId: number) => boolean,
): { confirmations: Confirmations; asked: ClaimedConfirmations } {
  const knownOf = gather(async (ids: number[]) => (await line.ask('known', { ids }, TIMEOUT_MS)).known)
  const ask = gather(async (wishes: Wish[]): Promise<number[][]> => {
    const asked = new Map<Wish, number[]>()
    for (const [membership, own] of Map.groupBy(wishes, (wish) => wish.membership)) {
      const about = own.map(({ monitorId, revision, regions }) => ({ id: monitorId, revision, regions }))
      const answer = await line.ask('askOthers', { membership, wishes: about }, TIMEOUT_MS)
      for (const [index, wish] of own.entries()) asked.set(wish, answer.asked[index] ?? [])
    }
    return wishes.map((wish) => asked.get(wish) ?? [])
  })
  const look = gather(async (ids: number[]) => {
    const { asked } = await line.ask('look', { ids }, TIMEOUT_MS)
    const found = new Map<number, Asked>(
      asked.map(({ attempt, ...one }) => {
        const seen = attempt && { region: attempt.region, result: resultOf(attempt.result) }
        return [one.id, { ...one, attempt: seen }]
      }),
    )
    return ids.map((id) => found.get(id) ?? null)
  })
  const withdraw = gather(async (ids: number[]) => {
    await line.ask('withdraw', { ids }, TIMEOUT_MS)
    return ids.map(() => null)
  })
  const answer = gather(async (answers: Answer[]) => {
    for (const [membership, own] of Map.groupBy(answers, (one) => one.membership)) {
      const about = own.map(({ confirmation, result }) => ({ confirmation, result }))
      await line.ask('answer', { membership, answers: about }, TIMEOUT_MS)
    }
    return answers.map(() => null)
  })

  return {
    confirmations: {
      knownOf: (id) => unlessCut<Known>(line, () => knownOf(id), knownHere(isDown(id))),
      ask: (wish) => unlessCut(line, () => ask(wish), []),
      async look(ids) {
        const asked = await unlessCut(line, () => Promise.all(ids.map(look)), [])
        return asked.filter((one) => one !== null)
      },
      withdraw: async (ids) => void (await unlessCut(line, () => Promise.all(ids.map(withdraw)), [])),
    },
    asked: {
      async claim(membership, limit) {
        const { claimed } = await unlessCut(
          line,
          () => line.ask('claim', { membership, limit }, TIMEOUT_MS),
          { claimed: [] },
        )
        return claimed
      },
      async answer(confirmation, membership, result) {
        const found = foundIn(result)
        await unlessCut(line, () => answer({ confirmation, membership, result: found }), null)
      },
    },
  }
}

function knownHere(isDown: boolean): Known {
  return isDown ? { status: 'down', passing: 0 } : null
}

/** What is sent of a result: the address stays here. */
export function foundIn({ address, ...found }: CheckResult): Found {
  return found
}
