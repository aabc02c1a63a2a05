import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addGroup,
  addInGroup,
  addStatic,
  addSubjects,
  change,
  type Direction,
  draftOfLayout,
  dropAt,
  type ItemBox,
  isGroup,
  type LayoutDraft,
  layoutFaults,
  layoutOf,
  type Place,
  place,
  regroup,
  remove,
  removeSubject,
  sayPlace,
  step,
} from '../../../dashboard/forms/status-pages/layout-draft.ts'
import { slugFor } from '../../../dashboard/forms/status-pages/slug.ts'
import { Layout } from '../../../src/core/status-pages/status-page.ts'

const component = (id: number, name: string) => ({
  id,
  name,
  description: '',
  shows_uptime: true,
  shows_chart: false,
  state: 'operational' as const,
  by_tag: false,
  monitor_id: id * 10,
  monitor: { id: id * 10, name: `monitor ${id}`, is_deleted: false },
  server_id: null,
  server: null,
  site_id: null,
  site: null,
})

/** a, then a group G of b and c, then an empty group H, then d. */
const START = draftOfLayout({
  items: [
    { component: component(1, 'a') },
    {
      group: {
        id: 1,
        name: 'G',
        is_open: true,
        tags: [],
        components: [component(2, 'b'), component(3, 'c')],
      },
    },
    { group: { id: 2, name: 'H', is_open: false, tags: [], components: [] } },
    { component: component(4, 'd') },
  ],
})

/** The names in their order: `a G(b c) H() d`. */
const say = (draft: LayoutDraft) =>
  draft
    .map((item) =>
      isGroup(item) ? `${item.name}(${item.components.map(({ name }) => name).join(' ')})` : item.name,
    )
    .join(' ')

function moved(draft: LayoutDraft, key: string, direction: Direction): LayoutDraft {
  const to = step(draft, key, direction)
  return to ? place(draft, key, to) : draft
}

describe('the order of what is on a status page', () => {
  it('is sent as it was read', () => {
    const sent = Layout.parse(layoutOf(START))
    assert.deepEqual(
      sent.items.map((item) =>
        'group' in item ? item.group.components.map(({ id }) => id) : item.component.id,
      ),
      [1, [2, 3], [], 4],
    )
    assert.deepEqual(layoutFaults(START), new Map())
  })

  const STEPS: [key: string, direction: Direction, after: string][] = [
    ['c1', 'up', 'a G(b c) H() d'],
    ['c1', 'down', 'G(a b c) H() d'],
    ['c2', 'up', 'a b G(c) H() d'],
    ['c2', 'down', 'a G(c b) H() d'],
    ['c3', 'down', 'a G(b) c H() d'],
    ['c4', 'up', 'a G(b c) H(d)'],
    ['c4', 'down', 'a G(b c) H() d'],
    ['g1', 'up', 'G(b c) a H() d'],
    ['g1', 'down', 'a H() G(b c) d'],
    ['g2', 'down', 'a G(b c) d H()'],
  ]
  for (const [key, direction, after] of STEPS) {
    it(`${key} one step ${direction} makes ${after}`, () => {
      assert.equal(say(moved(START, key, direction)), after)
    })
  }

  it('leads through every place, up and down again, and loses nothing', () => {
    const places = [say(START)]
    let draft = START
    for (let next = moved(draft, 'c4', 'up'); next !== draft; next = moved(draft, 'c4', 'up')) {
      draft = next
      places.push(say(draft))
    }
    assert.equal(places.length, 8)
    assert.equal(places.at(-1), 'd a G(b c) H()')
    for (const _ of places) draft = moved(draft, 'c4', 'down')
    assert.equal(say(draft), say(START))
  })

  it('changes by a group that is chosen, and says where a row went', () => {
    assert.equal(say(regroup(START, 'c1', 'g1')), 'G(b c a) H() d')
    assert.equal(say(regroup(START, 'c1', 'g2')), 'G(b c) H(a) d')
    assert.equal(say(regroup(START, 'c2', null)), 'a G(c) H() d b')
    assert.equal(sayPlace(START, 'c3'), 'c: 2 of 2 in G')
    assert.equal(sayPlace(START, 'g2'), 'H: 3 of 4')
  })

  it('keeps the components of a group that is removed', () => {
    assert.equal(say(remove(START, 'g1')), 'a b c H() d')
    assert.equal(say(remove(START, 'c2')), 'a G(c) H() d')
  })

  it('gets monitors once, and rows whose faults are named at them', () => {
    const more = addSubjects(START, 'monitor', [
      { id: 10, name: 'monitor 1' },
      { id: 90, name: 'new' },
      { id: 91, name: 'newer' },
    ])
    assert.equal(say(more), `${say(START)} new newer`)
    const nameless = addGroup(addStatic(more))
    const keys = nameless.map(({ key }) => key)
    assert.equal(new Set(keys).size, keys.length)
    assert.deepEqual(
      [...layoutFaults(nameless)],
      keys.slice(-2).map((key) => [key, { name: ['Enter a name'] }]),
    )
    assert.equal(layoutFaults(change(change(nameless, 'new3', { name: 'x' }), 'new4', { name: 'y' })).size, 0)
  })

  it('gets servers beside monitors with the same ids, and loses the one and not the other', () => {
    const both = addSubjects(START, 'server', [{ id: 10, name: 'web' }])
    assert.equal(say(addSubjects(both, 'server', [{ id: 10, name: 'web' }])), `${say(START)} web`)
    const sent = layoutOf(both).items.at(-1)
    assert.ok(sent && 'component' in sent)
    assert.deepEqual([sent.component.server_id, sent.component.monitor_id], [10, null])
    assert.equal(say(removeSubject(both, 'server', 10)), say(START))
    assert.equal(say(removeSubject(both, 'monitor', 10)), 'G(b c) H() d web')
  })

  it('gets everything that carries a tag, in a new group where it has a name', () => {
    const tagged = {
      monitor: [
        { id: 10, name: 'monitor 1' },
        { id: 90, name: 'new' },
      ],
      server: [{ id: 10, name: 'web' }],
      site: [],
    }
    assert.equal(say(addInGroup(START, '', tagged)), `${say(START)} new web`)
    const grouped = addInGroup(START, 'P', tagged)
    assert.equal(say(grouped), `${say(START)} P(new web)`)
    assert.equal(layoutFaults(grouped).size, 0)
    const known = { monitor: tagged.monitor.slice(0, 1), server: [], site: [] }
    assert.equal(say(addInGroup(START, 'P', known)), say(START), 'no empty group')
  })

  it('is never changed by placing a row beside itself, or a group within a group', () => {
    assert.equal(say(place(START, 'c1', { key: 'c1', at: 'after' })), say(START))
    assert.equal(say(place(START, 'g1', { key: 'c2', at: 'before' })), say(START))
  })
})

describe('a row that is let go of', () => {
  /** a at 0–10; G at 20–60, its own line to 30, b at 32–40 and c at 42–50; d at 70–80. */
  const boxes: ItemBox[] = [
    { key: 'a', top: 0, bottom: 10, group: null },
    {
      key: 'G',
      top: 20,
      bottom: 60,
      group: {
        head: 30,
        components: [
          { key: 'b', top: 32, bottom: 40 },
          { key: 'c', top: 42, bottom: 50 },
        ],
      },
    },
    { key: 'd', top: 70, bottom: 80, group: null },
  ]
  const PLACES: [y: number, component: Place, group: Place][] = [
    [-50, { key: 'a', at: 'before' }, { key: 'a', at: 'before' }],
    [8, { key: 'a', at: 'after' }, { key: 'a', at: 'after' }],
    [15, { key: 'G', at: 'before' }, { key: 'G', at: 'before' }],
    [22, { key: 'G', at: 'before' }, { key: 'G', at: 'before' }],
    [28, { key: 'G', at: 'into' }, { key: 'G', at: 'before' }],
    [34, { key: 'b', at: 'before' }, { key: 'G', at: 'before' }],
    [39, { key: 'c', at: 'before' }, { key: 'G', at: 'before' }],
    [58, { key: 'c', at: 'after' }, { key: 'G', at: 'after' }],
    [65, { key: 'd', at: 'before' }, { key: 'd', at: 'before' }],
    [500, { key: 'd', at: 'after' }, { key: 'd', at: 'after' }],
  ]
  for (const [y, one, group] of PLACES) {
    it(`at ${y} goes ${one.at} ${one.key}, and a group ${group.at} ${group.key}`, () => {
      assert.deepEqual(dropAt(boxes, y, false), one)
      assert.deepEqual(dropAt(boxes, y, true), group)
    })
  }

  it('has no place on an empty page', () => assert.equal(dropAt([], 5, false), null))
})

describe('the address that is proposed for a name', () => {
  for (const [name, slug] of [
    ['Acme Status', 'acme-status'],
    ['  Café & Bar!  ', 'cafe-bar'],
    ['ドメイン', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ] as const) {
    it(`of ${name} is ${slug || 'left to the person'}`, () => assert.equal(slugFor(name), slug))
  }
})
