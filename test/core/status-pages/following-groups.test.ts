import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Carriers,
  type FollowedComponent,
  followGroups,
  withFollowed,
} from '../../../src/core/status-pages/following-groups.ts'
import { type PlacedLayout, placeLayout } from '../../../src/core/status-pages/layout.ts'
import { Component, Layout, MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'

const PROD = { id: 1, tags: ['env:prod'] }
const PLAIN = { id: 2, tags: [] }

const none: Carriers = { monitor: [], server: [], site: [] }
const carrier = (id: number, ...tags: string[]) => ({ id, name: `name ${id}`, tags })
const component = (id: number, monitor: number | null, more: Partial<FollowedComponent> = {}) => ({
  id,
  group_id: 1,
  by_tag: true,
  monitor_id: monitor,
  server_id: null,
  site_id: null,
  ...more,
})

describe('groups of a status page that follow tags', () => {
  it('take what carries all of their tags, by name and under it, and nothing else', () => {
    const carriers = {
      monitor: [carrier(7, 'env:prod'), carrier(8, 'env:test')],
      server: [carrier(7, 'env:prod', 'team:web')],
      site: [carrier(9, 'team:web')],
    }
    const { joining, leaving, marked } = followGroups([PROD, PLAIN], [], carriers)
    const plain = { id: null, server_id: null, site_id: null, description: '', shows_uptime: true }
    const shown = { ...plain, shows_chart: false, state: 'operational', group_id: 1, name: 'name 7' }
    assert.deepEqual(joining, [
      { ...shown, monitor_id: 7 },
      { ...shown, monitor_id: null, server_id: 7 },
    ])
    assert.deepEqual([leaving, marked], [[], []])
  })

  it('leave a subject where it is, and the first of them takes it', () => {
    const carriers = { ...none, monitor: [carrier(7, 'env:prod'), carrier(8, 'env:prod', 'team:web')] }
    const groups = [PROD, { id: 3, tags: ['team'] }]
    const elsewhere = component(1, 7, { group_id: null, by_tag: false })
    const { joining, marked } = followGroups(groups, [elsewhere], carriers)
    assert.deepEqual(
      joining.map(({ monitor_id, group_id }) => [monitor_id, group_id]),
      [[8, 1]],
    )
    assert.deepEqual(marked, [])
  })

  it('let go of what joined by a tag and lost it, not of what a person put there', () => {
    const before = [
      component(1, 7),
      component(2, 8, { by_tag: false }),
      component(3, null, { by_tag: false }),
    ]
    assert.deepEqual(followGroups([PROD], before, none), { leaving: [1], marked: [], joining: [] })
    const other = { ...none, monitor: [carrier(7, 'env:test')] }
    assert.deepEqual(followGroups([PROD], before, other).leaving, [1])
  })

  it('count what carries the tag as theirs once they follow it, and as a person’s once they do not', () => {
    const carriers = { ...none, monitor: [carrier(7, 'env:prod')] }
    const byHand = component(1, 7, { by_tag: false })
    assert.deepEqual(followGroups([PROD], [byHand], carriers).marked, [{ id: 1, by_tag: true }])
    const joined = component(1, 7, { group_id: 2 })
    const ended = followGroups([PLAIN], [joined], carriers)
    assert.deepEqual(ended, { leaving: [], marked: [{ id: 1, by_tag: false }], joining: [] })
  })

  it('pass a subject on to another group whose tags it has', () => {
    const carriers = { ...none, monitor: [carrier(7, 'team:web')] }
    const { leaving, joining } = followGroups([PROD, { id: 3, tags: ['team'] }], [component(1, 7)], carriers)
    assert.deepEqual([leaving, joining.map(({ group_id }) => group_id)], [[1], [3]])
  })

  it('take no more than a page may have', () => {
    const carriers = { ...none, monitor: Array.from({ length: 5 }, (_, id) => carrier(id + 1, 'env:prod')) }
    const full = Array.from({ length: MAX_COMPONENTS - 2 }, (_, id) =>
      component(id + 10, null, { by_tag: false }),
    )
    assert.equal(followGroups([PROD], full, carriers).joining.length, 2)
  })
})

describe('a layout that is saved', () => {
  const carriers = { ...none, monitor: [carrier(7, 'env:prod')] }
  const stored = { ...Component.parse({ monitor_id: 7, name: 'Shop' }), ...component(5, 7) }
  const layoutOf = (tags: string[], components: object[] = []): PlacedLayout =>
    placeLayout(Layout.parse({ items: [{ group: { id: 1, name: 'Shops', tags, components } }] }))

  it('keeps what joined its groups meanwhile, behind the others', () => {
    const byHand = { monitor_id: null, name: 'By hand' }
    const { components } = withFollowed(layoutOf(['env:prod'], [byHand]), [stored], carriers)
    assert.deepEqual(
      components.map(({ id, name, group, position }) => [id, name, group, position]),
      [
        [null, 'By hand', 0, 0],
        [5, 'Shop', 0, 1],
      ],
    )
  })

  it('removes what it leaves out elsewhere, and what it has already', () => {
    const count = (layout: PlacedLayout, one: Parameters<typeof withFollowed>[1][number] = stored) =>
      withFollowed(layout, [one], carriers).components.length
    assert.equal(count(layoutOf([])), 0, 'the group follows nothing any more')
    assert.equal(count(layoutOf(['env:test'])), 0, 'it follows another tag')
    assert.equal(count(layoutOf(['env:prod']), { ...stored, by_tag: false }), 0, 'a person put it there')
    assert.equal(count(layoutOf(['env:prod']), { ...stored, group_id: 2 }), 0, 'its group is gone')
    assert.equal(count(layoutOf(['env:prod'], [{ id: 5, monitor_id: 7, name: 'Shop' }])), 1)
    assert.equal(count(layoutOf(['env:prod'], [{ monitor_id: 7, name: 'Shop' }])), 1)
  })
})
