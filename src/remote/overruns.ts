import { gather } from '../postgres/gather.ts'
import type { Overruns } from '../store/probing/overruns.ts'
import { type ServiceLink, unlessUnreachable } from './service-link.ts'

const TIMEOUT_MS = 2_000

type Action = 'busy' | 'claim' | 'end'
type OverrunCall = { membership: number; id: number; ms: number }

/**
 * Messages between regions about checks that go on into the next turn. While the service is out of reach no region can
 * be asked, and the last known share is checked all the same.
 */
export function createRemoteOverruns(link: ServiceLink): Overruns {
  const asking = (action: Action) =>
    gather(async (calls: OverrunCall[]): Promise<boolean[]> => {
      const answers = new Map<OverrunCall, boolean>()
      for (const [membership, own] of Map.groupBy(calls, (call) => call.membership)) {
        const about = { membership, action, calls: own.map(({ id, ms }) => ({ id, ms: Math.ceil(ms) })) }
        const answered = await link.ask('overruns', about, TIMEOUT_MS)
        for (const [index, call] of own.entries()) answers.set(call, answered.answers[index] ?? false)
      }
      return calls.map((call) => answers.get(call) ?? false)
    })
  const [busy, claim, end] = [asking('busy'), asking('claim'), asking('end')]

  return {
    isBusy: (id, membership) => unlessUnreachable(link, () => busy({ id, membership, ms: 0 }), false),
    claim: (id, membership, ms) => unlessUnreachable(link, () => claim({ id, membership, ms }), true),
    end: async (id, membership) =>
      void (await unlessUnreachable(link, () => end({ id, membership, ms: 0 }), true)),
  }
}
