import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { composeDigest } from '../../../src/alerts/mail/digest.ts'
import { mailHtml } from '../../../src/alerts/mail/mail.ts'
import { partsOfGroup } from '../../../src/alerts/text/group.ts'
import { compose, type Message } from '../../../src/alerts/text/message.ts'
import type { Alert } from '../../../src/core/alerting/alert.ts'
import { durationInWords } from '../../../src/core/duration.ts'
import {
  DEGRADED,
  DOWN,
  RECOVERY,
  SERVER_DEGRADED,
  SERVER_DOWN,
  SERVER_RECOVERY,
  SITE_DEGRADED,
  SITE_DOWN,
  SITE_RECOVERY,
  SITE_URL,
  TEST,
} from '../../support/servers/receivers-alert.ts'

/** Without what translates it. */
function contentOf({ language: _, t: __, ...content }: Message) {
  return content
}

describe('the text of an alert', () => {
  test('the server that a monitor is on, in its line and in the place of the cause in a group', () => {
    const onServer = { ...DOWN, server: 'web-1' }
    const { lines } = compose(onServer, SITE_URL)
    assert.deepEqual(
      lines.filter(([label]) => label === 'Server'),
      [['Server', 'web-1 is down']],
    )
    const together = [
      { ...onServer, name: 'One' },
      { ...DOWN, name: 'Two' },
      { ...onServer, name: 'Three', cause: 'connection refused' },
    ]
    const [part] = partsOfGroup(together, { messages: 1, holds: () => true }, { siteUrl: SITE_URL })
    assert.deepEqual(part?.message.names, [
      ['Down (web-1 is down)', ['One', 'Three']],
      ['Down (HTTP 503 (expected 200))', ['Two']],
    ])
  })

  test('the language of the team', () => {
    const { title, lines, language } = compose({ ...RECOVERY, language: 'de' }, SITE_URL)
    assert.equal(language, 'de')
    assert.equal(title, 'Shop läuft wieder')
    assert.deepEqual(
      lines.map(([label]) => label),
      ['Ziel', 'War gestört', 'Ursache', 'Wiederhergestellt', 'Team'],
    )
    const digest = composeDigest([DOWN, { ...SITE_RECOVERY, language: 'de' }], SITE_URL)
    assert.match(digest.title, /^2 Alarme: Shop ist gestört und weitere$/)
    assert.match(mailHtml(digest), /<html lang="de">/)
  })

  test('a monitor that went down: what, why and since when', () => {
    assert.deepEqual(contentOf(compose(DOWN, SITE_URL)), {
      title: 'Shop is down',
      text: null,
      lines: [
        ['Target', 'https://shop.example/'],
        ['Cause', 'HTTP 503 (expected 200)'],
        ['Down since', '2026-11-21 09:30:00 UTC'],
        ['Team', 'Acme'],
      ],
      link: SITE_URL,
      tone: 'bad',
    })
  })

  test('a step and a reminder: how long it lasts, and why it comes again', () => {
    const step = { kind: 'step', number: 2, round: 0, steps: 3, policy: 'Nights', seconds: 7_800 } as const
    const again = compose({ ...DOWN, escalation: step }, SITE_URL)
    // The same title, so that mail clients keep one conversation.
    assert.equal(again.title, 'Shop is down')
    assert.equal(again.text, 'Still down for 2 h 10 min, not acknowledged.')
    assert.deepEqual(again.lines.at(-1), ['Escalation', 'Nights: Step 2 of 3'])
    const reminder = compose({ ...DOWN, escalation: { ...step, kind: 'reminder', policy: null } }, SITE_URL)
    assert.deepEqual([reminder.text, reminder.lines.length], [again.text, again.lines.length - 1])
  })

  test('a drill: that it is one, in each of its alerts', () => {
    const step = { kind: 'step', number: 1, round: 0, steps: 2, policy: 'Nights', seconds: 0 } as const
    const drill = compose({ ...TEST, drill: { id: 5, policy: 'Nights' }, escalation: step }, SITE_URL)
    assert.equal(drill.title, 'This is a drill of Nights')
    assert.equal(drill.text, 'This is a drill: nothing is down. Step 1 of 2.')
    assert.equal(drill.tone, 'neutral')
  })

  test('an acknowledged recovery: who had it, when and their note', () => {
    const acknowledged = { by: 'Ada', at: '2026-11-21T09:31:00.000000Z', note: 'on it' }
    const line = compose({ ...RECOVERY, acknowledged }, SITE_URL).lines.at(-1)
    assert.deepEqual(line, ['Acknowledged', 'Ada at 2026-11-21 09:31:00 UTC: on it'])
  })

  test('a recovery: how long it was down, in words', () => {
    const { title, lines, tone } = compose(RECOVERY, SITE_URL)
    assert.equal(title, 'Shop has recovered')
    assert.equal(tone, 'good')
    assert.deepEqual(lines, [
      ['Target', 'https://shop.example/'],
      ['Was down for', '4 minutes 10 seconds'],
      ['Cause', 'HTTP 503 (expected 200)'],
      ['Recovered at', '2026-11-21 09:30:00 UTC'],
      ['Team', 'Acme'],
    ])
  })

  test('a warning: what it is about', () => {
    const { title, lines, tone } = compose(DEGRADED, SITE_URL)
    assert.equal(title, 'Shop needs attention')
    assert.equal(tone, 'warning')
    assert.deepEqual(lines[1], ['Warning', 'certificate expires in 7 days'])
  })

  const memory = '2 % of memory available (0.3 of 16 GB)'

  test('a crawl: all of its areas in one message, and its first findings', () => {
    const findings = {
      open: { lines: ['/a on /b: HTTP 404', '/c on /: HTTP 500'], more: 3 },
      fixed: { lines: ['/d on /b'], more: 0 },
    }
    const areas = ['Links', 'Sitemap']
    const cause = 'Links: 4 new, 1 fixed, 12 known; Sitemap: 1 new, 0 fixed, 0 known'
    const lines = (alert: Alert) =>
      compose(alert, SITE_URL)
        .lines.filter(([label]) => !['Address', 'Adresse', 'Team', 'Noticed at', 'Bemerkt'].includes(label))
        .map((line) => line.join(': '))
    const alert: Alert = { ...SITE_DEGRADED, cause, area: 'Links', areas, findings }
    assert.deepEqual(lines(alert), [
      'Area: Links, Sitemap',
      `Warning: ${cause}`,
      'Found: /a on /b: HTTP 404; /c on /: HTTP 500; and 3 more',
      'Fixed: /d on /b',
    ])
    assert.deepEqual(lines({ ...alert, language: 'de' }).slice(0, 1), ['Bereich: Links, Sitemap'])
    const recovered = compose(
      { ...SITE_RECOVERY, areas, findings: { ...findings, open: { lines: [], more: 0 } } },
      SITE_URL,
    )
    assert.deepEqual(
      recovered.lines.filter(([label]) => label === 'Fixed' || label === 'Found'),
      [['Fixed', '/d on /b']],
    )
  })

  test('a server that is down: why, already in the headline, and which processes', () => {
    assert.deepEqual(contentOf(compose({ ...SERVER_DOWN, teamId: 7 }, SITE_URL)), {
      title: `web-1 is down: ${memory}`,
      text: null,
      lines: [
        ['Host', 'web-1.example'],
        ['Cause', memory],
        ['Processes', 'java, postgres'],
        ['Down since', '2026-11-21 09:30:00 UTC'],
        ['Team', 'Acme'],
      ],
      link: `${SITE_URL}/teams/7/servers/42`,
      tone: 'bad',
    })
  })

  test('a warning of a server, which names no process where none is to blame', () => {
    const { processes, ...silent } = SERVER_DEGRADED
    const { title, lines, tone } = compose({ ...silent, cause: 'no report for 3 minutes' }, SITE_URL)
    assert.deepEqual([title, tone], ['web-1 needs attention: no report for 3 minutes', 'warning'])
    assert.deepEqual(
      lines.map(([label]) => label),
      ['Host', 'Warning', 'Noticed at', 'Team'],
    )
  })

  test('a recovery of a server: from what, how it is now, and how long it took', () => {
    const { title, lines, tone } = compose(SERVER_RECOVERY, SITE_URL)
    assert.deepEqual([title, tone], ['web-1 has recovered', 'good'])
    assert.deepEqual(lines, [
      ['Host', 'web-1.example'],
      ['Was', memory],
      ['Now', '64 % of memory available (10.2 of 16 GB)'],
      ['Lasted', '4 minutes 10 seconds'],
      ['Recovered at', '2026-11-21 09:30:00 UTC'],
      ['Team', 'Acme'],
    ])
  })

  test('a recovery of a server from one of its troubles: what goes on', () => {
    const { title, lines, tone } = compose(
      { ...SERVER_RECOVERY, still: ['Disk space of /var', 'Swap'] },
      SITE_URL,
    )
    assert.deepEqual([title, tone], ['web-1 has partly recovered', 'warning'])
    assert.deepEqual(lines[3], ['Still', 'Disk space of /var, Swap'])
  })

  test('a site: which of its areas, why, and what else goes on when one of them has recovered', () => {
    const down = compose({ ...SITE_DOWN, teamId: 7 }, SITE_URL)
    assert.deepEqual(
      [down.title, down.tone, down.link],
      [
        'Shop is down: certificate expired 2 days ago (CN=shop.example)',
        'bad',
        `${SITE_URL}/teams/7/sites/42`,
      ],
    )
    assert.deepEqual(down.lines.slice(0, 2), [
      ['Address', 'https://shop.example/'],
      ['Area', 'Certificate'],
    ])
    const warning = compose(SITE_DEGRADED, SITE_URL)
    assert.deepEqual(warning.lines[2], ['Warning', 'MX changed from a to b'])
    const recovery = compose(SITE_RECOVERY, SITE_URL)
    assert.deepEqual([recovery.title, recovery.tone], ['Shop has partly recovered', 'warning'])
    assert.deepEqual(recovery.lines.slice(3, 5), [
      ['Still', 'DNS'],
      ['Lasted', '4 minutes 10 seconds'],
    ])
  })

  test('a digest says each cause once, and is bad when one of its subjects is down', () => {
    const { lines, tone } = composeDigest([SERVER_DOWN, DOWN, SERVER_RECOVERY], SITE_URL)
    assert.deepEqual(
      lines.map(([, line]) => line),
      [
        `web-1 is down: ${memory} · team Acme`,
        'Shop is down · HTTP 503 (expected 200) · team Acme',
        `web-1 has recovered · ${memory} · team Acme`,
      ],
    )
    assert.equal(tone, 'bad')
    assert.equal(composeDigest([SERVER_DOWN], SITE_URL).tone, 'bad')
    assert.equal(composeDigest([SERVER_DEGRADED], SITE_URL).tone, 'neutral')
  })

  test('a test alert: that it is one', () => {
    const { text, lines, tone } = compose(TEST, SITE_URL)
    assert.equal(text, 'This is a test alert from Upbeat. If you can read this, alerts reach you here.')
    assert.equal(tone, 'neutral')
    assert.deepEqual(
      lines.map(([label]) => label),
      ['Sent at', 'Team'],
    )
  })

  const links: [what: string, alert: Alert, incidentId: number | null, link: string][] = [
    ['a monitor that is down', { ...DOWN, teamId: 7 }, 3, `${SITE_URL}/teams/7/incidents/3`],
    ['a recovery', { ...RECOVERY, teamId: 7 }, 3, `${SITE_URL}/teams/7/incidents/3`],
    ['a server that is down', { ...SERVER_DOWN, teamId: 7 }, 3, `${SITE_URL}/teams/7/incidents/servers/3`],
    ['a warning, which has no incident', { ...DEGRADED, teamId: 7 }, null, `${SITE_URL}/teams/7/monitors/42`],
    ['an alert that was stored without its team', DOWN, 3, SITE_URL],
    ['a test', { ...TEST, teamId: 7 }, null, `${SITE_URL}/teams/7/contacts`],
  ]
  for (const [what, alert, incidentId, link] of links) {
    test(`${what} links to ${link}`, () => {
      assert.equal(compose(alert, SITE_URL, { incidentId }).link, link)
    })
  }

  test('a heartbeat has no target, so no line says so', () => {
    const labels = compose({ ...DOWN, target: null }, SITE_URL).lines.map(([label]) => label)
    assert.deepEqual(labels, ['Cause', 'Down since', 'Team'])
  })

  const names: [name: string, title: string][] = [
    ['Shop\r\nBcc: everybody@example.com', 'Shop Bcc: everybody@example.com is down'],
    ['a\u0000b\u2028c', 'a b c is down'],
    ['safe\u202egnp.exe', 'safe\ufffdgnp.exe is down'],
    ['half \ud83d', 'half \ufffd is down'],
    ['Größe 日本 👩‍🚀', 'Größe 日本 👩‍🚀 is down'],
  ]
  for (const [name, title] of names) {
    test(`the name ${JSON.stringify(name)} stays on one line`, () => {
      assert.equal(compose({ ...DOWN, name }, SITE_URL).title, title)
    })
  }
})

describe('a length of time in words', () => {
  const table: [seconds: number, words: string][] = [
    [0, 'less than a second'],
    [1, '1 second'],
    [59.9, '59 seconds'],
    [60, '1 minute'],
    [250, '4 minutes 10 seconds'],
    [3_600, '1 hour'],
    [3_605, '1 hour'],
    [7_260, '2 hours 1 minute'],
    [90_000, '1 day 1 hour'],
    [864_000, '10 days'],
  ]
  for (const [seconds, words] of table) {
    test(`${seconds} s is ${words}`, () => {
      assert.equal(durationInWords(seconds), words)
    })
  }
})
