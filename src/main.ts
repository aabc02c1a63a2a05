import type { Terminal } from './cli/output.ts'
import { type Deployment, runCommand } from './cli/program.ts'
import { createServices, openStoreOf } from './compose.ts'
import { type Config, readConfig } from './config.ts'
import { createRecorder } from './engine/record.ts'
import { createLog, type Log } from './log.ts'
import { diagnose } from './operations/diagnose.ts'
import type { Services } from './operations/services.ts'
import { icmpSupport } from './probes/icmp-support.ts'
import type { Store } from './store/store.ts'

/** A pipe that stays silent must not hold up a command. */
const INPUT_TIMEOUT_MS = 5_000
/** Orderly stopping that takes longer is given up: everything on disk is safe at any moment. */
const STOP_TIMEOUT_MS = 20_000

const terminal: Terminal = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  readInput,
}

const deployment: Deployment = {
  serve,
  withServices: (work) =>
    withStore(async (config, store, log) => {
      const recorder = createRecorder(store.db, () => {})
      return await work(createServices(config, store, recorder, log))
    }),
  migrate: () => withStore(async (_config, { migrated }) => migrated),
  diagnose: () =>
    withStore((config, store, log) => {
      const services: Services = createServices(
        config,
        store,
        createRecorder(store.db, () => {}),
        log,
      )
      const mailConfigured = config.smtpUrl !== null
      return diagnose(services, { nodeVersion: process.version, icmp: icmpSupport(), mailConfigured })
    }),
  backup: (file) =>
    withStore(async (_config, { db }) =>
      (await import('./store/backup.ts')).writeBackup(db, file, terminal.err),
    ),
  restore: (file) =>
    withStore(async (_config, { db }) =>
      (await import('./store/restore.ts')).restoreBackup(db, file, terminal.err),
    ),
}

process.exitCode = await runCommand(process.argv.slice(2), deployment, terminal)
// A command is done; whatever a library still keeps open must not hold up the script that called it.
if (process.argv[2] !== 'serve') process.exit()

async function serve(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel, process.stdout.isTTY)
  // Loaded here, so that a command that only asks something starts sooner.
  const { startService } = await import('./serve.ts')
  const stopped = nextStopSignal()
  const service = await startService(config, log)
  const reason = await stopped
  log.info(`stopping (${reason}): requests under way are answered, checks under way are given up`)
  const impatient = setTimeout(() => process.exit(1), STOP_TIMEOUT_MS)
  await service.close()
  clearTimeout(impatient)
  log.info('stopped')
  process.exit(0)
}

/** A signal, or the end of the launcher that started us (its channel closes even if it is killed). */
function nextStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    process.on('disconnect', () => resolve('the launcher has gone'))
    process.channel?.unref()
  })
}

async function withStore<T>(work: (config: Config, store: Store, log: Log) => Promise<T>): Promise<T> {
  const config = readConfig()
  // Standard output belongs to the answer of a command.
  const log = createLog('silent', false)
  const store = await openStoreOf(config, log)
  try {
    return await work(config, store, log)
  } finally {
    await store.close()
  }
}

/** What was piped in, without the line break at its end; null when there is nothing, or a person at the keys. */
async function readInput(): Promise<string | null> {
  if (process.stdin.isTTY) return null
  const reading = (async () => {
    let text = ''
    for await (const chunk of process.stdin) text += chunk
    return text.replace(/\r?\n$/, '') || null
  })()
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), INPUT_TIMEOUT_MS).unref())
  return Promise.race([reading.catch(() => null), late])
}
