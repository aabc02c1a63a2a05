import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { NEWS, stalenessOf } from '../../dashboard/data/news.ts'
import { createPace } from '../../dashboard/data/pace.ts'
import type { OperationId } from '../../src/contract/contract.ts'

const TEAM = 7

/** The key of a question, as dashboard/data/ask.ts makes it. */
const question = (operation: OperationId, { id, query }: { id?: number; query?: object } = {}) =>
  [TEAM, operation, id ?? null, query ?? null] as const

/** The requests of pages that are open at the same time. */
const QUESTIONS = {
  overview: question('getOverview'),
  'monitor 5': question('getMonitor', { id: 5 }),
  'report 5': question('getMonitorReport', { id: 5, query: { range: '24h' } }),
  'monitor 6': question('getMonitor', { id: 6 }),
  incidents: question('listIncidentRows', { query: {} }),
  'incidents of 5': question('listIncidentRows', { query: { monitor: 5 } }),
  'incidents of server 2': question('listIncidentRows', { query: { server: 2 } }),
  'incident 9': question('getIncidentStory', { id: 9 }),
  deliveries: question('listDeliveries', { query: {} }),
  'deliveries to 3': question('listDeliveries', { query: { contact: 3 } }),
  'delivery 4': question('getDelivery', { id: 4 }),
  contacts: question('listContacts'),
  members: question('listMembers'),
}

describe('news', () => {
  const delivery = { id: 4, state: 'sent', contact_id: 3, incident_id: 9 }
  const cases: [event: Parameters<typeof stalenessOf>[0], data: object, stale: string[]][] = [
    ['monitor', { id: 5 }, ['overview', 'monitor 5', 'report 5']],
    ['monitor', { id: 8 }, ['overview']],
    [
      'incident',
      { id: 9, monitor_id: 5 },
      ['overview', 'monitor 5', 'report 5', 'incidents', 'incidents of 5', 'incident 9'],
    ],
    ['incident', { id: 8, monitor_id: 6 }, ['overview', 'monitor 6', 'incidents']],
    ['delivery', delivery, ['overview', 'incident 9', 'deliveries', 'deliveries to 3', 'delivery 4']],
    ['delivery', { id: 1, contact_id: 2, incident_id: 1 }, ['overview', 'deliveries']],
    ['delivery', { id: 1, contact_id: 2, incident_id: null }, ['overview', 'deliveries']],
    // A version before does not name the incident.
    ['delivery', { id: 1, contact_id: 2 }, ['overview', 'incident 9', 'deliveries']],
    ['server', { id: 2 }, ['overview', 'incidents', 'incidents of server 2']],
    ['site', { id: 2 }, ['overview', 'incidents']],
    [
      'monitors',
      {},
      [
        'overview',
        'monitor 5',
        'report 5',
        'monitor 6',
        'incidents',
        'incidents of 5',
        'incidents of server 2',
        'incident 9',
      ],
    ],
    ['contacts', {}, ['overview', 'monitor 5', 'monitor 6', 'contacts']],
    ['team', {}, ['report 5', 'members']],
  ]
  for (const [event, data, stale] of cases) {
    it(`of a ${event} ${JSON.stringify(data)} make stale: ${stale.join(', ')}`, () => {
      const isStale = stalenessOf(event, data)
      const found = Object.entries(QUESTIONS).filter(([, queryKey]) => isStale(queryKey))
      assert.deepEqual(
        found.map(([name]) => name),
        stale,
      )
    })
  }
})

/** No news is told about these: what they answer never changes, or is read when its screen opens. */
const WITHOUT_NEWS = [
  'getFailingAnswer',
  'getPingBody',
  'getTeamReport',
  'listApiTokens',
  'listAuditEntries',
  'listMonitorChecks',
]

describe('what screens ask for', () => {
  it('is made stale by news, or stands among what needs none', () => {
    const dashboard = join(import.meta.dirname, '../../dashboard')
    const asked = globSync('{app,data,forms,parts,screens}/**/*.{ts,tsx}', { cwd: dashboard }).flatMap(
      (file) =>
        [...readFileSync(join(dashboard, file), 'utf8').matchAll(/\bquestion\(\s*[\w.]+,\s*'(\w+)'/g)].map(
          ([, operation]) => operation as OperationId,
        ),
    )
    assert.ok(asked.includes('getOverview'))
    // Without data, news is about every record.
    const isStale = NEWS.map((event) => stalenessOf(event, {}))
    const silent = asked.filter((operation) => !isStale.some((isOne) => isOne(question(operation))))
    assert.deepEqual([...new Set(silent)].sort(), WITHOUT_NEWS)
  })
})

describe('the pace of asking again', () => {
  it('is at once, then every few seconds while a storm goes on, and at once again after it', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    let passedMs = 0
    const asked: number[] = []
    const pace = createPace((questions) => {
      assert.deepEqual([...questions], ['overview'])
      asked.push(passedMs)
    })
    function pass(ms: number, isStorm: boolean) {
      for (const untilMs = passedMs + ms; passedMs < untilMs; ) {
        if (isStorm) pace.want(['overview'])
        passedMs += 50
        t.mock.timers.tick(50)
      }
    }
    pass(60_000, true)
    assert.deepEqual(asked.slice(0, 5), [50, 300, 800, 1_800, 3_800])
    assert.equal(asked.at(-1), 57_800)
    assert.equal(asked.length, 16, '475 in the same minute once')
    pass(20_000, false)
    const before = asked.length
    const calmMs = passedMs
    pass(50, true)
    pass(10_000, false)
    assert.deepEqual(asked.slice(before), [calmMs + 50], 'once for one event')
    pace.want(['overview'])
    pace.stop()
    pass(10_000, false)
    assert.equal(asked.length, before + 1, 'nothing after the end')
  })

  it('is that of each question by itself', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    const asked: string[][] = []
    const pace = createPace((questions) => asked.push([...questions]))
    for (let n = 0; n < 40; n++) {
      pace.want(['overview', 'list'])
      t.mock.timers.tick(50)
    }
    const before = asked.length
    pace.want(['overview', 'monitor 5'])
    t.mock.timers.tick(50)
    assert.deepEqual(asked.slice(before), [['monitor 5']], 'its own news does not wait for others')
  })
})
