import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { english, said } from '../../../src/core/language/said.ts'
import { MAX_WINDOWS } from '../../../src/core/maintenance/window.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { matchWithTeam } from '../../../src/core/moving-in/match.ts'
import { windowLabel } from '../../../src/core/moving-in/names.ts'
import { createDraft } from '../../../src/imports/draft.ts'
import { TERMS } from '../../support/imports/read-exports.ts'

const slack = (name: string, webhook_url: string) => ({
  name,
  type: 'slack' as const,
  config: { webhook_url },
})

function kept(id: number, contact: Pick<Contact, 'name' | 'type' | 'config'>): Contact {
  return { id, ...contact, notify_on_down: true, notify_on_recovery: true }
}

/** The plan for one contact, and for a monitor it is attached to, beside those that the team has. */
function match(contacts: Contact[]) {
  const draft = createDraft(TERMS)
  const name = draft.contact(slack('Ops', 'https://hooks.slack.example/a'))
  draft.monitor({ name: 'Shop', type: 'heartbeat', intervalSeconds: 60, contacts: name ? [name] : [] })
  const matches = matchWithTeam(draft.outcome(), { contacts, monitors: [], windows: [], pages: [] })
  const [contact] = matches.contacts
  return {
    called: contact?.wanted.name,
    existing: contact?.existing?.id ?? null,
    attached: matches.monitors[0]?.wanted.contacts,
    notes: matches.notes.map(({ note }) => english(note)),
  }
}

describe('a contact of an import', () => {
  const table: [what: string, team: Contact[], expected: ReturnType<typeof match>][] = [
    ['is new in a team without any', [], { called: 'Ops', existing: null, attached: ['Ops'], notes: [] }],
    [
      'is there when name and type are, whatever its address is',
      [kept(1, slack('Ops', 'https://hooks.slack.example/z'))],
      { called: 'Ops', existing: 1, attached: ['Ops'], notes: [] },
    ],
    [
      'is there when its address is, whatever its name is',
      [kept(2, slack('Everybody', 'https://hooks.slack.example/a'))],
      { called: 'Ops', existing: 2, attached: ['Ops'], notes: [] },
    ],
    [
      'takes another name beside one of another type',
      [kept(3, { name: 'Ops', type: 'email', config: { email: 'ops@shop.example' } })],
      {
        called: 'Ops (slack)',
        existing: null,
        attached: ['Ops (slack)'],
        notes: ['is called so here: the team has another contact called Ops'],
      },
    ],
    [
      'is known by that name the next time, with its address masked, too',
      [
        kept(3, { name: 'Ops', type: 'email', config: { email: 'ops@shop.example' } }),
        kept(4, slack('Ops (slack)', 'https://hooks.slack.example/********')),
      ],
      { called: 'Ops', existing: 4, attached: ['Ops'], notes: [] },
    ],
  ]
  for (const [what, team, expected] of table) it(what, () => assert.deepEqual(match(team), expected))
})

describe('a monitor of an import', () => {
  it('is there when one of its name is, whatever that one checks', () => {
    const draft = createDraft(TERMS)
    draft.monitor({ name: 'Shop', type: 'heartbeat', intervalSeconds: 60 })
    draft.monitor({ name: 'Shop', type: 'heartbeat', intervalSeconds: 60 })
    const there = { id: 7, name: 'Shop', type: 'http' } as Monitor
    const { monitors } = matchWithTeam(draft.outcome(), {
      contacts: [],
      monitors: [there],
      windows: [],
      pages: [],
    })
    const found = monitors.map(({ wanted, existing }) => [wanted.name, existing?.id ?? null])
    assert.deepEqual(found, [
      ['Shop', 7],
      ['Shop (2)', null],
    ])
  })

  it('has a name of one line that is not too long, and is free', () => {
    const draft = createDraft(TERMS)
    const names = ['x'.repeat(300), 'x'.repeat(300), ' ', 'a\u001b[31mb', '🙂'.repeat(255)]
    for (const name of names) draft.monitor({ name, type: 'heartbeat', intervalSeconds: 60 })
    assert.deepEqual(
      draft.outcome().declaration.monitors.map(({ name }) => name),
      [`${'x'.repeat(254)}…`, `${'x'.repeat(250)}… (2)`, 'unnamed', 'a [31mb', '🙂'.repeat(255)],
    )
  })
})

describe('a maintenance window of an import', () => {
  const times = { kind: 'switch' as const, max_minutes: 60 }
  const matched = (count: number, known: number) => {
    const draft = createDraft(TERMS)
    for (let number = 1; number <= count; number++) draft.window({ name: 'Works', times, monitors: ['Shop'] })
    const windows = Array.from({ length: known }, (_, index) => ({
      id: index + 1,
      name: `Works (${index + 1})`,
    }))
    const outcome = draft.outcome()
    return { outcome, ...matchWithTeam(outcome, { contacts: [], monitors: [], windows, pages: [] }) }
  }

  it('is there when one of its name is', () => {
    const { windows } = matched(3, 2)
    const found = windows.map(({ wanted, existing }) => [wanted.window.name, existing?.id ?? null])
    assert.deepEqual(found, [
      ['Works', null],
      ['Works (2)', 2],
      ['Works (3)', null],
    ])
  })

  it('is listed where there is no room for it', () => {
    const { windows, skipped } = matched(3, MAX_WINDOWS - 1)
    assert.deepEqual(
      windows.map(({ wanted }) => wanted.window.name),
      ['Works', 'Works (2)', 'Works (3)'],
      'two of the three are there',
    )
    assert.deepEqual(skipped, [])
    const full = matched(MAX_WINDOWS + 1, MAX_WINDOWS)
    const reason = said('a team has at most {max} maintenance windows', { max: MAX_WINDOWS })
    assert.deepEqual(full.outcome.skipped, [{ what: windowLabel('Works'), reason }])
    assert.deepEqual(full.skipped, [{ what: windowLabel('Works'), reason }])
  })
})

describe('a status page of an import', () => {
  const facts = { name: 'Shop', description: '', theme: 'auto' as const, isPublished: true, groups: [] }

  it('is there when one of its address is, whatever its name', () => {
    const draft = createDraft(TERMS)
    for (const slug of ['shop', 'Shop 2', '---']) draft.page({ ...facts, slug })
    const outcome = draft.outcome()
    const none = { contacts: [], monitors: [], windows: [] }
    const { pages } = matchWithTeam(outcome, { ...none, pages: [{ id: 7, slug: 'shop' }] })
    assert.deepEqual(
      pages.map(({ wanted: { page }, existing }) => [page.name, page.slug, existing?.id ?? null]),
      [
        ['Shop', 'shop', 7],
        ['Shop (2)', 'shop-2', null],
      ],
    )
    assert.deepEqual(
      outcome.skipped.map(({ what }) => english(what)),
      ['status page Shop'],
    )
    const { skipped } = matchWithTeam(outcome, { ...none, pages: null })
    assert.deepEqual(
      skipped.map(({ what, reason }) => [
        english(what),
        english(reason).includes('the API has no status pages'),
      ]),
      [
        ['status page Shop', true],
        ['status page Shop (2)', true],
      ],
    )
  })
})
