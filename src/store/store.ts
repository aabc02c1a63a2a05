import { type Database, openDatabase, unlessSilent } from '../postgres/database.ts'
import { type DatabaseAddress, readDatabaseUrl } from '../postgres/database-address.ts'
import { type EmbeddedServer, openEmbeddedServer } from '../postgres/embedded/server.ts'
import { releaseAllLeases } from '../postgres/leases.ts'
import { migrate } from '../postgres/migrate.ts'
import { checkServer } from '../postgres/server-check.ts'
import { releaseLetterClaims } from './accounts/letters.ts'
import { releaseClaims } from './alerting/deliveries.ts'
import { ensurePartitions } from './history/partitions.ts'
import { endAllMemberships } from './probing/memberships.ts'
import { readBindsFrom } from './sealing/binding.ts'
import { readOrCreateSecretKey } from './sealing/secret-key.ts'
import { Vault } from './sealing/vault.ts'

const REVIVE_AGAIN_MS = 1_000

export type StoreOptions = {
  databaseUrl: string | null
  /** The most that the pool of this process opens. */
  databaseConnections?: number
  dataDir: string
  secretKey: string | null
  previousSecretKeys: string[]
  now: () => Date
  /** Progress of what takes longer than a moment. */
  note: (message: string) => void
  onTrouble: (error: unknown) => void
  /** Hears the SQLSTATE of every error that the database answers. */
  onRefusal?: (sqlState: string) => void
}

/** What another thread needs to open the same store. */
export type StoreAccess = { connection: DatabaseAddress; secretKey: string }

/** A database that is ready: reachable, and with the schema of this code. */
export type Store = {
  db: Database
  vault: Vault
  readonly access: StoreAccess
  /** Called when the embedded server was restarted on another socket. */
  onMoved(listener: (connection: Partial<DatabaseAddress>) => void): void
  /** What migrations this opening applied. */
  migrated: string[]
  close(): Promise<void>
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const server = options.databaseUrl === null ? await openEmbeddedServer(options) : null
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
    const migrated = await migrate(db.pool)
    if (migrated.length > 0) options.note(`database schema: ${migrated.join(', ')}`)
    await unlessSilent(prepare(db, options.now(), server?.startedHere ?? false))
    const secretKey = options.secretKey ?? (await readOrCreateSecretKey(options.dataDir))
    const binding = { from: await readBindsFrom(db), now: options.now }
    return {
      db,
      vault: new Vault(secretKey, options.previousSecretKeys, binding),
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

/** Who has just started the server is alone: nothing that a killed process held can still be held. */
async function voidClaimsOfTheDead(db: Database): Promise<void> {
  await releaseAllLeases(db)
  await endAllMemberships(db)
  await releaseClaims(db)
  await releaseLetterClaims(db)
}

/** Brings the embedded server back when connections to it break, and points the pool at its new socket. */
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
