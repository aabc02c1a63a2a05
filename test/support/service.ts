import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createServices } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import type { Role } from '../../src/core/access.ts'
import type { PlanName } from '../../src/core/plan.ts'
import { createRecorder } from '../../src/engine/record.ts'
import { createLog } from '../../src/log.ts'
import * as accounts from '../../src/operations/accounts.ts'
import type { Services } from '../../src/operations/services.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { placeCluster } from './cluster-template.ts'
import { documentedFetch } from './documented.ts'
import { inheritedEnvironment } from './environment.ts'
import { givenServer } from './given-server.ts'
import { makeScratch } from './scratch.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const FLAGS: string[] = JSON.parse(
  readFileSync(new URL('../../bin/node-flags.json', import.meta.url), 'utf8'),
)
const READY = /Upbeat is ready/
const START_TIMEOUT_MS = 30_000

// Tests read answers of every shape; what they find is what they assert.
// biome-ignore lint/suspicious/noExplicitAny: an unknown body would have to be cast at every use
export type Answer = { status: number; headers: Headers; body: any }

/** A team with one member of each role, each with a token. */
export type TestTeam = { id: number; owner: string; admin: string; viewer: string }

/** The service as a process of its own, with its own database, and a way into that database beside it. */
export type TestService = {
  url: string
  dataDir: string
  /** What the service finds in its environment, for commands beside it. */
  env: Record<string, string>
  /** Operations and the store, over the service's own database, for what the API cannot do. */
  readonly services: Services
  /** Sends a request to the API (`path` below /api/v1); a body that is not a string goes as JSON. */
  call(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  createTeam(plan?: PlanName): Promise<TestTeam>
  /** Another member, with a token of its own: rate limits are per user. */
  createToken(teamId: number, role: Role): Promise<string>
  /** The same, with the address that names the member. */
  createMember(teamId: number, role: Role): Promise<{ email: string; token: string }>
  /** Ends the service by a signal. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** The running process, for signals that do not end it. */
  readonly pid: number
  start(): Promise<void>
  /** Lets go of the database, so that it lives and dies with the service; `services` is of no use until `takeUp`. */
  letGo(): Promise<void>
  takeUp(): Promise<void>
  /** Everything printed so far. */
  output(): string
  close(): Promise<void>
}

/** The database is an embedded one where `environment` says `DATABASE_URL: ''`. `launcher` is a command that starts the one given to it, in the same process (`nice`, a shell with `ulimit`). */
export async function startTestService(
  environment: Record<string, string> = {},
  launcher: string[] = [],
  startTimeoutMs = START_TIMEOUT_MS,
): Promise<TestService> {
  const dataDir = await makeScratch('upbeat-test-')
  // As root the database runs as somebody else; where that one cannot pass, it would outlive the test elsewhere.
  await chmod(dataDir, 0o711)
  const database = await placeDatabase(environment, dataDir)
  const port = await freePort()
  const env: Record<string, string> = {
    ...inheritedEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    ...database.env,
    ...environment,
  }
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let printed = ''

  async function start() {
    const serve = [process.execPath, ...FLAGS, MAIN, 'serve']
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
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the service did not start:\n${printed}`)), startTimeoutMs)
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
    const exited = once(running, 'exit')
    running.kill(name)
    await exited
  }

  let store: Store | null = null
  let services: Services

  async function takeUp() {
    const config = readConfig({ ...env, LOG_LEVEL: 'silent' })
    store = await openStore({ ...config, now: () => new Date(), note: () => {}, onTrouble: () => {} })
    services = createServices(
      config,
      store,
      createRecorder(store.db, () => {}),
      createLog('silent', false),
    )
  }

  async function letGo() {
    await store?.close()
    store = null
  }

  await start()
  await takeUp()
  let members = 0

  async function createMember(teamId: number, role: Role) {
    const email = `member${++members}@example.com`
    await accounts.createUser(services, { email, name: `Member ${members}`, password: null })
    await accounts.addMember(services, { team: teamId, email, role })
    const created = await accounts.createToken(services, { team: teamId, email, name: role, expires: null })
    return { email, token: created.token }
  }

  async function createToken(teamId: number, role: Role) {
    return (await createMember(teamId, role)).token
  }

  return {
    url,
    dataDir,
    env,
    get services() {
      return services
    },
    async call(token, method, path, body, headers = {}) {
      const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
      const response = await documentedFetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      }
    },
    async createTeam(plan = 'business') {
      const owner = `owner${++members}@example.com`
      await accounts.createUser(services, { email: owner, name: `Owner ${members}`, password: null })
      const team = await accounts.createTeam(services, { name: `Team ${members}`, owner, plan })
      const token = await accounts.createToken(services, {
        team: team.id,
        email: owner,
        name: 'owner',
        expires: null,
      })
      return {
        id: team.id,
        owner: token.token,
        admin: await createToken(team.id, 'admin'),
        viewer: await createToken(team.id, 'viewer'),
      }
    },
    createToken,
    createMember,
    signal,
    get pid() {
      return child?.pid ?? 0
    },
    start,
    letGo,
    takeUp,
    output: () => printed,
    async close() {
      await signal('SIGTERM')
      await letGo()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
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

/** What makes a second process share the database of a service. */
export function databaseOf({ env }: TestService): Record<string, string> {
  const { DATA_DIR = '', DATABASE_URL = '', SECRET_KEY = '' } = env
  return { DATA_DIR, DATABASE_URL, SECRET_KEY }
}

/** A port that is free now, on the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
