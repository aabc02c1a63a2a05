import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { DatabaseRefused, reasonOf } from './database-refusal.ts'
import { clientConfig, type DatabaseAddress, describeHost, type Host } from './database-url.ts'

const ANSWER_TIMEOUT_MS = 5_000

/** Finds the server that accepts writes. With several servers, it may change after a failover. */
export type Route = {
  /** Throws DatabaseRefused if no server accepts writes. */
  find(): Promise<Host>
  /** Forgets a failed server, so that the next `find` tries all of them. */
  lost(host: Host): void
  /** Whether the server accepts connections at the moment. */
  answers(host: Host): Promise<boolean>
}

export function createRoute(address: DatabaseAddress, answerTimeoutMs = ANSWER_TIMEOUT_MS): Route {
  let known: Host | null = null
  let finding: Promise<Host> | null = null
  const asking = new Map<Host, Promise<boolean>>()

  async function findAgain(): Promise<Host> {
    known = await findWriter(address)
    return known
  }

  return {
    async find() {
      if (!address.others) return address
      if (known) return known
      finding ??= findAgain().finally(() => {
        finding = null
      })
      return await finding
    },
    lost(host) {
      if (known === host) known = null
    },
    answers(host) {
      const asked =
        asking.get(host) ??
        acceptsConnections(address, host, answerTimeoutMs).finally(() => asking.delete(host))
      asking.set(host, asked)
      return asked
    },
  }
}

/**
 * Tries all servers at once, so that an unreachable one costs no time. Throws DatabaseRefused with each
 * server's error as cause.
 */
export async function findWriter(address: DatabaseAddress): Promise<Host> {
  const hosts = [{ host: address.host, port: address.port }, ...(address.others ?? [])]
  const attempts = hosts.map(async (host) => {
    await tryConnect(address, host)
    return host
  })
  try {
    return await Promise.any(attempts)
  } catch (error) {
    const { errors } = error as AggregateError
    const reasons = errors.map(
      (reason, index) => `${describeHost(hosts[index] as Host)}: ${reasonOf(reason, address)}`,
    )
    throw new DatabaseRefused(`no PostgreSQL server takes writes (${reasons.join('; ')})`, { cause: errors })
  }
}

async function acceptsConnections(address: DatabaseAddress, host: Host, timeoutMs: number): Promise<boolean> {
  return tryConnect({ ...address, connectTimeoutMs: timeoutMs }, host).then(
    () => true,
    (error) => error instanceof DatabaseRefused,
  )
}

/** Connects and disconnects. */
async function tryConnect(address: DatabaseAddress, { host, port }: Host): Promise<void> {
  const client = new pg.Client({ ...clientConfig(address, 'look'), host, port })
  client.on('error', () => {})
  const writable = watchWritable(client)
  try {
    await client.connect()
    writable()
  } finally {
    void client.end().catch(() => {})
  }
}

/**
 * Call before a client connects. The returned function throws DatabaseRefused if the server is read-only, as
 * servers report at the start of a connection.
 */
export function watchWritable(client: pg.Client): () => void {
  const parameters = new Map<string, string>()
  const wire = client.connection as EventEmitter
  wire.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
    parameters.set(parameterName ?? '', parameterValue ?? '')
  })
  return () => {
    if (parameters.get('in_hot_standby') === 'on') {
      throw new DatabaseRefused(
        'it is a read-only standby: name the primary, or all servers as in host1:5432,host2:5432',
      )
    }
    if (parameters.get('default_transaction_read_only') === 'on') {
      throw new DatabaseRefused('default_transaction_read_only is on: it takes no writes')
    }
  }
}
