import { type Config, misspeltVariables, readConfig } from './config.ts'
import type { Log } from './log.ts'
import { refuseTakenPort } from './port.ts'
import type { EmbeddedServer } from './postgres/embedded/server.ts'
import type { Service } from './roles/serve.ts'
import { stopInTime } from './roles/stop.ts'

const args = process.argv.slice(2)

// Modules are loaded when they are needed: commands load no service, and the service no commands.
process.exitCode = args.length === 1 && args[0] === 'serve' ? await serveOnly() : await runAnyCommand()
// The command is done, or the start has failed: open handles must not delay the exit.
process.stdout.write('', () => process.exit())

async function runAnyCommand(): Promise<number> {
  const { runCommand } = await import('./cli/program.ts')
  const { createTerminal } = await import('./cli/terminal.ts')
  const { createDeployment } = await import('./roles/deployment.ts')
  const terminal = createTerminal()
  return await runCommand(args, createDeployment(serve, terminal.err), terminal)
}

/** Says why a start fails as commands do, which are loaded only then. */
async function serveOnly(): Promise<number> {
  try {
    await serve()
    return 0
  } catch (error) {
    const { refused } = await import('./cli/program.ts')
    const { createTerminal } = await import('./cli/terminal.ts')
    return refused(error, createTerminal())
  }
}

async function serve(): Promise<void> {
  const config = readConfig()
  const { createLog } = await import('./log.ts')
  const log = createLog(config.logLevel, process.stdout.isTTY)
  for (const warning of misspeltVariables()) log.warn(warning)
  const stopped = nextStopSignal()
  const service = await Promise.race([start(config, log), stopped])
  if (typeof service === 'string') {
    // Safe at any point of the start: all confirmed data is on disk, and the database stops once we are gone.
    log.info(`stopping (${service}): the start is given up`)
    process.exit(0)
  }
  const reason = await Promise.race([stopped, service.refused])
  if (reason instanceof Error) log.error(reason.message)
  log.info(
    `stopping (${reason instanceof Error ? 'it cannot go on' : reason}): requests under way are answered, checks under way are given up`,
  )
  const isInOrder = await stopInTime(service)
  if (isInOrder) log.info('stopped')
  else log.warn('not everything has ended in time: it is left as it is')
  process.exit(isInOrder && !(reason instanceof Error) ? 0 : 1)
}

/** Starts the service, or a remote probe, which its service may refuse. */
async function start(config: Config, log: Log): Promise<Service> {
  await refuseTakenPort(config)
  if (config.remote === null) {
    const database = config.databaseUrl === null ? await beginDatabase(config, log) : null
    const { startService } = await import('./roles/serve.ts')
    return await startService(config, log, database?.server ?? null)
  }
  const { startRemoteProbe } = await import('./roles/remote-probe.ts')
  return await startRemoteProbe(config, config.remote, log)
}

/** Starts the embedded database, or joins it. Resolves when it is under way, so that it starts while modules load. */
async function beginDatabase({ dataDir }: Config, log: Log): Promise<{ server: Promise<EmbeddedServer> }> {
  const { openEmbeddedServer } = await import('./postgres/embedded/server.ts')
  const starting = Promise.withResolvers<void>()
  const server = openEmbeddedServer({
    dataDir,
    note: (message) => log.info(message),
    onStarting: starting.resolve,
  })
  await Promise.race([starting.promise, server])
  // Its failure is met where it is waited for.
  server.catch(() => {})
  return { server }
}

/** A signal, or the end of the launcher that started us (its channel closes even if it is killed). */
function nextStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    process.on('disconnect', () => resolve('the launcher has gone'))
    process.channel?.unref()
  })
}
