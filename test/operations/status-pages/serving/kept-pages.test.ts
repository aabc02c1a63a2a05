import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { PageModel } from '../../../../src/core/status-pages/page-model.ts'
import type { ServedPage } from '../../../../src/operations/status-pages/serving/followed-pages.ts'
import { createKeptPages, type Kept } from '../../../../src/operations/status-pages/serving/kept-pages.ts'
import { createPageMemory } from '../../../../src/operations/status-pages/serving/page-memory.ts'
import type { DocumentWish } from '../../../../src/operations/status-pages/serving/ready-posts.ts'
import { samplePage, samplePost } from '../../../support/status-pages/models.ts'
import { until } from '../../../support/until.ts'

type Document = Kept & { text: string }
const PAGE = { id: 7, isPublished: true } as ServedPage

const LATELY = new Date('2026-11-20T00:00:00Z')

/** Pages of one source, which counts what is read, and whose clock is turned by hand. */
function keptPages(
  own: { model?: () => Promise<PageModel | null>; times?: [post: number, startedAt: Date][] } = {},
) {
  const world = {
    nowMs: 0,
    models: 0,
    months: 0,
    posts: 0,
    rendered: 0,
    name: 'Acme',
    troubles: [] as unknown[],
  }
  const kept = createKeptPages<DocumentWish, Document>({
    source: {
      async readModel() {
        world.models++
        if (own.model) return own.model()
        return samplePage({ settings: { ...samplePage().settings, name: world.name } })
      },
      async readMonth(_page, month) {
        world.months++
        return { month, posts: [samplePost()] }
      },
      async readPost() {
        world.posts++
        return samplePost()
      },
      readPostTimes: async () => new Map(own.times ?? [[41, LATELY]]),
    },
    pageOf: () => PAGE,
    async render(_page, { settings }, posts, { id }) {
      world.rendered++
      return { text: `${settings.name} ${id} ${posts.map(({ id }) => id)}`, bytes: 100 }
    },
    follow: async () => {},
    now: () => new Date('2026-11-22T14:02:00Z'),
    monotonicMs: () => world.nowMs,
    onTrouble: (error) => void world.troubles.push(error),
  })
  after(() => kept.close())
  return { world, kept, text: async (wish: DocumentWish) => (await kept.document(PAGE, wish))?.text ?? null }
}

describe('kept pages', () => {
  it('are made once, however many ask at once, and then read nothing', async () => {
    const { world, kept, text } = keptPages()
    const asked = await Promise.all(Array.from({ length: 50 }, () => text({ id: 'en' })))
    assert.deepEqual(new Set(asked), new Set(['Acme en ']))
    assert.equal((kept.document(PAGE, { id: 'en' }) as Document).text, 'Acme en ')
    assert.deepEqual([world.models, world.rendered], [1, 1])
  })

  it('are written again in each form that was asked for, before somebody asks again', async () => {
    const { world, kept, text } = keptPages()
    await text({ id: 'en' })
    await text({ id: 'month', month: '2026-11' })
    world.name = 'Other'
    world.nowMs += 1_000
    kept.changed(PAGE.id)
    await until(
      'both are new',
      () => (kept.document(PAGE, { id: 'month' }) as Document).text === 'Other month 41',
    )
    assert.equal((kept.document(PAGE, { id: 'en' }) as Document).text, 'Other en ')
    assert.deepEqual([world.models, world.months, world.rendered], [2, 2, 4])
  })

  it('forget forms that nobody asked for in a while', async () => {
    const { world, kept, text } = keptPages()
    await text({ id: 'en' })
    world.nowMs += 700_000
    kept.changed(PAGE.id)
    await until('it is made anew', () => world.models === 2 && kept.bytes.documents === 0)
    assert.equal(world.rendered, 1)
  })

  it('read nothing for months and posts that are not there', async () => {
    const { world, text } = keptPages()
    assert.equal(await text({ id: 'a', month: '2020-01' }), null)
    assert.equal(await text({ id: 'b', month: '2026-12' }), null)
    assert.equal(await text({ id: 'c', post: 42 }), null)
    assert.deepEqual([world.months, world.posts], [1, 0], 'the latest month, when the page is made')
    assert.equal(await text({ id: 'd', post: 41 }), 'Acme d 41')
    assert.equal(await text({ id: 'e', month: '2026-11' }), 'Acme e 41')
  })

  it('stay as they are while they cannot be read, in forms that are new, too', async () => {
    let isAway = false
    const model = async () => {
      if (isAway) throw new Error('the database is away')
      return samplePage()
    }
    const { world, kept, text } = keptPages({ model })
    await text({ id: 'en' })
    isAway = true
    world.nowMs += 1_000
    kept.changed(PAGE.id)
    await until('it was tried', () => world.troubles.length === 1)
    assert.equal(await text({ id: 'en' }), 'Acme en ')
    assert.equal(await text({ id: 'de stale' }), 'Acme de stale ')
  })

  const POSTS: [string, times: [number, Date][], onPage: number[], read: [months: number, posts: number]][] =
    [
      ['on the page: nothing', [[41, LATELY]], [41], [0, 0]],
      ['of this month: the month', [[41, LATELY]], [], [1, 0]],
      ['of the month before: that month', [[41, new Date('2026-10-01T00:00:00Z')]], [], [1, 0]],
      ['older: only once it is asked for', [[41, new Date('2026-09-30T23:59:59Z')]], [], [1, 1]],
    ]
  for (const [name, times, onPage, read] of POSTS) {
    it(`read of a post that is ${name}`, async () => {
      const recent = onPage.map((id) => samplePost({ id, startedAt: LATELY }))
      const { world, text } = keptPages({ times, model: async () => samplePage({ recent }) })
      const month = times[0]?.[1].toISOString().slice(0, 7) as string
      assert.equal(await text({ id: 'post', post: 41 }), 'Acme post 41')
      assert.equal(await text({ id: 'month', month }), 'Acme month 41')
      assert.deepEqual([world.months, world.posts], read)
    })
  }

  it('refuse what cannot be made at all', async () => {
    const { text } = keptPages({ model: () => Promise.reject(new Error('the database is away')) })
    await assert.rejects(text({ id: 'en' }), /away/)
  })

  it('are gone once they are forgotten', async () => {
    const { kept, text } = keptPages()
    await text({ id: 'en' })
    kept.forget(PAGE.id)
    assert.deepEqual(kept.bytes, { models: 0, documents: 0 })
  })
})

describe('the memory of pages', () => {
  it('lets go of the values that were asked for the longest ago, and never holds more than its bytes', () => {
    let nowMs = 0
    const memory = createPageMemory<{ bytes: number }>(
      300,
      ({ bytes }) => bytes,
      () => ++nowMs,
    )
    for (const key of ['a', 'b', 'c']) memory.put(key, { bytes: 100 })
    memory.get('a')
    memory.put('d', { bytes: 100 })
    assert.deepEqual([...memory.keys()].sort(), ['a', 'c', 'd'])
    assert.equal(memory.bytes, 300)
  })

  it('measures a value again that has grown, and keeps it rather than others', () => {
    let nowMs = 0
    const memory = createPageMemory<{ bytes: number }>(
      300,
      ({ bytes }) => bytes,
      () => ++nowMs,
    )
    const grows = { bytes: 100 }
    memory.put('a', grows)
    memory.put('b', { bytes: 150 })
    grows.bytes = 200
    memory.measure('a')
    assert.deepEqual([[...memory.keys()], memory.bytes], [['a'], 200])
  })
})
