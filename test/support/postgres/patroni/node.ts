import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { handOver, type SystemUser } from '../../../../src/postgres/embedded/system-user.ts'
import { familyOf, isAlive, trySignal } from '../../processes.ts'
import type { Scope } from '../../scope.ts'
import { until } from '../../until.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { documentedFile } from './documented.ts'

/** An answer of Patroni over HTTP. */
type PatroniAnswer = { status: number; text: string }

/** A machine of the cluster: what runs on it, and what may happen to it. */
export type PatroniNode = {
  name: string
  host: string
  port: number
  etcd: Daemon
  /** The folder of the machine, with its configuration and logs. */
  folder: string
  /** A text of the page as it is on this machine: with its name, addresses, ports and folders. */
  here(text: string): string
  /** Asks Patroni over HTTP; null where it does not answer, or stands still. */
  ask(path: string, body?: unknown): Promise<PatroniAnswer | null>
  /** The process of PostgreSQL that lets connections in; null where none runs. */
  postmaster(): number | null
  /** Every process of Patroni and PostgreSQL. */
  pids(): number[]
  /** All of them end at once, as when the power is cut. etcd, which has two more, goes on. */
  crash(): Promise<void>
  /** They stand still until `thaw`. */
  freeze(): void
  thaw(): void
  /** Starts Patroni where it does not run, as systemd does. */
  start(): Promise<void>
  /** Stops Patroni, which stops PostgreSQL, as systemd does. */
  stop(): Promise<void>
}

export type Site = {
  owner: SystemUser
  directory: string
  /** Names of the page, and what they are in this cluster. */
  replaced: [from: string | RegExp, to: string][]
}

export const PASSWORDS = { patroni: 'password-of-patroni', postgres: 'password-of-postgres' }

export async function startNode(scope: Scope, site: Site, index: number): Promise<PatroniNode> {
  const { owner } = site
  const name = `db${index + 1}`
  const folder = join(site.directory, name)
  for (const part of ['', 'etcd', 'run', 'parent']) {
    await mkdir(join(folder, part), { recursive: true, mode: 0o700 })
    await handOver(owner, join(folder, part))
  }
  const data = join(folder, 'parent', 'data')
  const replaced: Site['replaced'] = [
    // The programs run as another user here.
    ['local all postgres peer', 'local all postgres trust'],
    ['/var/lib/postgresql/15/upbeat', data],
    ['/var/lib/pgbackrest', join(site.directory, 'pgbackrest')],
    ['/etc/patroni', folder],
    // A setting of all three machines; it runs in the folder of the data.
    [
      'command: pgbackrest --stanza=upbeat archive',
      'command: pgbackrest --config=$PWD/../../pgbackrest.conf --stanza=upbeat archive',
    ],
    [/\bpgbackrest --(?!config)/g, `pgbackrest --config=${folder}/pgbackrest.conf --`],
    [
      /^\[global\]$/gm,
      `[global]\n${['log', 'lock', 'spool'].map((kind) => `${kind}-path=${folder}`).join('\n')}`,
    ],
    ['/var/lib/postgresql', folder],
    ['/var/lib/etcd/upbeat', join(folder, 'etcd')],
    ['/run/postgresql', join(folder, 'run')],
    ...site.replaced,
  ]
  const here = (text: string) => adapt(ownLines(text, index), replaced)
  const portOf = (documented: number) => Number(here(String(documented)))
  const host = here(`10.0.0.1${index + 1}`)
  const api = `http://${host}:${portOf(8008)}`
  let isFrozen = false

  const etcdSettings = here(documentedFile('/etc/default/etcd'))
  const environment = Object.fromEntries(
    [...etcdSettings.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
  )
  const etcd = await startDaemon(scope, owner, join(folder, 'etcd.log'), ['etcd'], environment)
  for (const path of ['/etc/pgbackrest.conf', '/etc/patroni/config.yml']) {
    const file = join(folder, basename(path))
    await writeFile(file, here(documentedFile(path)), { mode: 0o600 })
    await handOver(owner, file)
  }
  const config = join(folder, 'config.yml')
  // PostgreSQL goes on without Patroni, and must not outlive the test.
  const orphan = `kill -QUIT "$(head -n 1 '${data}/postmaster.pid')"`
  const command = ['patroni', config]
  const patroni = await startDaemon(scope, owner, join(folder, 'patroni.log'), command, {}, orphan)

  const postmaster = () => {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      return isAlive(pid) ? pid : null
    } catch {
      return null
    }
  }
  const pids = () => {
    const all = [patroni.isRunning ? patroni.pid : null, postmaster()]
    return all.flatMap((pid) => (pid === null ? [] : familyOf(pid)))
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids()) trySignal(pid, name)
  }
  const node: PatroniNode = {
    ...{ name, host, port: portOf(5432), etcd, folder, here, postmaster, pids },
    async ask(path, body) {
      if (isFrozen) return null
      const authorization = `Basic ${btoa(`patroni:${PASSWORDS.patroni}`)}`
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return fetch(`${api}${path}`, { ...sent, headers: { authorization } }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => null,
      )
    },
    async crash() {
      signal('SIGKILL')
      await patroni.end('SIGKILL')
      await until(`PostgreSQL on ${name} to be gone`, () => postmaster() === null)
    },
    freeze() {
      isFrozen = true
      signal('SIGSTOP')
    },
    thaw() {
      isFrozen = false
      signal('SIGCONT')
    },
    async start() {
      if (!patroni.isRunning) await patroni.start()
    },
    stop: () => patroni.end('SIGTERM'),
  }
  scope.after(async () => {
    node.thaw()
    await node.crash()
  })
  return node
}

export function adapt(text: string, replaced: Site['replaced']): string {
  return replaced.reduce((all, [from, to]) => all.replaceAll(from, to), text)
}

/** A line of a file that names one machine names the one that the file is on; others list all. */
function ownLines(text: string, index: number): string {
  return text
    .split('\n')
    .map((line) => {
      const isOfAll = new Set(line.match(/10\.0\.0\.\d+/g)).size > 1
      return isOfAll
        ? line
        : line.replace(/10\.0\.0\.11\b/g, `10.0.0.1${index + 1}`).replace(/\bdb1\b/, `db${index + 1}`)
    })
    .join('\n')
}
