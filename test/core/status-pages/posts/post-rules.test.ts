import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  IncidentPhase,
  MaintenancePhase,
  NewPost,
  type PostKind,
  type PostPhase,
} from '../../../../src/core/status-pages/post.ts'
import {
  impactFaults,
  newPostFaults,
  phaseFaults,
  postState,
  updateTime,
} from '../../../../src/core/status-pages/posts/post-rules.ts'
import { fillTemplate, templateTime } from '../../../../src/core/status-pages/posts/post-template.ts'
import { subscribersCsv } from '../../../../src/core/status-pages/subscribers/subscriber.ts'
import { parseFields } from '../../../../src/core/validation.ts'

const at = (minute: number) => new Date(Date.UTC(2027, 2, 10, 12, minute))

describe('posts', () => {
  it('have the phases of their kind', () => {
    const phases: [PostKind, readonly PostPhase[], readonly PostPhase[]][] = [
      ['incident', IncidentPhase.options, MaintenancePhase.options],
      ['maintenance', MaintenancePhase.options, IncidentPhase.options],
    ]
    for (const [kind, own, foreign] of phases) {
      for (const phase of own) assert.deepEqual(phaseFaults(kind, phase), [], `${kind} ${phase}`)
      for (const phase of foreign) {
        const [fault] = phaseFaults(kind, phase)
        assert.equal(fault?.field, 'phase', `${kind} ${phase}`)
        assert.equal(fault?.message.values.got, phase)
      }
    }
  })

  it('are refused by the field that does not fit', () => {
    const post = (changes: object) => ({
      kind: 'maintenance',
      title: 'Database',
      scheduled_for: '2027-03-11T01:00:00Z',
      scheduled_until: '2027-03-11T02:00:00+00:00',
      update: { phase: 'scheduled', body: '' },
      ...changes,
    })
    const none = { scheduled_for: null, scheduled_until: null }
    const investigating = { update: { phase: 'investigating', body: '' } }
    const cases: [object, string[]][] = [
      [{}, []],
      [{ kind: 'incident', ...investigating, ...none }, []],
      [{ kind: 'incident', ...investigating }, ['scheduled_for']],
      [{ kind: 'incident', ...investigating, scheduled_for: null }, ['scheduled_until']],
      [{ kind: 'incident', ...none }, ['update.phase']],
      [{ kind: 'outage' }, ['kind']],
      [{ scheduled_for: null }, ['scheduled_for']],
      [{ scheduled_until: null }, ['scheduled_until']],
      [{ scheduled_until: '2027-03-11T01:00:00Z' }, ['scheduled_until']],
      [{ scheduled_for: 'tomorrow' }, ['scheduled_for']],
      [{ title: ' ' }, ['title']],
      [{ update: { phase: 'scheduled', body: 'x'.repeat(20_001) } }, ['update.body']],
      [
        { update: { phase: 'scheduled', body: '', impacts: [{ component_id: 1, state: 'unknown' }] } },
        ['update.impacts.0.state'],
      ],
    ]
    for (const [changes, fields] of cases) {
      const parsed = parseFields(NewPost, post(changes), newPostFaults)
      assert.deepEqual(parsed.ok ? [] : Object.keys(parsed.errors), fields, JSON.stringify(changes))
    }
  })

  it('say since when they are over, and began with their first update or as planned', () => {
    const over = (kind: PostKind, scheduledFor: Date | null, ...phases: PostPhase[]) =>
      postState(
        { kind, scheduledFor },
        phases.map((phase, minute) => ({ phase, at: at(minute) })),
      )
    const cases: [ReturnType<typeof postState>, PostPhase, Date, Date | null][] = [
      [over('incident', null, 'investigating'), 'investigating', at(0), null],
      [over('incident', null, 'investigating', 'resolved'), 'resolved', at(0), at(1)],
      [over('incident', null, 'resolved'), 'resolved', at(0), at(0)],
      [over('incident', null, 'investigating', 'resolved', 'postmortem'), 'postmortem', at(0), at(1)],
      [over('incident', null, 'resolved', 'investigating'), 'investigating', at(0), null],
      [over('incident', null, 'resolved', 'monitoring', 'resolved'), 'resolved', at(0), at(2)],
      [over('maintenance', at(30), 'scheduled'), 'scheduled', at(30), null],
      [over('maintenance', at(30), 'scheduled', 'in_progress', 'completed'), 'completed', at(30), at(2)],
    ]
    for (const [state, phase, startedAt, resolvedAt] of cases) {
      assert.deepEqual(state, { phase, startedAt, resolvedAt })
    }
  })

  it('may be dated back, and not ahead', () => {
    assert.deepEqual(updateTime(null, at(5)), at(5))
    assert.deepEqual(updateTime(at(1), at(5)), at(1))
    // The clock of the person is a minute ahead.
    assert.deepEqual(updateTime(at(6), at(5)), at(5))
    assert.equal((updateTime(at(7), at(5)) as { field: string }).field, 'at')
  })

  it('name components of their page, each once', () => {
    const impact = (component_id: number) => ({ component_id, state: 'degraded' as const })
    assert.deepEqual(impactFaults([impact(1), impact(2)], [2, 1]), {})
    assert.deepEqual(Object.keys(impactFaults([impact(1), impact(3), impact(1)], [1, 2], 'update.')), [
      'update.impacts.1.component_id',
      'update.impacts.2.component_id',
    ])
  })
})

describe('templates', () => {
  it('are filled where a placeholder stands, once', () => {
    const values = { component: 'A {page}', page: '$& Shop', time: templateTime(at(2)) }
    assert.equal(
      fillTemplate('{component} of {page} since {time}; {Page} {} {other} {component}', values),
      'A {page} of $& Shop since 2027-03-10 12:02 UTC; {Page} {} {other} A {page}',
    )
  })
})

describe('the file of subscribers', () => {
  it('quotes what would break a line, and lets no spreadsheet calculate', () => {
    const row = (address: string, component_ids: number[] | null) => ({
      id: 1,
      type: 'email' as const,
      address,
      state: 'confirmed' as const,
      component_ids,
      created_at: 'then',
      confirmed_at: null,
      refused_at: null,
    })
    assert.equal(
      subscribersCsv([
        row('a@example.com', null),
        row('"a,b"@example.com', [1, 2]),
        row('=1+1@example.com', []),
      ]),
      [
        'type,address,state,component_ids,created_at,confirmed_at',
        'email,a@example.com,confirmed,,then,',
        'email,"""a,b""@example.com",confirmed,1 2,then,',
        `email,"'=1+1@example.com",confirmed,,then,`,
        '',
      ].join('\r\n'),
    )
  })
})
