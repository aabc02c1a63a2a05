import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Services } from '../../../src/operations/services.ts'
import type { Store } from '../../../src/store/store.ts'
import { NO_BROWSER } from '../browser/no-browser.ts'
import { ENTRY, FLAGS } from '../entry.ts'
import { inheritedEnvironment } from '../environment.ts'
import { exitOf } from '../exit.ts'
import { freePort } from '../free-port.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { placeCluster } from '../postgres/cluster-template.ts'
import { givenServer } from '../postgres/given-server.ts'
import { type AskedService, askingAt, openServices } from './asked-service.ts'

export type { Answer, AskedService, TestTeam } from './asked-service.ts'

const READY = /Upbeat is ready/
/** A start whose database was silent for longer than it waits, or was stopped meanwhile, ends with one of these. */
const DATABASE_LOST = /no answer in time|it has ended the connection|has not answered it for/
const MAX_STARTS = 5
/** The service as a process of its own, with its own database, and a way into that database beside it. */
export type TestService = AskedService & {
  dataDir: string
  /** Ends the service by a signal. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** The running process, for signals that do not end it. */
  readonly pid: number
  start(): Promise<void>
  /** Lets go of the database, so that it lives and dies with the service; `services` is of no use until `takeUp`. */
  letGo(): Promise<void>
  takeUp(): Promise<void>
}

/** The length of its last words, in characters. */
const SPOKEN = 4_000

/**
 * The database is an embedded one where `environment` says `DATABASE_URL: ''`. `launcher` is a command that starts the
 * one given to it, in the same process (`nice`, a shell with `ulimit`). `release` is another one than this: its database is
 * not taken up, for that would bring it to the schema of this one.
 */
export async function startTestService(
  environment: Record<string, string> = {},
  launcher: string[] = [],
  release: { main: string } | null = null,
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  // As root the database runs as somebody else; where that one cannot pass, it would outlive the test elsewhere.
  await chmod(dataDir, 0o711)
  const database = await placeDatabase(environment, dataDir)
  const port = await freePort()
  const env: Record<string, string> = {
    ...inheritedEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BROWSER_PATH: NO_BROWSER,
    ...database.env,
    ...environment,
  }
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let printed = ''
  /** Processes that were sent a signal here: one that ends without is spoken of, as its test only waits in vain. */
  const signalled = new WeakSet<ChildProcess>()

  /** As what supervises a service does: on a busy machine its database may be silent for longer than a start waits. */
  async function start(): Promise<void> {
    for (let starts = 1; ; starts++) {
      const printedBefore = printed.length
      try {
        return await startOnce()
      } catch (error) {
        if (starts === MAX_STARTS || !DATABASE_LOST.test(printed.slice(printedBefore))) throw error
      }
    }
  }

  async function startOnce() {
    const serve = [process.execPath, ...FLAGS, release?.main ?? ENTRY, 'serve']
    const [command = '', ...args] = [...launcher, ...serve]
    const started = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    const ready = new Promise<void>((resolve) => {
      for (const stream of [started.stdout, started.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          printed += `${line}\n`
          if (READY.test(line)) resolve()
        })
      }
    })
    const failed = once(started, 'exit').then(([code]) => {
      throw new Error(`the service ended with ${code}:\n${printed}`)
    })
    failed.catch(() => {})
    void ready.then(() =>
      started.once('exit', (code, signal) => {
        if (!signalled.has(started))
          console.error(`the service ended by itself with ${code ?? signal}:\n${printed.slice(-SPOKEN)}`)
      }),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the service did not start:\n${printed}`)), HANG_GUARD_MS)
    })
    try {
      await Promise.race([ready, failed, late])
    } catch (error) {
      started.kill('SIGKILL')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async function signal(name: NodeJS.Signals) {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const exited = exitOf(running, 'the service', () => printed)
    signalled.add(running)
    running.kill(name)
    await exited
  }

  let store: Store | null = null
  let services: Services

  async function takeUp() {
    const opened = await openServices(env)
    store = opened.store
    services = opened.services
  }

  async function letGo() {
    await store?.close()
    store = null
  }

  await start()
  try {
    if (!release) await takeUp()
  } catch (error) {
    // The caller has nothing to close it with: it would keep the process of the tests from ending.
    await signal('SIGKILL')
    throw error
  }
  return {
    url,
    dataDir,
    env,
    get services() {
      return services
    },
    ...askingAt(url, () => services),
    signal,
    get pid() {
      return child?.pid ?? 0
    },
    start,
    letGo,
    takeUp,
    output: () => printed,
    async close() {
      // A test that failed may have left it standing still.
      if (child) signalled.add(child)
      child?.kill('SIGCONT')
      await signal('SIGTERM')
      await letGo()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      assert.doesNotMatch(printed, /Timeout\w*Warning/, 'a time that was waited for is no time')
    },
  }
}

/** A database that is ready: in the data directory, or on the server that whoever runs the tests has named. */
async function placeDatabase(environment: Record<string, string>, dataDir: string) {
  const given = 'DATABASE_URL' in environment || 'DATA_DIR' in environment ? null : await givenServer()
  if (given) {
    const name = await given.create()
    const env = { DATABASE_URL: given.urlOf(name), SECRET_KEY: 'the secret key of the tests' }
    return { env, drop: () => given.drop(name) }
  }
  if (!environment.DATABASE_URL && !('DATA_DIR' in environment)) await placeCluster(dataDir)
  return { env: {}, drop: async () => {} }
}

/** The settings with which a second process shares the database of a service. */
export function databaseOf({ env }: TestService): Record<string, string> {
  const { DATA_DIR = '', DATABASE_URL = '', SECRET_KEY = '' } = env
  return { DATA_DIR, DATABASE_URL, SECRET_KEY }
}
