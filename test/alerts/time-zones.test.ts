import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPACITIES, send } from '../../src/alerts/channels.ts'
import { composeDigest } from '../../src/alerts/mail/digest.ts'
import { sendGroup } from '../../src/alerts/send-group.ts'
import type { Alert } from '../../src/core/alerting/alert.ts'
import { type ContactType, isForPrograms } from '../../src/core/alerting/contact-types.ts'
import { readableTime } from '../../src/core/language/readable-time.ts'
import { keysOf } from '../../src/core/shape.ts'
import { type ArrivalScope, arriving } from '../support/alerting/arriving.ts'
import { DOWN, RECOVERY, SITE_URL, TEST } from '../support/servers/receivers-alert.ts'

/** An instant in a zone as alerts say it. */
const TIMES: [zone: string | null, iso: string, said: string][] = [
  [null, '2026-11-21T09:30:00.123456Z', '2026-11-21 09:30:00 UTC'],
  ['UTC', '2026-11-21T09:30:00.123456Z', '2026-11-21 09:30:00 UTC'],
  ['Europe/Berlin', '2026-11-21T09:30:00.123456Z', '2026-11-21 10:30:00 UTC+01:00'],
  ['Europe/London', '2026-11-21T09:30:00Z', '2026-11-21 09:30:00 UTC'],
  ['Europe/London', '2026-07-21T09:30:00Z', '2026-07-21 10:30:00 UTC+01:00'],
  ['Asia/Kolkata', '2026-11-21T23:59:59.999Z', '2026-11-22 05:29:59 UTC+05:30'],
  ['America/Phoenix', '2026-01-01T03:00:00Z', '2025-12-31 20:00:00 UTC-07:00'],
  // The hour from 2 to 3 occurs twice when summer time ends.
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 02:30:00 UTC+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 02:30:00 UTC+01:00'],
  // And it is skipped when summer time begins.
  ['America/St_Johns', '2026-03-08T05:29:59Z', '2026-03-08 01:59:59 UTC-03:30'],
  ['America/St_Johns', '2026-03-08T05:30:00Z', '2026-03-08 03:00:00 UTC-02:30'],
  // A zone that this machine does not know, and a time that is none.
  ['Mars/Olympus', '2026-11-21T09:30:00.123456Z', '2026-11-21 09:30:00 UTC'],
  ['Europe/Berlin', 'no-time-at-all', 'no-time-at all UTC'],
]

test('a time is told by the clocks of a zone, with its offset', () => {
  for (const [zone, iso, said] of TIMES) assert.equal(readableTime(iso, zone), said, `${zone} ${iso}`)
})

const AT = '2026-10-25T00:30:00.123456Z'
const ZONE = 'Europe/Berlin'
const LOCAL = '2026-10-25 02:30:00 UTC+02:00'
const IN_UTC = '2026-10-25 00:30:00 UTC'

/** Each kind of text that has a time. */
const ALERTS: [what: string, alert: Alert, line: string][] = [
  ['an outage', { ...DOWN, occurredAt: AT }, 'Down since: '],
  [
    'a recovery that somebody had',
    { ...RECOVERY, acknowledged: { by: 'Ada', at: AT, note: null } },
    'Acknowledged: Ada at ',
  ],
  ['a test', { ...TEST, occurredAt: AT }, 'Sent at: '],
  ['a drill', { ...TEST, occurredAt: AT, drill: { id: 5, policy: 'Nights' } }, 'Sent at: '],
]
/** Channels without times: a notification is too small, or its receiver shows them in the zone of the reader by itself. */
const LEFT_OUT: Partial<Record<ContactType, RegExp>> = { webpush: /^(Down|Sent)/, sms: /^Sent/ }

for (const type of keysOf(CAPACITIES)) {
  describe(`the times that ${type} gets`, { concurrency: true }, () => {
    for (const [what, alert, line] of ALERTS) {
      const seen = (t: ArrivalScope, timeZone: string | null) =>
        arriving(t, type, (channels, sending) => send(channels, type, { ...sending, alert, timeZone }))

      test(`with ${what}`, async (t) => {
        const texts = { there: await seen(t, ZONE), none: await seen(t, null) }
        if (isForPrograms(type)) return assert.equal(texts.there, texts.none, 'programs read UTC')
        assert.equal(await seen(t, 'Mars/Olympus'), texts.none, 'an unknown zone fails nothing')
        assert.ok(!texts.there.includes(IN_UTC), texts.there)
        if (LEFT_OUT[type]?.test(line)) return assert.equal(texts.there, texts.none)
        assert.ok(texts.there.includes(`${line}${LOCAL}`), texts.there)
        assert.ok(texts.none.includes(`${line}${IN_UTC}`), texts.none)
      })
    }

    test('with a group', async (t) => {
      if (CAPACITIES[type] === null) return assert.ok(isForPrograms(type))
      const alerts = ['One', 'Two'].map((name) => ({ ...DOWN, name, occurredAt: AT }))
      const seen = (timeZone: string | null) =>
        arriving(t, type, (channels, sending) =>
          sendGroup(
            channels,
            type,
            { ...sending, timeZone },
            {
              ...{ alerts, told: [], siteUrl: SITE_URL, acknowledgeUrl: undefined, accepted: 0 },
              note: async () => true,
            },
          ),
        )
      const [there, none] = [await seen(ZONE), await seen(null)]
      // A notification has the names alone.
      if (type === 'sms' || type === 'webpush') return assert.equal(there, none)
      assert.ok(there.includes(`Down since: ${LOCAL}`), there)
      assert.ok(none.includes(`Down since: ${IN_UTC}`), none)
    })
  })
}

test('a digest tells all of its times by one zone', () => {
  const alerts = [
    { ...DOWN, occurredAt: AT },
    { ...DOWN, occurredAt: '2026-10-25T01:30:00Z' },
  ]
  const labels = (zone: string | null) => composeDigest(alerts, SITE_URL, zone).lines.map(([label]) => label)
  assert.deepEqual(labels(ZONE), [LOCAL, '2026-10-25 02:30:00 UTC+01:00'])
  assert.deepEqual(labels(null), [IN_UTC, '2026-10-25 01:30:00 UTC'])
})
