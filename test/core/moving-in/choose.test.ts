import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { said } from '../../../src/core/language/said.ts'
import { contactsLeftOut, rowKey, withoutRows } from '../../../src/core/moving-in/choose.ts'
import {
  type Begun,
  begunBy,
  type Created,
  countSteps,
  type Step,
  type StepAnswer,
  stepsToCreate,
} from '../../../src/core/moving-in/create.ts'
import type { Matches } from '../../../src/core/moving-in/match.ts'

const monitor = (name: string, contacts: string[] = [], tags?: string[]) => ({
  wanted: { name, contacts, ...(tags && { tags }) },
  existing: null,
})

/** An import of three monitors, two contacts of which one is there, two windows and a page. */
const MATCHES = {
  contacts: [
    { wanted: { name: 'Chat' }, existing: null },
    { wanted: { name: 'Mail' }, existing: { id: 7 } },
  ],
  monitors: [monitor('Shop', ['Chat', 'Mail'], ['env:prod']), monitor('Blog', ['Mail']), monitor('Door')],
  windows: [
    { wanted: { window: { name: 'Night' }, monitors: ['Shop', 'Blog'], coversAll: false }, existing: null },
    { wanted: { window: { name: 'All' }, monitors: [], coversAll: true }, existing: null },
  ],
  pages: [
    {
      wanted: {
        page: { name: 'Status', slug: 'status' },
        isPublished: true,
        groups: [
          { name: 'Front', monitors: ['Shop'] },
          { name: 'Back', monitors: ['Blog', 'Door'] },
        ],
      },
      existing: null,
    },
  ],
  skipped: [],
  notes: [],
} as unknown as Matches

const left = (...rows: [kind: Parameters<typeof rowKey>[0], name: string][]) =>
  new Set(rows.map(([kind, name]) => rowKey(kind, name)))

describe('rows that are left out of an import', () => {
  it('are none at first', () => assert.deepEqual(withoutRows(MATCHES, new Set()), MATCHES))

  it('are no longer covered by windows and shown on pages', () => {
    const { monitors, windows, pages } = withoutRows(MATCHES, left(['monitor', 'Shop']))
    assert.deepEqual(
      monitors.map(({ wanted }) => wanted.name),
      ['Blog', 'Door'],
    )
    assert.deepEqual(
      windows.map(({ wanted }) => [wanted.window.name, wanted.monitors]),
      [
        ['Night', ['Blog']],
        ['All', []],
      ],
    )
    assert.deepEqual(
      pages[0]?.wanted.groups.map(({ name }) => name),
      ['Back'],
    )
  })

  it('are no longer in groups, which go with the last of them, and from the groups around them', () => {
    const group = (name: string, members: string[]) => ({
      wanted: { name, contacts: [], members },
      existing: null,
    })
    const groups = [group('All', ['Front', 'Blog']), group('Outer', ['Front']), group('Front', ['Shop'])]
    const matches = { ...MATCHES, monitors: [...MATCHES.monitors, ...groups] } as Matches
    const { monitors } = withoutRows(matches, left(['monitor', 'Shop']))
    assert.deepEqual(
      monitors.map(({ wanted }) => [wanted.name, wanted.members]),
      [
        ['Blog', undefined],
        ['Door', undefined],
        ['All', ['Blog']],
      ],
    )
  })

  it('take a window and a page with them that would be empty', () => {
    const all = left(['monitor', 'Shop'], ['monitor', 'Blog'], ['monitor', 'Door'])
    const { windows, pages } = withoutRows(MATCHES, all)
    assert.deepEqual(
      windows.map(({ wanted }) => wanted.window.name),
      ['All'],
    )
    assert.deepEqual(pages, [])
  })

  it('may be contacts, but a monitor is not created without its own', () => {
    const out = left(['contact', 'Chat'], ['contact', 'Mail'])
    assert.deepEqual(contactsLeftOut(MATCHES, { contacts: ['Chat', 'Mail'] }, out), ['Chat'])
    const { created } = answer(withoutRows(MATCHES, out), () => true)
    assert.deepEqual([...created.monitors.keys()], ['Blog', 'Door'])
    assert.deepEqual(created.refused, [])
  })
})

/** Answers each step, with a refusal where `takes` says so. */
function answer(
  matches: Matches,
  takes: (step: Step) => boolean,
  begun?: Begun,
): { created: Created; asked: string[] } {
  const asked: string[] = []
  const steps = stepsToCreate(matches, begun)
  let next = steps.next()
  while (!next.done) {
    const step = next.value
    const { name } = (step.body ?? {}) as { name?: string }
    asked.push([step.operation, name].filter((part) => part !== undefined).join(' '))
    const told: StepAnswer = takes(step)
      ? { ok: true, data: { id: asked.length } }
      : { ok: false, reason: said('is refused'), isHeld: false, isHopeless: false }
    next = steps.next(told)
  }
  return { created: next.value, asked }
}

describe('an import that was refused amid a record', () => {
  it('makes as many requests as it says', () =>
    assert.equal(answer(MATCHES, () => true).asked.length, countSteps(MATCHES)))

  it('goes on where it was: what was made lacks its tags and its layout, and is not made again', () => {
    const { created } = answer(
      MATCHES,
      ({ operation }) => operation !== 'setMonitorTags' && operation !== 'saveStatusPageLayout',
    )
    const begun = begunBy(created)
    assert.deepEqual([[...begun.monitors.keys()], [...begun.pages.keys()]], [['Shop'], ['Status']])
    const found = <Row extends { existing: unknown }>(rows: Row[]) =>
      rows.map((row) => ({ ...row, existing: row.existing ?? { id: 99 } }))
    const now = {
      ...MATCHES,
      contacts: found(MATCHES.contacts),
      monitors: found(MATCHES.monitors),
      windows: found(MATCHES.windows),
      pages: found(MATCHES.pages),
    } as Matches
    const again = answer(now, () => true, begun)
    assert.deepEqual(again.asked, ['setMonitorTags', 'saveStatusPageLayout', 'publishStatusPage'])
    assert.deepEqual(again.created.refused, [])
  })
})
