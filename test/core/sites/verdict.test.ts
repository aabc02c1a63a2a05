import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AreaStanding, type JudgedLook, judgeArea } from '../../../src/core/sites/verdict.ts'

const BEFORE = new Date('2026-11-20T00:00:00Z')
const AT = new Date('2026-11-21T09:30:00Z')
const ENDED = new Date('2026-11-21T09:00:00Z')
const NONE = { applies: false, endedAt: null }
const DURING = { applies: true, endedAt: null }
const OVER = { applies: false, endedAt: ENDED }
const TOLD_DOWN = { status: 'down', cause: 'old' } as const
const TOLD_DEGRADED = { status: 'degraded', cause: 'old' } as const

const standing = (changes: Partial<AreaStanding> = {}): AreaStanding => ({
  area: 'certificate',
  status: 'up',
  statusSince: BEFORE,
  cause: null,
  hasOpenIncident: false,
  told: null,
  ...changes,
})
const look = (status: JudgedLook['status'], changes: Partial<JudgedLook> = {}): JudgedLook => ({
  status,
  cause: status === 'up' ? null : 'new',
  warning: null,
  at: AT,
  maintenance: NONE,
  isSnoozed: false,
  ...changes,
})
const DOWN = standing({ status: 'down', cause: 'old', hasOpenIncident: true, told: TOLD_DOWN })
const WARNED = standing({ status: 'degraded', cause: 'old', told: TOLD_DEGRADED })

/** Status, alerts, whether an incident opens and whether one ends, and what contacts know afterwards. */
type Row = [
  what: string,
  AreaStanding,
  JudgedLook,
  [status: string, events: string[], opens: boolean, resolves: boolean, told: string | null],
]

const ROWS: Row[] = [
  ['stays up', standing(), look('up'), ['up', [], false, false, null]],
  ['goes down', standing(), look('down'), ['down', ['site.down new'], true, false, 'down']],
  ['is down still', DOWN, look('down'), ['down', [], false, false, 'down']],
  ['comes up', DOWN, look('up'), ['up', ['site.recovery old'], false, true, null]],
  [
    'comes up with a warning',
    DOWN,
    look('degraded'),
    ['degraded', ['site.recovery old', 'site.degraded new'], false, true, 'degraded'],
  ],
  ['warns', standing(), look('degraded'), ['degraded', ['site.degraded new'], false, false, 'degraded']],
  ['warns once', WARNED, look('degraded'), ['degraded', [], false, false, 'degraded']],
  [
    'warns anew at the next threshold',
    WARNED,
    look('degraded', { warning: '7 days' }),
    ['degraded', ['site.degraded 7 days'], false, false, 'degraded'],
  ],
  ['has no warning any more', WARNED, look('up'), ['up', ['site.recovery old'], false, false, null]],
  ['falls from a warning', WARNED, look('down'), ['down', ['site.down new'], true, false, 'down']],
  [
    'tells a change, which needs no end',
    standing(),
    look('up', { warning: 'MX changed' }),
    ['up', ['site.degraded MX changed'], false, false, null],
  ],
  ['is not known', DOWN, look('pending'), ['down', [], false, false, 'down']],
  [
    'is snoozed and goes down',
    standing(),
    look('down', { isSnoozed: true }),
    ['down', [], true, false, null],
  ],
  [
    'is told when its snooze is over',
    standing({ status: 'down', hasOpenIncident: true }),
    look('down'),
    ['down', ['site.down new'], false, false, 'down'],
  ],
  ['recovers while it is snoozed', DOWN, look('up', { isSnoozed: true }), ['up', [], false, true, null]],
  [
    'fails under maintenance',
    standing(),
    look('down', { maintenance: DURING }),
    ['maintenance', [], false, false, null],
  ],
  [
    'was down before the maintenance',
    DOWN,
    look('down', { maintenance: DURING }),
    ['maintenance', [], false, false, 'down'],
  ],
  [
    'still fails when the maintenance is over',
    standing({ status: 'maintenance' }),
    look('down', { maintenance: OVER }),
    ['down', ['site.down new'], true, false, 'down'],
  ],
  [
    'warns under maintenance',
    standing(),
    look('degraded', { maintenance: DURING, warning: 'MX changed' }),
    ['degraded', [], false, false, null],
  ],
  [
    'recovers under maintenance',
    DOWN,
    look('up', { maintenance: DURING }),
    ['up', ['site.recovery old'], false, true, null],
  ],
  [
    'is of an area that never is an outage',
    standing({ area: 'links' }),
    look('down'),
    ['degraded', ['site.degraded new'], false, false, 'degraded'],
  ],
]

describe('an area that', () => {
  for (const [what, before, found, expected] of ROWS)
    test(what, () => {
      const { status, events, opens, resolves, told } = judgeArea(before, found)
      assert.deepEqual(
        [
          status,
          events.map(({ event, cause }) => `${event} ${cause}`),
          opens !== null,
          resolves,
          told?.status ?? null,
        ],
        expected,
      )
    })

  test('fails after maintenance failed from the end of the window on', () => {
    const before = standing({ status: 'maintenance' })
    const { opens, statusSince } = judgeArea(before, look('down', { maintenance: OVER }))
    assert.deepEqual([opens?.startedAt, statusSince], [ENDED, ENDED])
  })

  test('is not known keeps its cause, unless nothing was ever known', () => {
    assert.equal(judgeArea(DOWN, look('pending')).cause, 'old')
    assert.equal(judgeArea(standing({ status: 'pending' }), look('pending')).cause, 'new')
  })
})
