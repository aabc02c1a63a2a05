import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Delivery } from '../../../../src/core/alerting/delivery-log.ts'
import { MAIL_IS_NOT_SET_UP } from '../../../../src/core/alerting/delivery-log.ts'
import type { CheckDetail } from '../../../../src/core/history/monitor-report.ts'
import { DASHBOARD } from '../../../../src/core/language/de/dashboard.ts'
import { createTranslator, ENGLISH, type Translator } from '../../../../src/core/language/translate.ts'
import type { ToldStory } from '../../../../src/core/monitors/incident-story.ts'
import { boundedFindings, type ShownDiagnosis } from '../../../../src/core/monitors/incidents/diagnosis.ts'
import { incidentMarkdown } from '../../../../src/core/monitors/incidents/incident-markdown.ts'

const at = (time: string) => `2026-11-21T${time}.000000Z`
const URL = 'https://upbeat.example.com/teams/1/incidents/7'
const NOW = new Date('2026-11-21T10:00:00Z')

function check(time: string, rest: Partial<CheckDetail> = {}): CheckDetail {
  return {
    ...{ checked_at: at(time), status: 'down', response_time_ms: null, http_status_code: null },
    ...{ region: 'lon', error_message: 'HTTP 503 (expected 200)', phases: null, note: null },
    ...rest,
  } as CheckDetail
}

function delivery(time: string, rest: Partial<Delivery> = {}): Delivery {
  return {
    ...{ id: 1, event: 'monitor.down', state: 'sent', created_at: at(time), finished_at: null },
    ...{ contact_name: 'Ops', contact_type: 'slack', attempts: [], next_attempt_at: null },
    held_until: null,
    ...rest,
  } as Delivery
}

const attempt = (detail: string) => ({
  ...{ attempt: 1, attempted_at: at('09:30:01'), duration_ms: 80, outcome: 'rejected' as const },
  ...{ status_code: 404, detail, advice: null },
})

const incident = {
  id: 7,
  started_at: at('09:30:00'),
  resolved_at: at('09:42:05'),
  duration_seconds: 725,
  cause: 'HTTP 503 (expected 200)',
  resolved: true,
}

const NO_RESPONSE = { acknowledgement: null, policy: null, events: [], next: [], callable: [] }

const write = (
  story: Partial<ToldStory>,
  title = 'Shop was down',
  { diagnosis, t = ENGLISH.t }: { diagnosis?: ShownDiagnosis; t?: Translator['t'] } = {},
) =>
  incidentMarkdown(
    {
      title,
      facts: [['Monitor', 'Shop (https://shop.example.com/)']],
      story: { incident, deliveries: [], response: NO_RESPONSE, ...story },
      diagnosis,
      now: NOW,
      url: URL,
    },
    t,
  )

describe('the story of an incident as Markdown', () => {
  it('says what was down, why, how long, what was checked and who was alerted, with times in UTC', () => {
    const up = { status: 'up', response_time_ms: 84, error_message: null } as const
    const text = write({
      checks: [check('09:29:00', up), check('09:30:00'), check('09:41:00'), check('09:42:05', up)],
      checks_left_out: 10,
      deliveries: [
        delivery('09:30:00', { attempts: [attempt('HTTP 503'), attempt('ok')] }),
        delivery('09:42:05', { event: 'monitor.recovery', state: 'failed', attempts: [attempt('HTTP 404')] }),
      ],
    })
    assert.equal(
      text,
      `# Shop was down

- **Monitor:** Shop (https://shop.example.com/)
- **Cause:** HTTP 503 (expected 200)
- **Started:** 2026-11-21 09:30:00 UTC
- **Resolved:** 2026-11-21 09:42:05 UTC
- **Duration:** 12 min 5 s
- **Checks:** 13 during the incident
- **Alerts:** 1 delivered, 1 failed
- **Details:** <${URL}>

## Timeline (UTC)

- 2026-11-21 09:29:00: Check passed in 84 ms from lon
- 2026-11-21 09:30:00: Check failed from lon: HTTP 503 (expected 200)
- 2026-11-21 09:30:00: **Incident opened**
- 2026-11-21 09:30:00: Alerted Ops (Slack) about the outage, at attempt 2
- … 10 more failing checks
- 2026-11-21 09:41:00: Check failed from lon: HTTP 503 (expected 200)
- 2026-11-21 09:42:05: Check passed in 84 ms from lon
- 2026-11-21 09:42:05: **Incident resolved** after 12 min 5 s
- 2026-11-21 09:42:05: Failed to alert Ops (Slack) about the recovery: HTTP 404
`,
    )
  })

  const open = { ...incident, resolved_at: null, duration_seconds: null, resolved: false }
  const lines: [what: string, story: Partial<ToldStory>, line: string][] = [
    ['an incident that lasts', { incident: open }, '- **Duration:** 30 min so far'],
    ['an incident that lasts', { incident: open }, '- **Resolved:** Not yet'],
    ['one without a cause', { incident: { ...incident, cause: null } }, '- **Cause:** The check failed'],
    ['one whose checks are no longer kept', { checks: [] }, '- **Checks:** none kept'],
    ['one without alerts', {}, '- **Alerts:** none'],
    [
      'an alert under way',
      { deliveries: [delivery('09:30:01', { state: 'pending' })] },
      '- 2026-11-21 09:30:01: Alerting Ops (Slack) about the outage',
    ],
    [
      'an alert that quiet hours hold',
      {
        deliveries: [
          delivery('09:30:01', {
            state: 'pending',
            next_attempt_at: at('11:00:00'),
            held_until: at('11:00:00'),
          }),
        ],
      },
      '- 2026-11-21 09:30:01: Alert to Ops (Slack) about the outage is held: quiet hours until 2026-11-21 11:00:00 UTC',
    ],
    [
      'an alert that quiet hours dropped',
      { deliveries: [delivery('09:30:01', { state: 'dropped', held_until: at('11:00:00') })] },
      '- 2026-11-21 09:30:01: Not alerted Ops (Slack) about the outage: quiet hours until 2026-11-21 11:00:00 UTC',
    ],
    [
      'an alert that was dropped',
      { deliveries: [delivery('09:30:01', { state: 'dropped', held_until: at('11:00:00') })] },
      '- **Alerts:** 1 not sent: quiet hours',
    ],
    [
      'an alert without a mail server',
      {
        deliveries: [
          delivery('09:30:01', {
            ...{ state: 'failed', contact_type: 'email', attempts: [attempt(MAIL_IS_NOT_SET_UP)] },
          }),
        ],
      },
      '- 2026-11-21 09:30:01: Not alerted: Ops (e-mail), e-mail is not set up',
    ],
    [
      'a cause with marks of Markdown and HTML',
      { incident: { ...incident, cause: 'expected *OK*, got <b>a_b</b> [x](y)\n`&amp;`' } },
      '- **Cause:** expected \\*OK\\*, got \\<b\\>a\\_b\\</b\\> \\[x\\](y) \\`\\&amp;\\`',
    ],
  ]
  for (const [what, story, line] of lines) {
    it(`of ${what} has the line ${line}`, () => {
      assert.ok(write(story).split('\n').includes(line), write(story))
    })
  }

  it('has no line about checks where none are made', () => {
    assert.doesNotMatch(write({}, 'Web 1: Silent'), /Checks/)
  })

  it('has who had it, the notes, the steps and the reminders, each at its time', () => {
    const step = { number: 1, round: 0, schedule: null, contacts: [] as string[], unreached: null }
    const text = write({
      response: {
        ...NO_RESPONSE,
        events: [
          { ...step, kind: 'step', at: at('09:35:00'), contacts: ['Ada', 'Bo'], schedule: 'Nights' },
          {
            ...step,
            kind: 'step',
            at: at('09:36:00'),
            number: 2,
            round: 1,
            unreached: 'gap',
            schedule: 'Office',
          },
          { ...step, kind: 'reminder', at: at('09:37:00'), contacts: ['Ops'] },
          { kind: 'acknowledged', at: at('09:38:00'), by: 'Ada', via: 'link', note: 'on it' },
          { kind: 'withdrawn', at: at('09:39:00'), by: null },
          { kind: 'note', at: at('09:50:00'), by: 'Bo', text: 'Disk *full*' },
        ],
      },
    })
    for (const line of [
      '- 2026-11-21 09:35:00: Step 1: Ada and Bo (schedule Nights)',
      '- 2026-11-21 09:36:00: Step 2, round 2: no one is on call (schedule Office)',
      '- 2026-11-21 09:37:00: Reminder: Ops',
      '- 2026-11-21 09:38:00: Acknowledged by Ada, by the link in an alert: on it',
      '- 2026-11-21 09:39:00: Acknowledgement undone by a former member',
      '- 2026-11-21 09:50:00: Note by Bo: Disk \\*full\\*',
    ]) {
      assert.ok(text.includes(line), `${line}\n${text}`)
    }
  })

  const diagnosis: ShownDiagnosis = {
    state: 'done',
    ended_at: at('09:30:09'),
    found: boundedFindings({
      outcome: 'diagnosed',
      summary: 'it answers, but not as *expected*: HTTP 503',
      region: 'lon',
      sections: { regions: ['lon: down'], answer: ['HTTP 503', '', '```` # <b>Back soon</b>'] },
    }),
  }

  it('ends with the diagnosis, in which no line of the target ends the code that it stands in', () => {
    const told = write({}, 'Shop was down', { diagnosis })
    assert.equal(
      told.slice(write({}).length),
      `
## Diagnosis

**it answers, but not as \\*expected\\*: HTTP 503**

Seen from lon, 2026-11-21 09:30:09 UTC

### What each region sees

\`\`\`text
lon: down
\`\`\`

### Answer

\`\`\`\`\`text
HTTP 503

\`\`\`\` # <b>Back soon</b>
\`\`\`\`\`
`,
    )
  })

  it('has the headings of the diagnosis in the language of the reader', () => {
    const german = createTranslator('de', 'de-DE', DASHBOARD).t
    const told = write({}, 'Shop war gestört', { diagnosis, t: german })
    for (const line of ['## Diagnose', 'Gesehen von lon, 2026-11-21 09:30:09 UTC', '### Antwort'])
      assert.ok(told.split('\n').includes(line), `${line}\n${told}`)
  })

  it('says nothing of a diagnosis that found nothing yet', () => {
    const missed: ShownDiagnosis = { state: 'missed', ended_at: null, found: null }
    assert.equal(write({}, 'Shop was down', { diagnosis: missed }), write({}))
  })
})
