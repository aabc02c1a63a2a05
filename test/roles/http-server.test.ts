import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { isAnswered } from '../../src/roles/http-server.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { closedPort, startHttp, startTcp } from '../support/servers/targets.ts'

const run = promisify(execFile)
const STARVED = join(import.meta.dirname, '../support/probing/starved-server.ts')
const HOST = '127.0.0.1'

describe('a job is able to reach us', () => {
  it('when a request is answered, whatever the answer', async (t) => {
    const { port } = await startHttp(t, (_, response) => response.writeHead(503).end())
    assert.equal(await isAnswered(HOST, port, HANG_GUARD_MS), true)
    assert.equal(await isAnswered('0.0.0.0', port, HANG_GUARD_MS), true, 'where we listen everywhere')
  })

  it('not when a connection comes about and nothing is answered', async (t) => {
    const silent = await startTcp(t, (socket) => void socket.on('error', () => {}))
    assert.equal(await isAnswered(HOST, silent.port, 1), false)
    const closing = await startTcp(t, (socket) => void socket.end())
    assert.equal(await isAnswered(HOST, closing.port, HANG_GUARD_MS), false)
    assert.equal(await isAnswered(HOST, await closedPort(t), HANG_GUARD_MS), false)
  })

  it('not when the last file descriptor is taken by our own end of the connection, nor is a crowd of jobs', async () => {
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', STARVED]
    const { stdout } = await run('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node], {
      timeout: HANG_GUARD_MS,
    })
    assert.deepEqual(JSON.parse(stdout), {
      withSpare: { isForCrowd: true, isAnswered: true },
      withOne: { isForCrowd: false, isAnswered: false },
    })
  })
})
