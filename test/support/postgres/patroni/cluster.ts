import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseSystemUser, handOver, type SystemUser } from '../../../../src/postgres/embedded/system-user.ts'
import { freePort } from '../../free-port.ts'
import { runProgram } from '../../programs.ts'
import type { Scope } from '../../scope.ts'
import { until } from '../../until.ts'
import { askOnce } from '../ask-once.ts'
import { documentedCommands, documentedStatements } from './documented.ts'
import { adapt, PASSWORDS, type PatroniNode, startNode } from './node.ts'

const NODES = 3
/** Those of PostgreSQL, Patroni, etcd for clients and peers, HAProxy and PgBouncer, as the page names them. */
const PORTS = [5432, 8008, 2379, 2380, 5000, 6432]

/** A server that is killed leaves shared memory of other kinds behind. */
const LEAVES_NOTHING = { dynamic_shared_memory_type: 'mmap' }

/** A machine as Patroni knows it. */
type Member = { name: string; role: string; state: string; timeline?: number }

/** Three machines with PostgreSQL, as the page of high availability installs them, on addresses of the loopback. */
export type PatroniCluster = {
  nodes: PatroniNode[]
  /** The address of its database `upbeat`, which names all three. */
  url: string
  owner: SystemUser
  directory: string
  /** A text of the page with the addresses and ports of this cluster. */
  here(text: string): string
  /** The machine that leads by its own word; null while there is none. */
  leader(): Promise<PatroniNode | null>
  /** Resolves when one leads, two follow, and one of these has everything that is committed. */
  untilWhole(): Promise<void>
  /** Resolves when another one leads and takes writes. */
  untilLedByOtherThan(node: PatroniNode): Promise<PatroniNode>
  /** The one that has everything that is committed. */
  synchronousStandby(): Promise<PatroniNode>
  /** Makes the standby that has everything the leader, in order. */
  switchOver(): Promise<void>
  /** Runs statements as superuser where writes are taken. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any statement
  admin(sql: string, database?: string): Promise<any[]>
}

/**
 * `archives`: what is written goes to pgBackRest, once its repository is there. `settings` are further ones of
 * PostgreSQL.
 */
export async function startPatroniCluster(
  scope: Scope,
  { archives = false, settings = {} }: { archives?: boolean; settings?: Record<string, string> } = {},
): Promise<PatroniCluster> {
  for (const program of ['patroni', 'etcd']) runProgram(program, ['--version'])
  const owner = await chooseSystemUser(null)
  const directory = await mkdtemp(join(tmpdir(), 'upbeat-patroni-'))
  await chmod(directory, 0o711)
  scope.after(() => rm(directory, { recursive: true, force: true }))
  const replaced: [RegExp, string][] = [[/\b10\.0\.0\./g, '127.0.0.']]
  if (!archives) replaced.push([/^( *archive_command:).*$/gm, '$1 /bin/true'])
  for (const [name, value] of Object.entries({ ...LEAVES_NOTHING, ...settings })) {
    replaced.push([/^( *)max_connections: .*$/gm, `$&\n$1${name}: "${value}"`])
  }
  for (const port of PORTS) replaced.push([new RegExp(`\\b${port}\\b`, 'g'), String(await freePort())])
  const repository = join(directory, 'pgbackrest')
  await mkdir(repository, { mode: 0o700 })
  await handOver(owner, repository)
  const nodes: PatroniNode[] = []
  for (let index = 0; index < NODES; index++) {
    nodes.push(await startNode(scope, { owner, directory, replaced }, index))
  }

  async function leader() {
    const answers = await Promise.all(nodes.map((node) => node.ask('/primary')))
    return nodes.find((_, i) => answers[i]?.status === 200) ?? null
  }

  async function members(): Promise<Member[]> {
    const answer = await (await leader())?.ask('/cluster')
    return answer ? JSON.parse(answer.text).members : []
  }

  async function admin(sql: string, database = 'postgres') {
    const at = await until('the cluster to have a leader', leader)
    const { host, port } = at
    return askOnce({ host, port, user: 'postgres', password: PASSWORDS.postgres, database }, sql)
  }

  async function untilWhole() {
    await until('the cluster to be whole', async () => {
      const all = await members()
      const leads = all.find(({ role }) => role === 'leader')
      const isFollowing = ({ state, timeline }: Member) => state === 'running' && timeline === leads?.timeline
      const hasAll = all.some(({ role }) => role === 'sync_standby')
      return all.length === NODES && all.every(isFollowing) && hasAll
    })
  }

  const cluster: PatroniCluster = {
    ...{ nodes, owner, directory },
    here: (text) => adapt(text, replaced),
    url: addressOf(adapt(documentedCommands('export DATABASE_URL='), replaced)),
    leader,
    untilWhole,
    admin,
    untilLedByOtherThan: (node) =>
      until('another one to lead', async () => {
        const now = await leader()
        return now !== null && now !== node && now
      }),
    synchronousStandby: () =>
      until('a synchronous standby', async () => {
        const found = (await members()).find(({ role }) => role === 'sync_standby')
        return nodes.find(({ name }) => name === found?.name)
      }),
    async switchOver() {
      const from = await until('the cluster to have a leader', leader)
      await until('the switchover', async () => {
        const candidate = (await members()).find(({ role }) => role === 'sync_standby')?.name
        // Refused while the standby is not known to have everything.
        await from.ask('/switchover', { leader: from.name, candidate })
        const now = await leader()
        return now !== null && now !== from
      })
    },
  }
  await untilWhole()
  for (const statement of documentedStatements().split(/;\n/).filter(Boolean)) await admin(statement)
  return cluster
}

function addressOf(commands: string): string {
  return /DATABASE_URL=(\S+)/.exec(commands)?.[1] ?? ''
}
