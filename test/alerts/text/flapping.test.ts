import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagerdutyEvent } from '../../../src/alerts/pagerduty.ts'
import { partsOfGroup } from '../../../src/alerts/text/group.ts'
import { compose } from '../../../src/alerts/text/message.ts'
import { flappingAlert, steadyAlert } from '../../../src/core/alerting/flapping.ts'
import { groupKindOf } from '../../../src/core/alerting/grouping.ts'
import {
  DOWN,
  RECOVERY,
  SERVER_DOWN,
  SITE_DOWN,
  SITE_URL,
  sendingTo,
} from '../../support/servers/receivers-alert.ts'

const FLAPPING = { since: DOWN.occurredAt, changes: 6, minutes: 30 }
const STEADY = { at: DOWN.occurredAt, flapping: FLAPPING }

describe('alerts of what flaps', () => {
  test('say how often it changed, and that others wait', () => {
    for (const [alert, labels] of [
      [DOWN, ['Target', 'Cause', 'Noticed at', 'Team', 'Flapping']],
      [SERVER_DOWN, ['Host', 'Cause', 'Noticed at', 'Team', 'Flapping']],
      [SITE_DOWN, ['Address', 'Area', 'Cause', 'Noticed at', 'Team', 'Flapping']],
    ] as const) {
      const { lines, text, tone } = compose(flappingAlert(alert, FLAPPING), SITE_URL)
      assert.deepEqual([text, tone], ['Alerts wait until it is steady again.', 'warning'])
      assert.deepEqual(
        lines.map(([label]) => label).filter((label) => label !== 'Notes'),
        labels,
      )
      assert.equal(lines.at(-1)?.[1], '6 changes, for less than 30 min each')
    }
  })

  test('say in German what they say in English', () => {
    const { title, text, lines } = compose(flappingAlert({ ...DOWN, language: 'de' }, FLAPPING), SITE_URL)
    assert.deepEqual([title, text], ['Shop ist instabil', 'Alarme warten, bis es wieder stabil ist.'])
    assert.equal(
      lines.find(([label]) => label === 'Instabil')?.[1],
      '6 Wechsel, jeder nach weniger als 30 min',
    )
    const steady = steadyAlert({ ...RECOVERY, language: 'de' }, { ...STEADY, isDown: false })
    assert.equal(compose(steady, SITE_URL).title, 'Shop ist wieder stabil: alles läuft')
  })

  test('have the tone of how it is once it is steady', () => {
    const tones = [true, false].map(
      (isDown) => compose(steadyAlert(DOWN, { ...STEADY, isDown }), SITE_URL).tone,
    )
    assert.deepEqual(tones, ['bad', 'good'])
  })

  test('are trouble in a group, under a word of their own', () => {
    const flapping = flappingAlert(DOWN, FLAPPING)
    assert.equal(groupKindOf('email', flapping), 'trouble')
    const together = [flapping, { ...DOWN, name: 'Two' }]
    const [part] = partsOfGroup(together, { messages: 1, holds: () => true }, { siteUrl: SITE_URL })
    assert.deepEqual(
      part?.message.names?.map(([news]) => news),
      ['Down (HTTP 503 (expected 200))', 'Flapping (HTTP 503 (expected 200))'],
    )
  })

  test('are one incident for programs, from flapping to the recovery', () => {
    const sent = [
      sendingTo(null, { alert: flappingAlert(DOWN, FLAPPING), incidentId: 5 }),
      sendingTo(null, { alert: steadyAlert(DOWN, { ...STEADY, isDown: true, knownAs: 5 }), incidentId: 9 }),
      sendingTo(null, { alert: { ...RECOVERY, knownAs: 5 }, incidentId: 9 }),
    ].map((sending) => pagerdutyEvent(sending, SITE_URL))
    assert.deepEqual(
      sent.map(({ event_action }) => event_action),
      ['trigger', 'trigger', 'resolve'],
    )
    assert.equal(new Set(sent.map(({ dedup_key }) => dedup_key)).size, 1)
  })
})
