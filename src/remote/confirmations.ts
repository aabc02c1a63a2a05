import type { ClaimedConfirmations, Confirmations } from '../store/confirmations.ts'

/**
 * A remote probe confirms a failure by itself, with further attempts: it asks no other region, and takes on nothing that
 * another one asks for, which then does without. What it found down itself it does not doubt again.
 */
export function createRemoteConfirmations(isDown: (monitorId: number) => boolean): {
  confirmations: Confirmations
  asked: ClaimedConfirmations
} {
  return {
    confirmations: {
      knownOf: async (monitorId) => (isDown(monitorId) ? { status: 'down', passing: 0 } : null),
      ask: async () => [],
      look: async () => [],
      withdraw: async () => {},
    },
    asked: { claim: async () => [], answer: async () => {} },
  }
}
