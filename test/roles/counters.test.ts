import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Crawl } from '../../src/engine/sites/start-crawl.ts'
import { createTally } from '../../src/metrics/tally.ts'
import { countCrawls, countDeliveries, countSilences } from '../../src/roles/counters.ts'
import type { ClaimedDelivery } from '../../src/store/alerting/deliveries.ts'

it('attempts by mail count only where there is a mail server: without one nothing is tried, and nothing fails', () => {
  const counted = (hasMail: boolean) => {
    const tally = createTally()
    const note = countDeliveries(tally, () => hasMail)
    for (const contactType of ['email', 'slack'] as const) {
      note({ contactType } as ClaimedDelivery, 'rejected', 5)
    }
    return tally.drain().counts.length
  }
  assert.deepEqual([counted(true), counted(false)], [2, 1])
})

it('a silence counts once it is told: neither one that is over, nor one inside a window, which is looked at again', async () => {
  const tally = createTally()
  const kinds = ['stale', 'covered', 'recorded'] as const
  const { recordSilence } = countSilences(tally, {
    recordSilence: async (serverId) => ({ kind: kinds[serverId] ?? 'stale', dueAt: null }),
  })
  for (const index of kinds.keys()) assert.equal((await recordSilence(index)).kind, kinds[index])
  assert.deepEqual(tally.drain().counts, [['serverSilences', '', 1]])
})

it('a crawl counts by its end where it was under way, and not where another process has it', async () => {
  const tally = createTally()
  const ends = ['done', 'stopped', 'elsewhere', 'failed'] as const
  let number = 0
  const crawl = countCrawls(tally, async () => {
    const kind = ends[number++]
    if (kind === 'failed') throw new Error('the disk is full')
    return { kind } as Awaited<ReturnType<Crawl>>
  })
  const asked = [] as unknown as Parameters<Crawl>
  for (let left = 3; left > 0; left--) await crawl(...asked)
  await assert.rejects(crawl(...asked), /disk is full/)
  assert.deepEqual(tally.drain().counts, [
    ['siteCrawls', 'done', 1],
    ['siteCrawls', 'interrupted', 1],
    ['siteCrawls', 'failed', 1],
  ])
})
