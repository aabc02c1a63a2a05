import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Services } from '../../src/operations/services.ts'
import { listen, stopListening } from '../../src/roles/http-server.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import { appOf } from '../fuzz/routes.ts'
import { openDatabaseAddress, TEST_SECRET } from '../support/postgres/database.ts'
import { agentText } from '../support/records/agent-text.ts'
import { addServer } from '../support/records/servers.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { askingAt, openServices } from '../support/services/asked-service.ts'

/**
 * Files that a reader opens who follows one request. They may become fewer; more of them need a reason: the options of a monitor
 * brought five, and those of jobs three.
 */
const MOST = { 'a report of a server': 35, 'POST /monitors': 35 }

const SOURCES = new URL('../../src/', import.meta.url).href
/** The first requests open connections, prepare statements and fill memories. */
const WARMING = 5
/** Work that a file does besides is in none of so many walks. */
const WALKS = 8
describe('the walk of a request', () => {
  let services: Services
  let url: string
  const ends: (() => Promise<unknown>)[] = []

  /** Without the loops of a service, whose work at that moment would be taken for the request's. */
  before(async () => {
    const database = await openDatabaseAddress()
    const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET, ROLES: 'api' }
    const opened = await openServices(env)
    services = opened.services
    const server = await listen(await appOf({ env, services }), { host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    ends.push(database.drop, opened.store.close, () => stopListening(server))
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('of a server that reports enters few files', async () => {
    const { db } = services
    await db.pool.query(createPartition('server_samples', new Date()))
    const { token } = await addServer(db)
    let uptime = 1_000
    const files = await filesEntered(async () => {
      uptime += 60
      const answer = await fetch(`${url}/server/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: agentText({ uptime }),
      })
      assert.deepEqual([answer.status, await answer.text()], [200, 'ok\n'])
    })
    assertFew('a report of a server', files, 'engine/servers/judge-server.ts')
  })

  it('that creates a monitor enters few files', async () => {
    const { owner } = await askingAt(url, () => services).createTeam()
    const files = await filesEntered(async () => {
      const answer = await fetch(`${url}/api/v1/monitors`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
        body: JSON.stringify(MONITORS.http),
      })
      assert.equal(answer.status, 201, await answer.text())
    })
    assertFew('POST /monitors', files, 'operations/monitors/create-monitor.ts')
  })
})

/** `middle`: a file that every such walk enters, or nothing was measured. */
function assertFew(walk: keyof typeof MOST, files: string[], middle: string) {
  const lines = files.map((file) => `${String(linesOf(file)).padStart(5)} ${file}`)
  assert.ok(files.includes(middle), `${middle} was not entered`)
  assert.ok(files.length <= MOST[walk], `${walk} enters ${files.length} files:\n${lines.join('\n')}`)
}

/** Files of src/ in which a function ran during each of several requests. */
async function filesEntered(ask: () => Promise<void>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    for (let done = 0; done < WARMING; done++) await ask()
    const walks: Set<string>[] = []
    while (walks.length < WALKS) {
      await session.post('Profiler.takePreciseCoverage')
      await ask()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const entered = result.filter(({ functions }) =>
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
      )
      walks.push(new Set(entered.map(({ url }) => url)))
    }
    const [first = new Set(), ...others] = walks
    return [...first]
      .filter((url) => url.startsWith(SOURCES) && others.every((walk) => walk.has(url)))
      .map((url) => url.slice(SOURCES.length))
  } finally {
    session.disconnect()
  }
}

function linesOf(file: string): number {
  return readFileSync(fileURLToPath(SOURCES + file), 'utf8').split('\n').length - 1
}
