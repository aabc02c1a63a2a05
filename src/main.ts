import { runCommand } from './cli/program.ts'
import { createTerminal } from './cli/terminal.ts'
import { type Config, readConfig } from './config.ts'
import { createDeployment } from './deployment.ts'
import type { Log } from './log.ts'
import type { Service } from './serve.ts'

/** Orderly stopping that takes longer is given up: everything on disk is safe at any moment. */
const STOP_TIMEOUT_MS = 20_000

const terminal = createTerminal()

const deployment = createDeployment(serve, terminal.err)

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
