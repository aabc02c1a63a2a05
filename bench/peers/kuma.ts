import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import { Scope } from '../support/scope.ts'
import { resourcesOf, startChild } from './child.ts'
import { INTERVAL_SECONDS, type Peer } from './peer.ts'

const ACCOUNT = { username: 'benchmark', password: 'a long password of 2026' }
/** Its form suggests 80 % of the interval. */
const TIMEOUT_SECONDS = INTERVAL_SECONDS * 0.8
const ANSWER_MS = 60_000

type Answer = { ok: boolean; msg?: string; token?: string }
type Socket = {
  timeout(ms: number): { emitWithAck(event: string, ...data: unknown[]): Promise<Answer> }
  close(): void
}

/** Uptime Kuma as it is installed in `folder`, on SQLite, its default; set up over its own Socket.IO interface. */
export function uptimeKuma(folder: string): Peer {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    name: `Uptime Kuma ${version}`,
    async prepare(scope, urls) {
      const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
      scope.after(() => rm(dataDir, { recursive: true, force: true }))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const start = (scope: Scope) =>
        startChild(scope, process.execPath, ['server/server.js'], {
          cwd: folder,
          env: environment(dataDir, port),
        })
      const setup = new Scope()
      let token: string
      try {
        start(setup)
        await until('Uptime Kuma answers', () => isAnswered(url))
        token = await setUp(setup, folder, url, urls[0] as string)
      } finally {
        await setup.close()
      }
      copyMonitor(join(dataDir, 'kuma.db'), urls)
      let child: ReturnType<typeof start>
      return {
        async start() {
          child = start(scope)
        },
        screenUrl: `${url}/dashboard`,
        ...resourcesOf(() => [child]),
        list: {
          url: `${url}/dashboard`,
          selector: '.monitor-list .item',
          cookies: [],
          localStorage: { token },
        },
      }
    },
  }
}

function environment(dataDir: string, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    UPTIME_KUMA_DB_TYPE: 'sqlite',
    UPTIME_KUMA_HOST: '127.0.0.1',
    UPTIME_KUMA_PORT: String(port),
    // Its look for a newer version stays on this machine.
    HTTPS_PROXY: 'http://127.0.0.1:9',
  }
}

async function isAnswered(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/dashboard`).catch(() => null)
  return answer?.status === 200
}

/** Makes the account and the first monitor; resolves with what signs the account in. */
async function setUp(scope: Scope, folder: string, url: string, target: string): Promise<string> {
  const { io } = createRequire(join(folder, 'package.json'))('socket.io-client') as {
    io: (url: string) => Socket
  }
  const socket = io(url)
  scope.after(async () => socket.close())
  const ask = async (event: string, ...data: unknown[]) => {
    const answer = await socket.timeout(ANSWER_MS).emitWithAck(event, ...data)
    if (!answer.ok) throw new Error(`Uptime Kuma refuses ${event}: ${answer.msg}`)
    return answer
  }
  await ask('setup', ACCOUNT.username, ACCOUNT.password)
  const { token } = await ask('login', { ...ACCOUNT, token: '' })
  if (token === undefined) throw new Error('Uptime Kuma gives no token')
  await ask('add', monitorOf(0, target))
  return token
}

/**
 * The other monitors: rows like that of the first one, which Uptime Kuma wrote. Over its interface each takes part of a
 * second, minutes for all. What was checked meanwhile goes.
 */
function copyMonitor(file: string, urls: string[]): void {
  const database = new DatabaseSync(file)
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('monitor')
  const same = columns
    .map(({ name }) => `"${name}"`)
    .filter((name) => !['"id"', '"name"', '"url"'].includes(name))
    .join(', ')
  const copy = database.prepare(
    `INSERT INTO monitor (name, url, ${same}) SELECT ?, ?, ${same} FROM monitor ORDER BY id LIMIT 1`,
  )
  database.exec('BEGIN')
  for (const [number, url] of urls.entries()) if (number > 0) copy.run(nameOf(number), url)
  database.exec('DELETE FROM heartbeat; COMMIT')
  database.close()
}

function nameOf(number: number): string {
  return `Monitor ${number + 1}`
}

/** The fields that its form sends, with their defaults. */
function monitorOf(number: number, url: string) {
  return {
    type: 'http',
    name: nameOf(number),
    parent: null,
    url,
    method: 'GET',
    interval: INTERVAL_SECONDS,
    retryInterval: INTERVAL_SECONDS,
    timeout: TIMEOUT_SECONDS,
    resendInterval: 0,
    maxretries: 0,
    notificationIDList: {},
    ignoreTls: false,
    upsideDown: false,
    expiryNotification: false,
    maxredirects: 10,
    accepted_statuscodes: ['200-299'],
    dns_resolve_type: 'A',
    httpBodyEncoding: 'json',
    kafkaProducerBrokers: [],
    kafkaProducerSaslOptions: { mechanism: 'None' },
    rabbitmqNodes: [],
    conditions: [],
  }
}
