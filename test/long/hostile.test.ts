// npm test leaves this out: it lets a dozen faults befall processes in two regions, and waits for each to be over (minutes).
import { test } from 'node:test'
import { assertNoHarm } from '../hostile/plain-run.ts'

/* All of `npm run hostile` that befalls processes and needs no rights, over two regions that take turns, with servers and windows. */
test('no incident and no alert is lost or doubled over 12 faults of processes in two regions', async (t) => {
  await assertNoHarm(t, {
    layout: [
      { roles: 'api,alerts,scheduler' },
      { roles: 'probe,scheduler,alerts', region: 'lon' },
      { roles: 'probe', region: 'nyc' },
    ],
    monitors: 8,
    jobs: 2,
    servers: 4,
    sites: 2,
    hasWindows: true,
    faults: 12,
    longestFaultMs: 3_500,
    kinds: ['process killed', 'process killed and started at once', 'process frozen'],
  })
})
