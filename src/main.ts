import { runCommand } from './cli/program.ts'
import { createTerminal } from './cli/terminal.ts'
import { type Config, readConfig } from './config.ts'
import type { Log } from './log.ts'
import { createDeployment } from './roles/deployment.ts'
import type { Service } from './roles/serve.ts'
import { stopInTime } from './roles/stop.ts'

const terminal = createTerminal()

const deployment = createDeployment(serve, terminal.err)

process.exitCode = await runCommand(process.argv.slice(2), deployment, terminal)
// The command is done, or the start has failed: open handles must not delay the exit.
process.stdout.write('', () => process.exit())

async function serve(): Promise<void> {
  const config = readConfig()
  // Loaded here, so that other commands start faster.
  const { createLog } = await import('./log.ts')
  const log = createLog(config.logLevel, process.stdout.isTTY)
  const stopped = nextStopSignal()
  const service = await Promise.race([start(config, log), stopped])
  if (typeof service === 'string') {
    // Safe at any point of the start: all confirmed data is on disk, and the database stops once we are gone.
    log.info(`stopping (${service}): the start is given up`)
    process.exit(0)
  }
  const reason = await Promise.race([stopped, service.refused])
  log.info(`stopping (${reason}): requests under way are answered, checks under way are given up`)
  const isInOrder = await stopInTime(service)
  if (isInOrder) log.info('stopped')
  else log.warn('not everything has ended in time: it is left as it is')
  process.exit(isInOrder && !(reason instanceof Error) ? 0 : 1)
}

/** Starts the service, or a remote probe, which its service may refuse. */
async function start(config: Config, log: Log): Promise<Service & { refused: Promise<string | Error> }> {
  if (config.remote === null) {
    const { startService } = await import('./roles/serve.ts')
    return { ...(await startService(config, log)), refused: new Promise(() => {}) }
  }
  const { startRemoteProbe } = await import('./roles/remote-probe.ts')
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
