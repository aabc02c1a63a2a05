// npm test leaves this out: it takes the database of a service of its own away, and waits for its return (seconds).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MACHINE_PATHS } from '../../../src/core/status-pages/documents/machine-documents.ts'
import { replaceLogo } from '../../../src/store/status-pages/page-secrets.ts'
import { pageChanged } from '../../../src/store/status-pages/pages.ts'
import { openEmptyDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'
import { ask } from '../../support/services/http.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { samplePng } from '../../support/status-pages/sample-images.ts'
import { storePage, storePost } from '../../support/status-pages/stored-pages.ts'
import { until } from '../../support/until.ts'

const STALE = /cannot be brought up to date at the moment\. It shows the status of <time/
const PIXEL = samplePng()
const DAY_MS = 86_400_000
const TITLES = ['Now failing', 'Failed last month', 'Failed long ago'] as const
type Title = (typeof TITLES)[number]

describe('status pages while the database is away', () => {
  let service: ServiceHere
  let admin: Awaited<ReturnType<typeof openEmptyDatabase>>
  let database: string
  let teamId: number
  let monitorId: number
  let pageId: number
  const posts = new Map<Title, { id: number; month: string }>()

  before(async () => {
    admin = await openEmptyDatabase()
    service = await startServiceHere({ ROLES: 'api' })
    const { services } = service
    const { rows } = await services.db.pool.query<{ name: string }>('SELECT current_database() AS name')
    database = rows[0]?.name as string
    teamId = await addTeam(services.db)
    monitorId = (await addMonitor(services.db, { team_id: teamId })).id
    const items = [{ component: { monitor_id: monitorId, name: 'Checkout' } }]
    pageId = (await storePage(services, teamId, { slug: 'kept' }, { items })).id
    await replaceLogo(services.db.query, teamId, pageId, { image: PIXEL, type: 'image/png' })
    const firstOfMonth = new Date().setUTCDate(1)
    for (const [title, atMs] of [
      ['Now failing', Date.now()],
      ['Failed last month', firstOfMonth - DAY_MS],
      ['Failed long ago', firstOfMonth - 70 * DAY_MS],
    ] as const) {
      const at = new Date(atMs)
      const id = await storePost(services, teamId, pageId, { title, at })
      posts.set(title, { id, month: at.toISOString().slice(0, 7) })
      if (title === 'Now failing') continue
      // Over since long: it is not on the page any more.
      await changeRows(services.db, 'status_posts', { id }, { phase: 'resolved', resolved_at: new Date(0) })
    }
    await pageChanged(services.db.query, teamId, pageId)
    await until('it is served', async () => {
      const { text } = await look('')
      const shown = TITLES.filter((title) => text.includes(title))
      return shown.join() === 'Now failing' && text.includes('/logo?v=')
    })
    await cutOff()
    await until('it says so', async () => STALE.test((await look('')).text))
  })
  after(async () => {
    await letIn()
    await service.close()
    await admin.close()
  })

  const look = (path: string, headers: Record<string, string> = {}) =>
    ask(`${service.url}/status/kept${path}`, { headers })

  async function cutOff(): Promise<void> {
    await admin.db.pool.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
    await admin.db.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database,
    ])
  }

  async function letIn(): Promise<void> {
    await admin.db.pool.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
  }

  const pathOf = (title: Title, kind: 'posts' | 'history') => {
    const { id, month } = posts.get(title) as { id: number; month: string }
    return `/${kind}/${kind === 'posts' ? id : month}`
  }

  it('show the last state and of when it is, in forms that nobody had asked for before, too', async () => {
    const pages = [
      ...['', '?lang=de', '?embed'],
      ...[pathOf('Now failing', 'posts'), pathOf('Now failing', 'history')],
      ...[pathOf('Failed last month', 'posts'), pathOf('Failed last month', 'history')],
    ]
    for (const path of pages) {
      const { status, text } = await look(path)
      assert.equal(status, 200, path)
      assert.match(text, path === '?lang=de' ? /<p class="notice"/ : STALE, path)
    }
    for (const [title, kind] of [
      ['Now failing', 'posts'],
      ['Now failing', 'history'],
      ['Failed last month', 'posts'],
      ['Failed last month', 'history'],
    ] as const) {
      assert.ok((await look(pathOf(title, kind))).text.includes(title), `${title} ${kind}`)
    }
  })

  it('answer programs, to whom they say of when it is, and send the logo', async () => {
    for (const path of MACHINE_PATHS) {
      const { status, headers } = await look(`/${path}`)
      assert.deepEqual([status, headers.get('warning')?.slice(0, 4)], [200, '110 '], path)
    }
    assert.equal((await look('/logo')).status, 200)
    assert.equal((await look('/logo')).headers.get('content-type'), 'image/png')
  })

  it('say of older posts that they cannot be read now, and lead to the page', async () => {
    for (const kind of ['posts', 'history'] as const) {
      const { status, headers, text } = await look(pathOf('Failed long ago', kind))
      assert.deepEqual(
        [status, headers.get('retry-after'), headers.get('cache-control')],
        [503, '10', 'no-store'],
        kind,
      )
      assert.match(text, /Try again in a minute\. The current status is still shown\./)
      assert.match(text, /<a href="\/status\/kept">/)
    }
    assert.equal((await look('/posts/999999')).status, 404)
  })

  it('are current again once it is back', async () => {
    await letIn()
    await changeRows(service.services.db, 'monitor_state', { monitor_id: monitorId }, { status: 'down' })
    await until('it shows a change', async () => {
      const { text } = await look('')
      return /Major outage/i.test(text) && !STALE.test(text)
    })
    assert.equal((await look(pathOf('Failed long ago', 'posts'))).status, 200)
  })
})
