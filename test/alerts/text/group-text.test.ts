import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { partsOfGroup } from '../../../src/alerts/text/group.ts'
import type { Message } from '../../../src/alerts/text/message.ts'
import type { Alert } from '../../../src/core/alerting/alert.ts'
import {
  DEGRADED,
  DOWN,
  RECOVERY,
  SERVER_RECOVERY,
  SITE_DOWN,
  SITE_RECOVERY,
  SITE_URL,
} from '../../support/servers/receivers-alert.ts'

const told = (...alerts: Alert[]): Message => {
  const [part] = partsOfGroup(alerts, { messages: 1, holds: () => true }, { siteUrl: SITE_URL })
  assert.ok(part)
  return part.message
}
const named = (alert: Alert, name: string, id: number): Alert => ({ ...alert, name, id })

describe('the headline of a group', () => {
  const [up, warned, down] = [named(RECOVERY, 'Up', 1), named(DEGRADED, 'Warned', 2), named(DOWN, 'Shop', 3)]
  const partly = named({ ...SITE_RECOVERY, still: ['DNS'] }, 'Calm', 4)
  const table: [alerts: Alert[], title: string, tone: Message['tone']][] = [
    [[up, named(RECOVERY, 'Other', 9)], 'Up has recovered and 1 more alert', 'good'],
    [[up, warned, down], 'Shop is down and 2 more alerts', 'bad'],
    [[up, warned], 'Warned needs attention and 1 more alert', 'warning'],
    [[up, partly], 'Calm has partly recovered and 1 more alert', 'warning'],
    [[partly, warned, named(SITE_DOWN, 'Site', 7)], 'Site is down and 2 more alerts', 'bad'],
    [[down, named(DOWN, 'Later', 8)], 'Shop is down and 1 more alert', 'bad'],
  ]
  for (const [alerts, title, tone] of table) {
    test(`of ${alerts.map(({ event, name }) => `${name} ${event}`).join(', ')} is the worst`, () => {
      const message = told(...alerts)
      assert.deepEqual([message.title, message.tone], [title, tone])
    })
  }

  test('and its news are in the same order, and each name stands once', () => {
    const calm = { ...SITE_RECOVERY, still: [], name: 'Calm', id: 4 }
    const message = told(up, calm, { ...calm, area: 'DNS' }, partly, down, named(DOWN, 'Up', 1))
    assert.deepEqual(message.names, [
      ['Down (HTTP 503 (expected 200))', ['Shop', 'Up']],
      ['Partly recovered', ['Calm']],
      ['Recovered', ['Up', 'Calm']],
    ])
  })
})

describe('what a single alert has', () => {
  const runbook = 'https://wiki.example/shop'
  const step = { kind: 'step', number: 2, round: 0, steps: 3, policy: 'Nights', seconds: 7_800 } as const

  test('a group has where it is the same for all', () => {
    const one = { ...DOWN, runbook, notes: 'Call Ada.', escalation: step }
    const {
      lines,
      runbook: shown,
      names,
      link,
    } = told(
      { ...named(one, 'A', 1), teamId: 7 },
      { ...named(one, 'B', 2), occurredAt: '2026-11-21T09:31:00.000000Z', teamId: 7 },
    )
    assert.equal(shown, runbook)
    assert.deepEqual(names, [['Still down (HTTP 503 (expected 200))', ['A', 'B']]])
    assert.deepEqual(lines, [
      ['Down since', '2026-11-21 09:30:00 UTC and later'],
      ['Team', 'Acme'],
      ['Escalation', 'Nights: Step 2 of 3'],
      ['Notes', 'Call Ada.'],
    ])
    assert.equal(link, `${SITE_URL}/teams/7/incidents`)
  })

  test('a group leaves out where it differs', () => {
    const message = told(
      { ...named(DOWN, 'A', 1), runbook, notes: 'Call Ada.' },
      { ...named(DOWN, 'B', 2), runbook: `${runbook}/2`, notes: 'Call Bo.' },
    )
    assert.equal(message.runbook, undefined)
    assert.deepEqual(
      message.lines.map(([label]) => label),
      ['Down since', 'Team'],
    )
  })

  test('a group of recoveries says who had them', () => {
    const acknowledged = { by: 'Ada', at: '2026-11-21T09:31:00.000000Z', note: null }
    const { lines } = told({ ...RECOVERY, acknowledged }, { ...SERVER_RECOVERY, acknowledged })
    assert.deepEqual(lines.at(-1), ['Acknowledged', 'Ada at 2026-11-21 09:31:00 UTC'])
  })
})
