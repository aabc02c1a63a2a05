import { Argument, type Command } from 'commander'
import type { OperationId } from '../../contract/contract.ts'
import type { Contact } from '../../core/alerting/contact.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import { IMPORT_KINDS, type ImportKind } from '../../core/moving-in/kinds.ts'
import type { KnownPage, KnownWindow } from '../../core/moving-in/match.ts'
import { type Imported, importedOf } from '../../core/moving-in/report.ts'
import type { Team } from '../../core/teams/team.ts'
import { askAll, askData, type Client } from '../client/client.ts'
import { addServiceOptions, type Context, type ServiceOptions, withClient } from '../client/connect.ts'
import type { OutputOptions } from '../output.ts'
import { createMissing } from './import-create.ts'
import { describeImport, printedImport } from './import-report.ts'

type ImportOptions = OutputOptions & ServiceOptions & { apply?: boolean }

export function addImport(program: Command, context: Context): void {
  const command = program
    .command('import')
    .description(
      'take over monitors, contacts, maintenance windows and status pages of another service; only shows what would be, without --apply',
    )
    .addArgument(new Argument('<service>', 'whose export it is').choices(IMPORT_KINDS))
    .argument('<file...>', 'what that service exported; several files where an export has several')
    .option('--apply', 'create what is missing')
    .option('--json', 'print {"data": …} with everything in it')
  addServiceOptions(command).action(async (kind: ImportKind, files: string[], options: ImportOptions) => {
    const imported = await withClient(context, options, (client) =>
      importFiles(client, { kind, files, ...options }, context),
    )
    const { out } = context.terminal
    out(
      options.json
        ? JSON.stringify({ data: printedImport(imported) })
        : describeImport(imported, context.terminal.width),
    )
    const refused = imported.refused.length
    if (refused > 0)
      throw new Error(`${refused} of what is missing ${refused === 1 ? 'was' : 'were'} not created`)
  })
}

async function importFiles(
  client: Client,
  { kind, files, apply }: ImportOptions & { kind: ImportKind; files: string[] },
  { terminal }: Context,
): Promise<Imported> {
  // Imported here, so that other commands do not load the parsers.
  const { readExportApart } = await import('../../imports/read-apart.ts')
  const { matchWithTeam } = await import('../../core/moving-in/match.ts')
  const team = await askData<Team>(client, 'getTeam')
  const outcome = await readExportApart(kind, files, { ...team, now: new Date() })
  const contacts = await askAll<Contact>(client, 'listContacts')
  const monitors = await askAll<Monitor>(client, 'listMonitors')
  const { internal } = client
  const windows = internal && (await askData<KnownWindow[], OperationId>(internal, 'listMaintenanceWindows'))
  const pages = internal && (await askData<KnownPage[], OperationId>(internal, 'listStatusPages'))
  const matches = matchWithTeam(outcome, { contacts, monitors, windows, pages })
  const created = apply ? await createMissing(client, matches, terminal.err) : null
  return importedOf({ kind, team, outcome, matches, created })
}
