// npm test leaves this out: it builds a release first, and starts every process and thread of it (a minute).
import assert from 'node:assert/strict'
import { chmod, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { readMigrations } from '../../src/postgres/migrate.ts'
import { addServer } from '../support/records/servers.ts'
import { addSite } from '../support/records/sites.ts'
import { suiteScope } from '../support/scope.ts'
import { startCountingTarget } from '../support/servers/counting-target.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import type { TestService } from '../support/services/service.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXPORT = join(ROOT, 'test/support/imports/exports/gatus.yaml')
const PLACE_IN_SOURCES = /\/src\/[\w/-]+\.ts:\d+:\d+/

describe('a built release', () => {
  const scope = suiteScope()
  let service: TestService
  let client: TeamClient
  let run: (args: string[]) => ReturnType<typeof import('../support/services/command.ts')['runCommand']>

  before(async () => {
    const { ensureRelease } = await import(join(ROOT, 'bin/ensure-built.mjs'))
    process.env.TEST_ENTRY = await ensureRelease(ROOT)
    assert.match(process.env.TEST_ENTRY as string, /\/dist\/[0-9a-f]{16}\/src\/main\.js$/)
    const [{ startTestService }, { runCommand }] = await Promise.all([
      import('../support/services/service.ts'),
      import('../support/services/command.ts'),
    ])
    const DATA_DIR = temporaryFolder(scope)
    // As root the database runs as somebody else, who must be able to pass.
    await chmod(DATA_DIR, 0o711)
    service = await startTestService({ DATA_DIR })
    scope.after(() => service.close())
    client = await teamClient(service)
    run = (args) => runCommand(service.env, args)
  })

  it('brings an empty database to the newest schema', async () => {
    const migrations = await readMigrations()
    assert.match(
      service.output(),
      new RegExp(
        `database schema: applied ${migrations.length} migrations, 001-[^,]* to ${migrations.at(-1)?.name}`,
      ),
    )
  })

  it('loads neither undici in a thread that checks, nor the service from many files', async () => {
    const folder = dirname(process.env.TEST_ENTRY as string)
    const imported = async (file: string) => {
      const text = await readFile(join(folder, file), 'utf8')
      return [...text.matchAll(/\b(?:from|import) ?["'](\S+?)["']/g)].map(([, from]) => from as string)
    }
    const ofThread = await imported('roles/checking-thread.js')
    assert.ok(ofThread.includes('node:net') && !ofThread.includes('node:http'), ofThread.join(' '))

    const parts = await readdir(join(folder, 'main'))
    const loaded = new Set(parts.filter((name) => /^(serve|service)-\S+\.js$/.test(name)))
    for (const name of loaded) {
      for (const from of await imported(`main/${name}`)) if (from.startsWith('./')) loaded.add(from.slice(2))
    }
    assert.ok(loaded.size > 4 && loaded.size < 20, [...loaded].join(' '))
  })

  it('serves the dashboard, the documentation, pages, scripts and the description of its API', async () => {
    const { token } = await addServer(service.services.db, { team_id: client.teamId })
    const script = `/server/${token}/install`
    const paths = [
      '/',
      '/icon.svg',
      '/docs',
      '/docs/script.js',
      '/docs/search?q=ping',
      '/llms.txt',
      '/metrics',
    ]
    for (const path of [...paths, '/api/v1/openapi.json', script]) {
      assert.equal((await fetch(service.url + path)).status, 200, path)
    }
  })

  it('checks in its thread, and sends alerts', async () => {
    const receiver = await startReceiver(scope, replyWith(200))
    const target = await startCountingTarget(scope)
    await client.webhook(receiver)
    const { id } = await client.monitor({ url: target.url('shop') })
    await client.untilStatus(id, 'up')
    target.failing.add('shop')
    await client.untilStatus(id, 'down')
    await until('the alert arrives', () =>
      receiver.requests.some(({ body }) => body.includes('monitor.down')),
    )
  })

  it('crawls in a thread', async () => {
    const page = replyWith(200, '<a href="/next">next</a>', { 'content-type': 'text/html' })
    const { url } = await startReceiver(scope, page)
    const { db } = service.services
    const { id } = await addSite(db, {
      ...{ team_id: client.teamId, name: 'Crawled', url: `${url}/` },
      areas_off: ['home_page', 'certificate', 'dns', 'domain'],
    })
    await until('the crawl has ended', async () => {
      const { rows } = await db.pool.query(
        'SELECT FROM site_crawls WHERE site_id = $1 AND ended_at IS NOT NULL',
        [id],
      )
      return rows.length > 0
    })
  })

  it('judges passwords in a thread, reads exports in a process, and finds no fault with itself', async () => {
    const create = ['user', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--password']
    const weak = await run([...create, 'password123'])
    assert.equal(weak.status, 1)
    assert.match(weak.err, /password/)
    const strong = await run([...create, 'seven grey herons wait'])
    assert.equal(strong.status, 0, strong.err)

    const { email } = await service.createMember(client.teamId, 'admin')
    const imported = await run(['import', 'gatus', EXPORT, '--team', `${client.teamId}`, '--email', email])
    assert.equal(imported.status, 0, imported.err)
    assert.match(imported.out, /\d+ to create/)

    const said = await run(['doctor'])
    assert.match(said.out, /PostgreSQL/, said.err)
  })

  it('probes from afar', async () => {
    const { startRemoteProbe } = await import('../support/services/remote-probe.ts')
    const target = await startCountingTarget(scope)
    const { id } = await client.monitor({ url: target.url('far') })
    const made = await run(['probe', 'create', '--region', 'nyc', '--name', 'Newark'])
    assert.equal(made.status, 0, made.err)
    startRemoteProbe(scope, { PROBE_URL: service.url, PROBE_TOKEN: made.out.trim(), REGION: 'nyc' })
    await until('its check', async () => (await client.checks(id)).some(({ region }) => region === 'nyc'))
  })

  it('names the sources in the stacks that it logs', async () => {
    await service.services.db.pool.query('ALTER TABLE deliveries RENAME TO mislaid')
    await until('a place in the sources', () => PLACE_IN_SOURCES.test(service.output()))
    await service.services.db.pool.query('ALTER TABLE mislaid RENAME TO deliveries')
    assert.doesNotMatch(service.output(), /"stack":"[^"]*\/dist\/[0-9a-f]+\//)
  })
})
