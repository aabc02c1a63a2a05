import { Command, CommanderError } from 'commander'
import { addMembers, addTeams, addTokens, addUsers } from './accounts.ts'
import { addApply } from './apply/apply.ts'
import { addExport } from './apply/export.ts'
import { addImport } from './apply/import.ts'
import type { Context } from './client/connect.ts'
import { addLogin } from './client/login.ts'
import { addCompletion } from './completion.ts'
import type { Deployment } from './deployment.ts'
import { addMoveDatabase } from './move-database.ts'
import { Exit, reasonOf, type Terminal, WrongUsage } from './output.ts'
import { addRecords } from './records.ts'
import { addProbes } from './remote-probes.ts'
import { addStatusPages } from './status-pages.ts'
import { addTeamSettings } from './team-settings.ts'
import { addRestoration, addUpkeep } from './upkeep.ts'
import { addWait } from './wait.ts'

const REFUSED = 1
const WRONG_USAGE = 2

/** Runs one command; resolves with its exit status: 0 done, 1 refused (with the reason), 2 wrong usage. */
export async function runCommand(
  args: string[],
  deployment: Deployment,
  terminal: Terminal,
): Promise<number> {
  const program = createProgram(deployment, terminal)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
    if (error instanceof Exit) return error.status
    if (error instanceof WrongUsage) {
      terminal.err(`error: ${error.message}`)
      return WRONG_USAGE
    }
    return refused(error, terminal)
  }
}

/** Says why something was refused; returns the exit status. */
export function refused(error: unknown, terminal: Terminal): number {
  terminal.err(reasonOf(error))
  return REFUSED
}

function createProgram(deployment: Deployment, terminal: Terminal): Command {
  const context: Context = { deployment, terminal }
  const program = new Command('upbeat')
    .description('Uptime monitoring: the service and its commands')
    .version(deployment.version(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
  program.command('serve').description('start the service').action(deployment.serve)
  addUsers(program, context)
  addTeams(program, context)
  addTeamSettings(program, context)
  addMembers(program, context)
  addTokens(program, context)
  addRestoration(program, context)
  addProbes(program, context)
  addUpkeep(program, context)
  addMoveDatabase(program, context)
  addStatusPages(program, context)
  addLogin(program, context)
  addRecords(program, context)
  addApply(program, context)
  addExport(program, context)
  addImport(program, context)
  addWait(program, context)
  addCompletion(program, context)
  return program
}
