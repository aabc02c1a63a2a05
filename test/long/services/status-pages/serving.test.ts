// npm test leaves this out: it starts several services on one database, and waits for files that they write (seconds).
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { readConfig } from '../../../../src/config.ts'
import { createLog } from '../../../../src/log.ts'
import { startService } from '../../../../src/roles/serve.ts'
import { pageChanged, publishPage } from '../../../../src/store/status-pages/pages.ts'
import { freePort } from '../../../support/free-port.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { changeRows } from '../../../support/records/rows.ts'
import { addTeam } from '../../../support/records/teams.ts'
import { ask } from '../../../support/services/http.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { type StoredPage, storePage } from '../../../support/status-pages/stored-pages.ts'
import { until } from '../../../support/until.ts'

const DOWN = /Major outage/i

describe('serving status pages', () => {
  let service: ServiceHere
  let folder: string
  let teamId: number
  let monitorId: number
  let page: StoredPage

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upbeat-status-'))
    service = await startServiceHere({ ROLES: 'api', STATUS_EXPORT_DIR: folder })
    const { db } = service.services
    teamId = await addTeam(db)
    monitorId = (await addMonitor(db, { team_id: teamId })).id
    const items = [{ component: { monitor_id: monitorId, name: 'Checkout' } }]
    page = await storePage(service.services, teamId, { slug: 'served' }, { items })
    await until('it is served', async () => (await look()).status === 200)
  })
  after(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  const look = (headers: Record<string, string> = {}, url = service.url) =>
    ask(`${url}/status/served`, { headers })

  it('sends a page as it is, by brotli and by gzip, and 304 to who has it', async () => {
    const plain = await look()
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=2, stale-if-error=86400')
    assert.equal(plain.headers.get('vary'), 'accept-encoding, accept-language')
    const etag = plain.headers.get('etag') as string
    for (const [accept, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const raw = await fetchRaw({ 'accept-encoding': accept })
      assert.equal(raw.encoding, encoding)
      const text = encoding === 'br' ? brotliDecompressSync(raw.body) : gunzipSync(raw.body)
      assert.equal(text.toString(), (await look()).text)
    }
    const kept = await look({ 'if-none-match': etag })
    assert.deepEqual([kept.status, kept.text, kept.headers.get('etag')], [304, '', etag])
    const head = await ask(`${service.url}/status/served`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(plain.text)))
  })

  async function fetchRaw(headers: Record<string, string>) {
    const { request } = await import('node:http')
    const { buffer } = await import('node:stream/consumers')
    return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      request(`${service.url}/status/served`, { headers }, async (response) => {
        resolve({ encoding: response.headers['content-encoding'], body: await buffer(response) })
      })
        .on('error', reject)
        .end()
    })
  }

  it('shows a change in every process, though nobody told them', async () => {
    const port = await freePort()
    const config = readConfig({ ...service.env, PORT: String(port), STATUS_EXPORT_DIR: '' })
    const other = await startService(config, createLog('silent', false))
    try {
      const url = `http://127.0.0.1:${port}`
      await until('the other serves it', async () => (await look({}, url)).status === 200)
      await changeRows(service.services.db, 'monitor_state', { monitor_id: monitorId }, { status: 'down' })
      await until(
        'both say so',
        async () => DOWN.test((await look()).text) && DOWN.test((await look({}, url)).text),
      )
    } finally {
      await other.close()
    }
  })

  it('writes public pages to a folder, and takes away those that are not public any more', async () => {
    const file = join(folder, 'served', 'index.html')
    await until('it is written', () => existsSync(file) && DOWN.test(readFileSync(file, 'utf8')))
    const { db } = service.services
    await publishPage(db.query, teamId, page.id, false)
    await pageChanged(db.query, teamId, page.id)
    await until('it is gone', () => !existsSync(join(folder, 'served')))
    assert.equal((await look()).status, 404)
  })
})
