import type { TestContext } from 'node:test'
import { assertNoHarm } from '../../hostile/plain-run.ts'

/**
 * The smallest part of `npm run hostile`: two kills and two freezes. A process costs a second of a core each time that it
 * starts, so there are two, which have every role between them and share the slots of one region.
 */
export async function assertHostilityDoesNoHarm(t: TestContext): Promise<void> {
  await assertNoHarm(t, {
    layout: [
      { roles: 'api,alerts,scheduler,probe', region: 'lon' },
      { roles: 'alerts,scheduler,probe', region: 'lon' },
    ],
    monitors: 6,
    jobs: 0,
    servers: 2,
    sites: 0,
    hasWindows: false,
    faults: 4,
    // Longer than leases and memberships last, so that the other one takes over from whoever is frozen.
    longestFaultMs: 6_000,
    kinds: ['process killed', 'process frozen'],
  })
}
