import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  AWAY_AFTER_MS,
  followPages,
  type ServedPage,
} from '../../../../src/operations/status-pages/serving/followed-pages.ts'
import type { ServedPageRow } from '../../../../src/store/status-pages/served-pages.ts'
import { until } from '../../../support/until.ts'

type Stored = Pick<ServedPageRow, 'id' | 'slug' | 'domains'> & { version: string }

/** Follows pages of a list, which can be changed, and which can be away. */
function followed(stored: Stored[]) {
  const world = {
    stored,
    isAway: false,
    nowMs: 0,
    readings: 0,
    changes: [] as [number[], number[]][],
    troubles: 0,
  }
  const pages = followPages({
    async readVersions() {
      world.readings++
      if (world.isAway) throw new Error('the database is away')
      return world.stored.map(({ id, version }) => ({ id, version }))
    },
    readPages: async (ids) => world.stored.filter(({ id }) => ids.includes(id)) as unknown as ServedPageRow[],
    onChange: (changed: ServedPage[], gone) => world.changes.push([changed.map(({ id }) => id), gone]),
    monotonicMs: () => world.nowMs,
    onTrouble: () => world.troubles++,
  })
  after(() => pages.close())
  /** Resolves once what is stored now has been read. */
  const read = async () => {
    const { readings } = world
    await until('it is read twice more', () => {
      pages.wake()
      return world.readings > readings + 1
    })
  }
  return { world, pages, read }
}

const page = (id: number, slug: string, version = '1', domains: string[] = []): Stored => ({
  id,
  slug,
  version,
  domains,
})

describe('the pages that a process follows', () => {
  it('are found by name and by domain, as they are now', async () => {
    const { world, pages, read } = followed([page(1, 'a', '1', ['a.example.org']), page(2, 'b')])
    await pages.known
    assert.deepEqual(
      [pages.bySlug('a')?.id, pages.byDomain('a.example.org')?.id, pages.bySlug('c')],
      [1, 1, null],
    )
    world.stored = [page(1, 'c', '2', ['b.example.org']), page(2, 'a', '2')]
    await read()
    assert.deepEqual([pages.bySlug('a')?.id, pages.bySlug('b'), pages.bySlug('c')?.id], [2, null, 1])
    assert.deepEqual([pages.byDomain('a.example.org'), pages.byDomain('b.example.org')?.id], [null, 1])
  })

  it('say which changed and which are gone, and nothing while nothing changes', async () => {
    const { world, pages, read } = followed([page(1, 'a'), page(2, 'b')])
    await pages.known
    await read()
    world.stored = [page(2, 'b', '2'), page(3, 'c')]
    await read()
    assert.deepEqual(world.changes, [
      [[1, 2], []],
      [[2, 3], [1]],
    ])
  })

  it('stay while the records are away, which is said once, and after a while of each page', async () => {
    const { world, pages, read } = followed([page(1, 'a')])
    await pages.known
    world.isAway = true
    await read()
    assert.equal(pages.isAway(), false)
    world.nowMs += AWAY_AFTER_MS + 1
    await read()
    assert.deepEqual([pages.isAway(), pages.bySlug('a')?.id, world.troubles], [true, 1, 1])
    world.isAway = false
    await read()
    assert.equal(pages.isAway(), false)
  })
})
