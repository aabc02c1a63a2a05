import { type Database, openDatabase, unlessSilent } from '../postgres/database.ts'
import { namingServer } from '../postgres/database-refusal.ts'
import { type DatabaseAddress, readDatabaseUrl } from '../postgres/database-url.ts'
import { type EmbeddedServer, openEmbeddedServer } from '../postgres/embedded/server.ts'
import { releaseAllLeases } from '../postgres/leases.ts'
import { migrate } from '../postgres/migrate.ts'
import { checkServer } from '../postgres/server-check.ts'
import { queuedLetters } from './accounts/letters.ts'
import { queuedDeliveries } from './alerting/deliveries.ts'
import { ensurePartitions } from './history/partitions.ts'
import { endAllMemberships } from './probing/memberships.ts'
import { queuedReportMails } from './reports/mail-queue.ts'
import { readBindsFrom } from './sealing/binding.ts'
import { type Hiding, openHiding } from './sealing/hiding.ts'
import { readOrCreateSecretKey } from './sealing/secret-key.ts'
import { Vault } from './sealing/vault.ts'
import { queuedNotices } from './status-pages/notice-queue.ts'

const REVIVE_AGAIN_MS = 1_000

export type StoreOptions = {
  databaseUrl: string | null
  /** Maximum size of this process's pool. */
  databaseConnections?: number
  dataDir: string
  secretKey: string | null
  previousSecretKeys: string[]
  now: () => Date
  /** Reports progress of operations that take longer than a moment. */
  note: (message: string) => void
  onTrouble: (error: unknown) => void
  /** Gets the SQLSTATE of every error response. */
  onRefusal?: (sqlState: string) => void
  /** The embedded server, where it is starting already. */
  server?: Promise<EmbeddedServer> | null
}

/** The data another thread needs to open the same store. */
export type StoreAccess = { connection: DatabaseAddress; secretKey: string }

/** A database that is ready: reachable, with the current schema. */
export type Store = {
  db: Database
  vault: Vault
  hiding: Hiding
  readonly access: StoreAccess
  /** Called when the embedded server was restarted on another socket. */
  onMoved(listener: (connection: Partial<DatabaseAddress>) => void): void
  /** Migrations applied by this call. */
  migrated: string[]
  close(): Promise<void>
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const server = options.databaseUrl === null ? await (options.server ?? openEmbeddedServer(options)) : null
  const address = server?.connection ?? (await checkServer(readDatabaseUrl(options.databaseUrl as string)))
  const movedListeners: ((connection: Partial<DatabaseAddress>) => void)[] = []
  const moved = (connection: Partial<DatabaseAddress>) => {
    db.moveTo(connection)
    for (const listener of movedListeners) listener(connection)
  }
  const revive = server ? keepAlive(server, moved, options.onTrouble) : () => {}
  const onError = (error: unknown) => {
    options.onTrouble(error)
    void revive()
  }
  const db = openDatabase({ ...address }, onError, options.onRefusal, options.databaseConnections)
  try {
    const migrated = await namingServer(db.connection, migrate(db.pool))
    if (migrated.length > 0) options.note(sayMigrated(migrated))
    await unlessSilent(db, prepare(db, options.now(), server?.startedHere ?? false))
    const secretKey = options.secretKey ?? (await readOrCreateSecretKey(options.dataDir))
    const hiding = await unlessSilent(db, openHiding(db))
    const binding = {
      from: await unlessSilent(db, readBindsFrom(db)),
      now: options.now,
      hides: () => hiding.begun,
    }
    return {
      db,
      vault: new Vault(secretKey, options.previousSecretKeys, binding),
      hiding,
      access: { connection: db.connection, secretKey },
      onMoved: (listener) => void movedListeners.push(listener),
      migrated,
      async close() {
        await db.close()
        await server?.close()
      },
    }
  } catch (error) {
    await db.close()
    await server?.close()
    throw error
  }
}

async function prepare(db: Database, now: Date, isAlone: boolean): Promise<void> {
  await ensurePartitions(db.query, now)
  if (isAlone) await voidClaimsOfTheDead(db)
}

/** Releases claims of killed processes. Only for the process that started the server, which is alone. */
async function voidClaimsOfTheDead(db: Database): Promise<void> {
  await releaseAllLeases(db)
  await endAllMemberships(db)
  const queues = [queuedDeliveries, queuedLetters, queuedNotices, queuedReportMails]
  for (const queue of queues) await queue.release(db)
}

/** Restarts the embedded server when connections to it break, and directs the pool to its new socket. */
function keepAlive(
  server: EmbeddedServer,
  moved: (connection: Partial<DatabaseAddress>) => void,
  onTrouble: (error: unknown) => void,
) {
  let reviving = false
  const revive = async () => {
    if (reviving) return
    reviving = true
    try {
      await server.ensureRunning()
      moved(server.connection)
    } catch (error) {
      onTrouble(error)
      setTimeout(revive, REVIVE_AGAIN_MS).unref()
    } finally {
      reviving = false
    }
  }
  return revive
}

/** One line, however many: a new database gets all of them. */
function sayMigrated(names: readonly string[]): string {
  const [first, last] = [names[0], names.at(-1)]
  return names.length === 1
    ? `database schema: applied ${first}`
    : `database schema: applied ${names.length} migrations, ${first} to ${last}`
}
