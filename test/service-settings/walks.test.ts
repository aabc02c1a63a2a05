import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createPartition } from '../../src/store/history/partitions.ts'
import { agentText } from '../support/records/agent-text.ts'
import { addServer } from '../support/records/servers.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'

const SOURCES = new URL('../../src/', import.meta.url).href
/** The first requests open connections, prepare statements and fill memories. */
const WARMING = 5
/** Work that a file does at other times is in none of several walks. */
const WALKS = 8

/** Readers of one request open these files. Whoever makes one longer says in its commit why the file is no part of another. */
describe('the walk of a request', () => {
  let service: ServiceHere

  before(async () => {
    service = await startServiceHere({ ROLES: 'api' })
  })
  after(() => service.close())

  it('leads a report of a server through few files', async () => {
    const { db } = service.services
    await db.pool.query(createPartition('server_samples', new Date()))
    const { token } = await addServer(db)
    let uptime = 1_000
    const files = await filesOfWalk(async () => {
      uptime += 60
      const answer = await fetch(`${service.url}/server/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: agentText({ uptime }),
      })
      assert.deepEqual([answer.status, await answer.text()], [200, 'ok\n'])
    })
    assertFew(files, 54)
  })

  it('leads POST /monitors through few files', async () => {
    const team = await service.createTeam()
    const files = await filesOfWalk(async () => {
      const answer = await fetch(`${service.url}/api/v1/monitors`, {
        method: 'POST',
        headers: { authorization: `Bearer ${team.owner}`, 'content-type': 'application/json' },
        body: JSON.stringify(MONITORS.http),
      })
      assert.equal(answer.status, 201, await answer.text())
    })
    assertFew(files, 53)
  })
})

function assertFew(files: string[], most: number) {
  const lines = files.map((file) => `${String(linesOf(file)).padStart(5)} ${file}`)
  assert.ok(files.length > most / 2, `the walk was not seen: ${lines.join('\n')}`)
  assert.ok(files.length <= most, `${files.length} files, and not ${most}:\n${lines.join('\n')}`)
}

/** Files of src/ in which a function ran during each of several requests. */
async function filesOfWalk(ask: () => Promise<void>): Promise<string[]> {
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
      walks.push(new Set(entered.map(({ url }) => url).filter((url) => url.startsWith(SOURCES))))
    }
    const [first = new Set(), ...others] = walks
    return [...first]
      .filter((url) => others.every((walk) => walk.has(url)))
      .map((url) => url.slice(SOURCES.length))
  } finally {
    session.disconnect()
  }
}

function linesOf(file: string): number {
  return readFileSync(fileURLToPath(SOURCES + file), 'utf8').split('\n').length - 1
}
