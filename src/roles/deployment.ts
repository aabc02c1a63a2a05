import { readApiVersion, readPackageVersion } from '../api-version.ts'
import { REAL_DELAYS } from '../cli/client/delays.ts'
import type { Deployment } from '../cli/deployment.ts'
import { type Config, type Environment, readConfig, readRemoteEnvironment, readVariable } from '../config.ts'
import type { Log } from '../log.ts'
import type { Services } from '../operations/services.ts'
import type { Store } from '../store/store.ts'

/**
 * Wires the operator's commands on this machine, by its settings; `tell` reports progress. Modules are loaded when they
 * are first needed, so that a command that only asks something starts sooner.
 */
export function createDeployment(
  serve: Deployment['serve'],
  tell: (line: string) => void,
  environment?: Environment,
): Deployment {
  /** `refused` answers instead of `work` where the database cannot be used. */
  async function withStore<T>(
    work: (config: Config, store: Store, log: Log) => Promise<T>,
    refused?: (error: Error) => Promise<T>,
  ): Promise<T> {
    const config = readConfig(environment)
    if (config.remote !== null)
      throw new Error('this command needs the database: run it where the service runs')
    const [{ createLog }, { openStoreOf }] = await Promise.all([import('../log.ts'), import('./services.ts')])
    // Standard output belongs to the answer of a command.
    const log = createLog('silent', false)
    let store: Store
    try {
      store = await openStoreOf(config, log)
    } catch (error) {
      if (!refused) throw error
      return await refused(error as Error)
    }
    try {
      return await work(config, store, log)
    } finally {
      await store.close()
    }
  }

  return {
    serve,
    withServices: (work) =>
      withStore(async (config, store, log) => await work(await servicesOf(config, store, log))),
    migrate: () => withStore(async (_config, { migrated }) => migrated),
    diagnose: async () => {
      const { diagnose } = await import('../operations/diagnose.ts')
      const { icmpSupport } = await import('../probes/icmp/support.ts')
      const { listExternalClusters } = await import('../postgres/embedded/external-cluster.ts')
      const externalClustersBefore = await listExternalClusters()
      // Opening the database settles what has moved.
      const systemState = async () => ({
        nodeVersion: process.version,
        icmp: icmpSupport(),
        mailConfigured: readConfig(environment).smtpUrl !== null,
        externalClusters: await listExternalClusters(),
        externalClustersBefore,
      })
      return await withStore(
        async (config, store, log) =>
          await diagnose(await servicesOf(config, store, log), await systemState()),
        async ({ message }) => await diagnose({ refusal: message }, await systemState()),
      )
    },
    async tidy({ takesOver, remove }) {
      const { dataDir } = readConfig(environment)
      const { takeOver, removeExternalCluster } = await import('../postgres/embedded/external-cluster.ts')
      if (takesOver) tell(`took the database of ${await takeOver(dataDir)} over`)
      if (remove === undefined) return
      await removeExternalCluster(remove, dataDir)
      tell(`deleted ${remove}`)
    },
    backup: (file) =>
      withStore(async (_config, { db }) =>
        (await import('../postgres/backup/backup.ts')).writeBackup(db, file, tell),
      ),
    exportStatusPages: (folder) =>
      withStore(async (config, store, log) =>
        (await import('./status-export.ts')).exportStatusPages(await servicesOf(config, store, log), folder),
      ),
    restore: (file) =>
      withStore(async (_config, { db }) =>
        (await import('../postgres/backup/restore.ts')).restoreBackup(db, file, tell),
      ),
    moveDatabase: (url) =>
      withStore(async ({ secretKey, dataDir }, { db }) => {
        const { moveDatabase } = await import('../postgres/backup/move-database.ts')
        const { secretKeyFile } = await import('../store/sealing/secret-key.ts')
        const moved = await moveDatabase(db, url, tell)
        return { ...moved, secretKeyFile: secretKey === null ? secretKeyFile(dataDir) : null }
      }),
    remote: () => readRemoteEnvironment(environment),
    variable: (name) => readVariable(name, environment),
    delays: REAL_DELAYS,
    version: () => `${readPackageVersion()} (${readApiVersion()}), Node ${process.versions.node}`,
  }
}

async function servicesOf(config: Config, store: Store, log: Log): Promise<Services> {
  const { createServices } = await import('./services.ts')
  const { createRecorders } = await import('../engine/recording/recorders.ts')
  const { openSettings } = await import('../settings.ts')
  return createServices(
    await openSettings(config, store),
    store,
    createRecorders(store.db, () => {}),
    log,
  )
}
