import type { StateTimes } from '../../../src/core/history/uptime.ts'
import { COMPONENT_STATES, worstState } from '../../../src/core/status-pages/component-state.ts'
import type {
  ComponentChart,
  ComponentHistory,
  PageComponent,
  PageItem,
  PageModel,
} from '../../../src/core/status-pages/page-model.ts'
import { randomFrom } from '../history/checks.ts'
import {
  hoursAgo,
  sampleComponent,
  sampleGroup,
  sampleHistory,
  samplePage,
  samplePlanned,
  samplePost,
  sampleUpdate,
} from './models.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const QUARTERS_OF_DAY = 96

/** A page on which everything happens at once: each state, each kind of post, names of all sorts, charts. */
export function troubledPage(own: Partial<PageModel> = {}): PageModel {
  const stateful = COMPONENT_STATES.map((state, index) =>
    sampleComponent({ id: 20 + index, name: STATE_NAMES[index] as string, state, history: histories(index) }),
  )
  const items: PageItem[] = [
    {
      group: sampleGroup({
        id: 1,
        name: 'Website & <script>alert(1)</script>',
        components: [
          sampleComponent({ id: 1, state: 'partial_outage', description: 'Everything below /v1.' }),
          sampleComponent({ id: 2, name: 'لوحة التحكم (eu-1)', description: 'واجهة "المستخدم"' }),
          sampleComponent({ id: 3, name: '決済システム 🚀', chart: sampleChart(3), history: null }),
        ],
      }),
    },
    { group: sampleGroup({ id: 2, name: 'Each state', isOpen: false, components: stateful }) },
    { component: sampleComponent({ id: 4, name: 'Mail', chart: sampleChart(4), history: histories(1) }) },
    { component: sampleComponent({ id: 5, name: 'Telephone', history: null, state: 'maintenance' }) },
  ]
  return samplePage({ items, ...posts(), ...own })
}

const STATE_NAMES = ['Search', 'Fax', 'Exports', 'Imports', 'Webhooks', 'Archive']

function posts(): Pick<PageModel, 'active' | 'planned' | 'recent' | 'state'> {
  const open = samplePost({
    updates: [
      sampleUpdate({
        id: 502,
        phase: 'identified',
        at: hoursAgo(0.5),
        body: 'A full disk: we make room.\n\n- reading works\n- [what we know](https://acme.example.com/disk)\n\n<img src=x onerror=alert(1)>',
      }),
      sampleUpdate(),
    ],
  })
  const work = samplePost({
    id: 42,
    kind: 'maintenance',
    title: 'New telephone exchange',
    impact: 'maintenance',
    scheduledFor: hoursAgo(1),
    scheduledUntil: hoursAgo(-2),
    components: [{ id: 5, name: 'Telephone', state: 'maintenance' }],
    updates: [
      sampleUpdate({
        id: 503,
        phase: 'in_progress',
        body: 'Calls may end early.',
        impacts: [{ componentId: 5, name: 'Telephone', state: 'maintenance' }],
      }),
    ],
  })
  const over = samplePost({
    id: 40,
    title: 'Mail was late',
    impact: 'degraded',
    startedAt: hoursAgo(80),
    resolvedAt: hoursAgo(77),
    createdAt: hoursAgo(80),
    components: [],
    updates: [
      sampleUpdate({ id: 500, phase: 'resolved', at: hoursAgo(77), body: 'All mail has left.', impacts: [] }),
      sampleUpdate({
        id: 499,
        phase: 'monitoring',
        at: hoursAgo(78),
        body: 'The queue is getting shorter.',
        impacts: [],
      }),
      sampleUpdate({
        id: 498,
        at: hoursAgo(80),
        body: 'Mail leaves up to an hour late.',
        impacts: [{ componentId: 4, name: 'Mail', state: 'degraded' }],
      }),
    ],
  })
  return {
    state: 'major_outage',
    active: [open, work],
    planned: [
      samplePlanned({
        key: 'post-42',
        postId: 42,
        title: work.title,
        note: 'Calls may end early.',
        startsAt: hoursAgo(1),
        endsAt: hoursAgo(-2),
        isRunning: true,
        components: [{ id: 5, name: 'Telephone' }],
      }),
      samplePlanned(),
    ],
    recent: [over],
  }
}

/** Days of every kind. */
function histories(index: number): ComponentHistory {
  return sampleHistory({
    [2 + index]: { downMs: 187_345 },
    [9 + index]: { downMs: 2 * HOUR_MS, unknownMs: 10 * MINUTE_MS },
    20: { maintenanceMs: HOUR_MS },
    33: { unknownMs: DAY_MS },
    34: { unknownMs: 20 * HOUR_MS },
    50: { downMs: DAY_MS },
    ...Object.fromEntries(Array.from({ length: 10 }, (_, day) => [80 + day, null])),
  })
}

/** A day of response times, with a hole in it. */
export function sampleChart(seed: number): ComponentChart {
  const random = randomFrom(seed)
  const medianMs = Array.from({ length: QUARTERS_OF_DAY }, (_, at) =>
    at > 40 && at < 44 ? null : Math.round(80 + 40 * Math.sin(at / 12) + 60 * random() ** 4),
  )
  return { from: hoursAgo(24), stepMs: 15 * MINUTE_MS, medianMs }
}

/**
 * A page with the noise of a real one: failures of single components and of many at once, weekly maintenance, pauses
 * and components that are younger than the bars. The same for the same seed.
 */
export function largePage(components: number, { days = 90, seed = 1, groupOf = 10 } = {}): PageModel {
  const random = randomFrom(seed)
  const shared = new Map(Array.from({ length: 3 }, () => [Math.floor(random() * days), random()]))
  const all = Array.from({ length: components }, (_, index): PageComponent => {
    const state = random() < 0.02 ? 'major_outage' : 'operational'
    const name = `${WORDS[Math.floor(random() * WORDS.length)]} ${REGIONS[index % REGIONS.length]}`
    const description = random() < 0.3 ? `${name}: everything that ${WORDS[index % WORDS.length]} needs.` : ''
    const history = sampleHistory(noise(random, shared, days), days)
    return sampleComponent({ id: 1_000 + index, name, description, state, history })
  })
  const items: PageItem[] = []
  for (let at = 0; at < all.length; at += groupOf) {
    const members = all.slice(at, at + groupOf)
    const id = 100 + at / groupOf
    items.push({
      group: sampleGroup({ id, name: `${WORDS[id % WORDS.length]} platform`, components: members }),
    })
  }
  const { active, planned, recent } = posts()
  return samplePage({ items, active, planned, recent, state: worstState(all.map(({ state }) => state)) })
}

function noise(
  random: () => number,
  shared: Map<number, number>,
  days: number,
): Record<number, Partial<StateTimes> | null> {
  const told: Record<number, Partial<StateTimes> | null> = {}
  const bornAgo = random() < 0.1 ? Math.floor(random() * days) : days
  const isPlanned = random() < 0.2
  for (let ago = 0; ago < days; ago++) {
    if (ago > bornAgo) told[ago] = null
    else if (random() < 0.03) told[ago] = { downMs: Math.round(40_000 + random() ** 4 * 6 * HOUR_MS) }
    else if (shared.has(ago) && random() < 0.6) {
      told[ago] = { downMs: Math.round(random() * 5_000 + (shared.get(ago) as number) * HOUR_MS) }
    } else if (isPlanned && ago % 7 === 1) told[ago] = { maintenanceMs: HOUR_MS }
    else if (random() < 0.005) told[ago] = { unknownMs: Math.round(random() * DAY_MS) }
  }
  return told
}

const REGIONS = ['Frankfurt', 'Virginia', 'Tokyo', 'São Paulo', 'Sydney']
const WORDS = [
  'API',
  'Checkout',
  'Search',
  'Billing',
  'Dashboard',
  'Webhooks',
  'Login',
  'Storage',
  'Reports',
  'Mail',
  'Image processing',
  'DNS',
]
