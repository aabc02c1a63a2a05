import { type Deployment, runCommand } from './cli/program.ts'
import { createTerminal } from './cli/terminal.ts'
import { type Config, readConfig, readRemoteEnvironment, readVariable } from './config.ts'
import type { Log } from './log.ts'
import type { Services } from './operations/services.ts'
import type { Service } from './serve.ts'
import type { Store } from './store/store.ts'

/** Orderly stopping that takes longer is given up: everything on disk is safe at any moment. */
const STOP_TIMEOUT_MS = 20_000

const terminal = createTerminal()

const deployment: Deployment = {
  serve,
  withServices: (work) =>
    withStore(async (config, store, log) => await work(await servicesOf(config, store, log))),
  migrate: () => withStore(async (_config, { migrated }) => migrated),
  diagnose: async () => {
    const { diagnose } = await import('./operations/diagnose.ts')
    const { icmpSupport } = await import('./probes/icmp-support.ts')
    const surroundings = {
      nodeVersion: process.version,
      icmp: icmpSupport(),
      mailConfigured: readConfig().smtpUrl !== null,
    }
    return await withStore(
      async (config, store, log) => await diagnose(await servicesOf(config, store, log), surroundings),
      ({ message }) => diagnose({ refusal: message }, surroundings),
    )
  },
  backup: (file) =>
    withStore(async (_config, { db }) =>
      (await import('./store/backup.ts')).writeBackup(db, file, terminal.err),
    ),
  restore: (file) =>
    withStore(async (_config, { db }) =>
      (await import('./store/restore.ts')).restoreBackup(db, file, terminal.err),
    ),
  moveDatabase: (url) =>
    withStore(async ({ secretKey, dataDir }, { db }) => {
      const { moveDatabase } = await import('./store/move.ts')
      const { secretKeyFile } = await import('./store/secret-key.ts')
      const moved = await moveDatabase(db, url, terminal.err)
      return { ...moved, secretKeyFile: secretKey === null ? secretKeyFile(dataDir) : null }
    }),
  remote: () => readRemoteEnvironment(),
  variable: readVariable,
}

process.exitCode = await runCommand(process.argv.slice(2), deployment, terminal)
// A command is done; whatever a library still keeps open must not hold up the script that called it.
if (process.argv[2] !== 'serve') process.stdout.write('', () => process.exit())

async function serve(): Promise<void> {
  const config = readConfig()
  // Loaded here, so that a command that only asks something starts sooner.
  const { createLog } = await import('./log.ts')
  const log = createLog(config.logLevel, process.stdout.isTTY)
  const stopped = nextStopSignal()
  const service = await start(config, log)
  const reason = await Promise.race([stopped, service.refused])
  log.info(`stopping (${reason}): requests under way are answered, checks under way are given up`)
  const impatient = setTimeout(() => process.exit(1), STOP_TIMEOUT_MS)
  await service.close()
  clearTimeout(impatient)
  log.info('stopped')
  process.exit(reason instanceof Error ? 1 : 0)
}

/** The service itself, or a probe for one elsewhere, which that one may refuse. */
async function start(config: Config, log: Log): Promise<Service & { refused: Promise<string | Error> }> {
  if (config.remote === null) {
    const { startService } = await import('./serve.ts')
    return { ...(await startService(config, log)), refused: new Promise(() => {}) }
  }
  const { startRemoteProbe } = await import('./remote-probing.ts')
  return await startRemoteProbe(config, config.remote, log)
}

/** A signal, or the end of the launcher that started us (its channel closes even if it is killed). */
function nextStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    process.on('disconnect', () => resolve('the launcher has gone'))
    process.channel?.unref()
  })
}

/** `refused` answers instead of `work` where the database cannot be used. */
async function withStore<T>(
  work: (config: Config, store: Store, log: Log) => Promise<T>,
  refused?: (error: Error) => Promise<T>,
): Promise<T> {
  const config = readConfig()
  if (config.remote !== null)
    throw new Error('this command needs the database: run it where the service runs')
  const [{ createLog }, { openStoreOf }] = await Promise.all([import('./log.ts'), import('./compose.ts')])
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

async function servicesOf(config: Config, store: Store, log: Log): Promise<Services> {
  const { createServices } = await import('./compose.ts')
  const { createRecorder } = await import('./engine/record.ts')
  return createServices(
    config,
    store,
    createRecorder(store.db, () => {}),
    log,
  )
}
