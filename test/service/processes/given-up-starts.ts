import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { openEmbeddedServer } from '../../../src/postgres/embedded/server.ts'
import { ENTRY } from '../../support/entry.ts'
import { inheritedEnvironment } from '../../support/environment.ts'
import { freePort } from '../../support/free-port.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { placeCluster } from '../../support/postgres/cluster-template.ts'
import { openTestDatabase, TEST_SECRET } from '../../support/postgres/database.ts'
import { trySignal } from '../../support/processes.ts'
import { startSilentServer } from '../../support/servers/silent-server.ts'
import { until } from '../../support/until.ts'

/** Longer than the guard of the test would let anything wait: what ends before it ends by something else. */
const PATIENT = 'connect_timeout=60'
const GIVEN_UP = /stopping \(SIGTERM\): the start is given up/

export function describeGivenUpStarts(): void {
  describe('a start that cannot come to an end', { concurrency: true }, () => {
    it('is ended by SIGTERM while a database says nothing', async (t) => {
      const server = await startSilentServer(t, false)
      const start = await startServing(t, databaseAt(server.port, PATIENT))
      await server.waited
      start.child.kill('SIGTERM')
      assert.deepEqual(await start.ended, [0, null])
      assert.match(await start.said, GIVEN_UP)
      assert.doesNotMatch(await start.said, /no answer in time/, 'it did not wait for its end')
    })

    it('is ended by SIGTERM while a database that let it in says nothing', async (t) => {
      const server = await startSilentServer(t, true)
      const start = await startServing(t, databaseAt(server.port, PATIENT))
      await server.waited
      start.child.kill('SIGTERM')
      assert.deepEqual(await start.ended, [0, null])
      assert.match(await start.said, GIVEN_UP)
    })

    for (const letsIn of [false, true]) {
      it(`ends by itself, with a sentence, when a database ${letsIn ? 'that let it in ' : ''}says nothing`, async (t) => {
        const { port } = await startSilentServer(t, letsIn)
        const start = await startServing(t, databaseAt(port, 'connect_timeout=1'))
        assert.deepEqual(await start.ended, [1, null])
        assert.match(
          await start.said,
          new RegExp(`^cannot use PostgreSQL at 127\\.0\\.0\\.1:${port} as upbeat: no answer in time\\n$`),
        )
      })
    }

    it('is ended by SIGTERM while another process brings the database to its schema', async (t) => {
      const { db, close } = await openTestDatabase()
      const other = await db.pool.connect()
      t.after(async () => {
        other.release()
        await close()
      })
      await other.query('BEGIN; SELECT pg_advisory_xact_lock(7365002)')
      const { host, port, user, database } = db.connection
      const url = `postgres://${user}@:${port}/${database}?host=${encodeURIComponent(host)}`
      const start = await startServing(t, { DATABASE_URL: url, SECRET_KEY: TEST_SECRET })
      await until('it to wait for the other one', async () => {
        const { rowCount } = await db.pool.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7365002 AND NOT granted`,
        )
        return rowCount === 1
      })
      start.child.kill('SIGTERM')
      assert.deepEqual(await start.ended, [0, null])
      assert.match(await start.said, GIVEN_UP)
    })

    describe('beside a server of the data directory that stands still', { concurrency: true }, () => {
      it('is ended by SIGTERM', async (t) => {
        const { dataDir } = await startStopped(t)
        const start = await startServing(t, { DATA_DIR: dataDir })
        // It holds the server, too, once it waits for it.
        await until('it to have asked', async () => start.child.pid && (await holdsFifo(start.child.pid)))
        start.child.kill('SIGTERM')
        assert.deepEqual(await start.ended, [0, null])
        assert.match(await start.said, GIVEN_UP)
      })

      it('ends with a sentence, and leaves the server to those who use it', async (t) => {
        const { dataDir, goOn } = await startStopped(t)
        await assert.rejects(openEmbeddedServer({ dataDir, note: () => {}, silenceMs: 1 }), {
          name: 'EmbeddedServerError',
          message: /runs and does not answer\. Stop every Upbeat that uses it/,
        })
        assert.equal(await goOn(), true, 'it was not stopped for that')
      })
    })

    it('ends at once when the files of a database are gone whose server runs', async (t) => {
      for (const gone of ['postgres', 'postgres/base']) {
        const dataDir = await makeDirectory(t)
        const server = await openEmbeddedServer({ dataDir, note: () => {} })
        const pid = postmasterOf(dataDir)
        // The server may write a file into a folder that was just emptied.
        await rm(join(dataDir, gone), { recursive: true, maxRetries: 10 })
        await assert.rejects(openEmbeddedServer({ dataDir, note: () => {} }), {
          name: 'EmbeddedServerError',
          message: /^The files of the database have gone from under its server/,
        })
        // Without its files it may not stop in order.
        trySignal(pid, 'SIGKILL')
        await server.close()
      }
    })
  })
}

function databaseAt(port: number, parameters: string): Record<string, string> {
  return {
    DATABASE_URL: `postgres://upbeat@127.0.0.1:${port}/upbeat?${parameters}`,
    SECRET_KEY: TEST_SECRET,
  }
}

async function startServing(t: TestContext, environment: Record<string, string>) {
  const env = {
    ...inheritedEnvironment(),
    DATA_DIR: await makeDirectory(t, false),
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    ...environment,
  }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_GUARD_MS,
    killSignal: 'SIGKILL',
  })
  t.after(() => child.kill('SIGKILL'))
  const said = Promise.all([text(child.stdout), text(child.stderr)]).then((texts) => texts.join(''))
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve([code, signal])))
  return { child, said, ended }
}

async function makeDirectory(t: TestContext, hasDatabase = true): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  // As root the database runs as somebody else.
  await chmod(dataDir, 0o711)
  if (hasDatabase) await placeCluster(dataDir)
  return dataDir
}

/** A server that we hold, and that answers nobody until it goes on; `goOn` tells whether it still does its work. */
async function startStopped(t: TestContext) {
  const dataDir = await makeDirectory(t)
  const server = await openEmbeddedServer({ dataDir, note: () => {} })
  const pid = postmasterOf(dataDir)
  process.kill(pid, 'SIGSTOP')
  async function goOn(): Promise<boolean> {
    trySignal(pid, 'SIGCONT')
    const again = await openEmbeddedServer({ dataDir, note: () => {} })
    const isSame = !again.startedHere
    await again.close()
    return isSame
  }
  t.after(async () => {
    trySignal(pid, 'SIGCONT')
    await server.close()
  })
  return { dataDir, goOn }
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

async function holdsFifo(pid: number): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = await Promise.all(
    descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')),
  )
  return targets.some((target) => target.endsWith('/holders'))
}
