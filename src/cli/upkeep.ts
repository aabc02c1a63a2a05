import type { Command } from 'commander'
import type { Diagnosis } from '../operations/diagnose.ts'
import { type Context, toId } from './client/connect.ts'
import { type OutputOptions, print, withJson } from './output.ts'

export function addRestoration(program: Command, { deployment, terminal }: Context): void {
  withJson(
    program
      .command('monitor')
      .description('monitors')
      .command('restore')
      .description('restore a deleted monitor'),
  )
    .argument('<id>', 'ID of the monitor', toId)
    .action(async (id: number, options: OutputOptions) => {
      const monitor = await deployment.withServices(async (services) => {
        const { restoreMonitor } = await import('../operations/monitors/restore-monitor.ts')
        return await restoreMonitor(services, id)
      })
      print(terminal, options, monitor, `monitor ${id} (${monitor.name}) is back, with its history`)
    })
}

export function addUpkeep(program: Command, { deployment, terminal }: Context): void {
  withJson(
    program.command('migrate').description('migrate the database to the schema of this version'),
  ).action(async (options: OutputOptions) => {
    const applied = await deployment.migrate()
    const plain = applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to do'
    print(terminal, options, { applied }, plain)
  })
  withJson(
    program.command('doctor').description('report what works here and what does not, and how to fix it'),
  )
    .option('--take-over', 'take over the database for DATA_DIR, once the directory it belonged to is gone')
    .option('--remove <directory>', 'permanently delete a database whose data directory is gone')
    .action(async (options: { takeOver?: boolean; remove?: string } & OutputOptions) => {
      const { takeOver: takesOver = false, remove } = options
      if (takesOver || remove !== undefined) {
        await deployment.tidy({ takesOver, ...(remove !== undefined && { remove }) })
      }
      const found = await deployment.diagnose()
      print(terminal, options, found, found.map(describe).join('\n'))
      if (found.some(({ state }) => state === 'failing')) {
        throw new Error('something needs mending: see above')
      }
    })
  withJson(program.command('backup').description('write all data to a file; the service can keep running'))
    .argument('<file>', 'file to write')
    .action(async (file: string, options: OutputOptions) => {
      const written = await deployment.backup(file)
      print(terminal, options, { file, ...written }, `${file}: ${written.rows} rows, ${written.bytes} bytes`)
      terminal.err(
        'The secret key is not in it: keep SECRET_KEY (or secret.key of the data directory) as well.',
      )
    })
  withJson(
    program.command('restore').description('replace all data with a backup; the service must be stopped'),
  )
    .argument('<file>', 'file that backup wrote')
    .action(async (file: string, options: OutputOptions) => {
      const restored = await deployment.restore(file)
      print(terminal, options, { file, ...restored }, `restored ${restored.rows} rows from ${file}`)
    })
}

function describe({ state, part, detail }: Diagnosis): string {
  const mark = { working: 'ok  ', limited: 'warn', failing: 'FAIL' }[state]
  return `${mark}  ${part}: ${detail}`
}
