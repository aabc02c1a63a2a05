import { gather } from '../postgres/gather.ts'
import type { Overruns } from '../store/probing/overruns.ts'
import { type Line, unlessCut } from './ask.ts'

const TIMEOUT_MS = 2_000

type Action = 'busy' | 'claim' | 'end'
type Call = { membership: number; id: number; ms: number }

/**
 * What regions say to each other of checks that go on into the next turn. While the service is out of reach nobody can
 * be asked, and the last known share is checked all the same.
 */
export function createRemoteOverruns(line: Line): Overruns {
  const asking = (action: Action) =>
    gather(async (calls: Call[]): Promise<boolean[]> => {
      const answers = new Map<Call, boolean>()
      for (const [membership, own] of Map.groupBy(calls, (call) => call.membership)) {
        const about = { membership, action, calls: own.map(({ id, ms }) => ({ id, ms: Math.ceil(ms) })) }
        const answered = await line.ask('overruns', about, TIMEOUT_MS)
        for (const [index, call] of own.entries()) answers.set(call, answered.answers[index] ?? false)
      }
      return calls.map((call) => answers.get(call) ?? false)
    })
  const [busy, claim, end] = [asking('busy'), asking('claim'), asking('end')]

  return {
    isBusy: (id, membership) => unlessCut(line, () => busy({ id, membership, ms: 0 }), false),
    claim: (id, membership, ms) => unlessCut(line, () => claim({ id, membership, ms }), true),
    end: async (id, membership) => void (await unlessCut(line, () => end({ id, membership, ms: 0 }), true)),
  }
}
