import type { Command } from 'commander'
import type { Context } from './client/connect.ts'
import { type OutputOptions, print, WrongUsage, withJson } from './output.ts'

export function addMoveDatabase(program: Command, { deployment, terminal }: Context): void {
  withJson(
    program
      .command('move-database')
      .description('copy all data to an empty database elsewhere; the service must be stopped'),
  )
    .argument('[url]', 'postgres://user:password@host:5432/database; if omitted, read from standard input')
    .action(async (url: string | undefined, options: OutputOptions) => {
      const address = url ?? (await terminal.readInput())
      if (!address) throw new WrongUsage('the address of a database is missing')
      const { rows, tables, place, secretKeyFile } = await deployment.moveDatabase(address)
      const moved = { rows, tables, database: place, secret_key_file: secretKeyFile }
      print(
        terminal,
        options,
        moved,
        `copied ${rows} rows of ${tables} tables to ${place}, and counted them there`,
      )
      terminal.err(whatToSet(secretKeyFile))
    })
}

function whatToSet(secretKeyFile: string | null): string {
  const key =
    secretKeyFile === null
      ? 'SECRET_KEY as it is now'
      : `SECRET_KEY="$(cat '${secretKeyFile}')", because stored secrets open with that key only`
  return [
    'From now on start every process with',
    '  DATABASE_URL set to that address',
    `  ${key}`,
    'The old database stays as it was: do not start the service on it again, or both send alerts.',
  ].join('\n')
}
