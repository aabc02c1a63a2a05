import { Command, CommanderError, Option } from 'commander'
import { Role } from '../core/access.ts'
import { PlanName } from '../core/plan.ts'
import type { Diagnosis } from '../operations/diagnose.ts'
import type { Services } from '../operations/services.ts'
import { addApply } from './apply.ts'
import { addCompletion } from './completion.ts'
import { toId } from './connect.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addLogin } from './login.ts'
import { Exit, type OutputOptions, print, reasonOf, type Terminal, table, WrongUsage } from './output.ts'
import type { RemoteEnvironment } from './profile.ts'
import { addRecords } from './records.ts'
import { addWait } from './wait.ts'

/** What the command line can have done; wired in main.ts. */
export type Deployment = {
  serve: () => Promise<void>
  withServices: <T>(work: (services: Services) => Promise<T>) => Promise<T>
  migrate: () => Promise<string[]>
  diagnose: () => Promise<Diagnosis[]>
  backup: (file: string) => Promise<{ rows: number; bytes: number }>
  restore: (file: string) => Promise<{ rows: number }>
  /** What the environment says about a service elsewhere. */
  remote: () => RemoteEnvironment
  /** A variable of the environment, which a declaration names. */
  variable: (name: string) => string | undefined
}

type Accounts = typeof import('../operations/accounts.ts')

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
    terminal.err(reasonOf(error))
    return REFUSED
  }
}

function createProgram(deployment: Deployment, terminal: Terminal): Command {
  const program = new Command('upbeat')
    .description('Uptime monitoring: the service, and what its operator does')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
  program.command('serve').description('start the service').action(deployment.serve)
  addUsers(program, deployment, terminal)
  addTeams(program, deployment, terminal)
  addMembers(program, deployment, terminal)
  addTokens(program, deployment, terminal)
  addMonitors(program, deployment, terminal)
  addUpkeep(program, deployment, terminal)
  addLogin(program, { deployment, terminal })
  addRecords(program, { deployment, terminal })
  addApply(program, { deployment, terminal })
  addExport(program, { deployment, terminal })
  addImport(program, { deployment, terminal })
  addWait(program, { deployment, terminal })
  addCompletion(program, { deployment, terminal })
  return program
}

/** Loaded by a command that works with the database, so that one that asks over HTTP starts sooner. */
async function withAccounts<T>(
  { withServices }: Deployment,
  work: (services: Services, accounts: Accounts) => Promise<T>,
): Promise<T> {
  const accounts = await import('../operations/accounts.ts')
  return await withServices((services) => work(services, accounts))
}

function addUsers(program: Command, deployment: Deployment, terminal: Terminal): void {
  const user = program.command('user').description('accounts')
  json(user.command('create').description('create an account'))
    .requiredOption('--email <email>', 'address to sign in with')
    .requiredOption('--name <name>', 'name shown to others')
    .option('--password <password>', 'without it: read from standard input, or a link to set it is printed')
    .action(async (options: { email: string; name: string; password?: string } & OutputOptions) => {
      const password = options.password ?? (await terminal.readInput())
      const created = await withAccounts(deployment, (services, accounts) =>
        accounts.createUser(services, { email: options.email, name: options.name, password }),
      )
      print(terminal, options, created, created.set_password_url ?? String(created.id))
    })
  json(
    user
      .command('reset-second-factor')
      .description('remove authenticator app, recovery codes and passkeys of who has lost them'),
  )
    .requiredOption('--email <email>', 'account that can sign in by its password alone then')
    .action(async (options: { email: string } & OutputOptions) => {
      const reset = await deployment.withServices(async (services) => {
        const { resetSecondFactor } = await import('../operations/reset-second-factor.ts')
        return await resetSecondFactor(services, options)
      })
      const passkeys = `${reset.removed_passkeys} ${reset.removed_passkeys === 1 ? 'passkey' : 'passkeys'}`
      const removed = `${reset.removed_totp ? 'an' : 'no'} authenticator app and ${passkeys}`
      const plain = `removed ${removed} of ${reset.email}; all its sessions are ended`
      print(terminal, options, reset, plain)
    })
}

function addTeams(program: Command, deployment: Deployment, terminal: Terminal): void {
  const team = program.command('team').description('teams')
  json(team.command('create').description('create a team'))
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--owner <email>', 'account of its owner')
    .option('--plan <plan>', 'plan of the team', 'business')
    .action(async (options: { name: string; owner: string; plan: string } & OutputOptions) => {
      const created = await withAccounts(deployment, (services, accounts) =>
        accounts.createTeam(services, options),
      )
      print(terminal, options, created, String(created.id))
    })
  json(team.command('set-plan').description(`change the plan: ${PlanName.options.join(', ')}`))
    .argument('<team>', 'ID of the team', toId)
    .argument('<plan>', 'plan')
    .action(async (teamId: number, plan: string, options: OutputOptions) => {
      const changed = await withAccounts(deployment, (services, accounts) =>
        accounts.setPlan(services, teamId, plan),
      )
      print(terminal, options, changed, `team ${teamId} is on the ${plan} plan`)
    })
  json(team.command('signing-secret').description('show the secret that webhooks are signed with'))
    .argument('<team>', 'ID of the team', toId)
    .option('--rotate', 'replace it first')
    .action(async (teamId: number, options: { rotate?: boolean } & OutputOptions) => {
      const secret = await withAccounts(deployment, (services, accounts) =>
        accounts.signingSecret(services, teamId, options.rotate ?? false),
      )
      print(terminal, options, secret, secret.signing_secret)
    })
}

function addMembers(program: Command, deployment: Deployment, terminal: Terminal): void {
  const member = program.command('member').description('members of a team')
  json(member.command('add').description('add a member, or change a role'))
    .requiredOption('--team <id>', 'ID of the team', toId)
    .requiredOption('--email <email>', 'account of the member')
    .addOption(
      new Option('--role <role>', 'what the member may do').choices(Role.options).makeOptionMandatory(),
    )
    .action(async (options: { team: number; email: string; role: string } & OutputOptions) => {
      const added = await withAccounts(deployment, (services, accounts) =>
        accounts.addMember(services, options),
      )
      print(terminal, options, added, `${added.email} is ${added.role} of team ${added.team_id}`)
    })
  json(member.command('remove').description('remove a member; tokens made by it stop working'))
    .requiredOption('--team <id>', 'ID of the team', toId)
    .requiredOption('--email <email>', 'account of the member')
    .action(async (options: { team: number; email: string } & OutputOptions) => {
      const removed = await withAccounts(deployment, (services, accounts) =>
        accounts.removeMember(services, options),
      )
      print(terminal, options, removed, `${removed.email} is no longer a member of team ${removed.team_id}`)
    })
}

function addTokens(program: Command, deployment: Deployment, terminal: Terminal): void {
  const token = program.command('token').description('API tokens')
  json(token.command('create').description('create a token; it is shown this once'))
    .requiredOption('--team <id>', 'ID of the team', toId)
    .requiredOption('--email <email>', 'account whose role the token has')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'when it stops working, such as 2027-01-31')
    .action(
      async (options: { team: number; email: string; name: string; expires?: string } & OutputOptions) => {
        const input = { ...options, expires: options.expires ?? null }
        const created = await withAccounts(deployment, (services, accounts) =>
          accounts.createToken(services, input),
        )
        print(terminal, options, created, created.token)
      },
    )
  json(token.command('list').description('list tokens')).action(async (options: OutputOptions) => {
    const tokens = await withAccounts(deployment, (services, accounts) => accounts.listTokens(services))
    print(terminal, options, tokens, table(tokens))
  })
  json(token.command('revoke').description('make a token stop working'))
    .argument('<id>', 'ID of the token', toId)
    .action(async (id: number, options: OutputOptions) => {
      const revoked = await withAccounts(deployment, (services, accounts) =>
        accounts.revokeToken(services, id),
      )
      print(terminal, options, revoked, `token ${id} is revoked`)
    })
}

function addMonitors(program: Command, deployment: Deployment, terminal: Terminal): void {
  json(
    program
      .command('monitor')
      .description('monitors')
      .command('restore')
      .description('bring back a deleted monitor'),
  )
    .argument('<id>', 'ID of the monitor', toId)
    .action(async (id: number, options: OutputOptions) => {
      const monitor = await deployment.withServices(async (services) => {
        const { restoreMonitor } = await import('../operations/restore-monitor.ts')
        return await restoreMonitor(services, id)
      })
      print(terminal, options, monitor, `monitor ${id} (${monitor.name}) is back, with its history`)
    })
}

function addUpkeep(program: Command, deployment: Deployment, terminal: Terminal): void {
  json(program.command('migrate').description('bring the database to the schema of this version')).action(
    async (options: OutputOptions) => {
      const applied = await deployment.migrate()
      const plain = applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to do'
      print(terminal, options, { applied }, plain)
    },
  )
  json(
    program.command('doctor').description('say what works here and what does not, and how to mend it'),
  ).action(async (options: OutputOptions) => {
    const found = await deployment.diagnose()
    print(terminal, options, found, found.map(describe).join('\n'))
    if (found.some(({ state }) => state === 'failing')) throw new Error('something needs mending: see above')
  })
  json(program.command('backup').description('write all data into a file; the service may run'))
    .argument('<file>', 'file to write')
    .action(async (file: string, options: OutputOptions) => {
      const written = await deployment.backup(file)
      print(terminal, options, { file, ...written }, `${file}: ${written.rows} rows, ${written.bytes} bytes`)
      terminal.err(
        'The secret key is not in it: keep SECRET_KEY (or secret.key of the data directory) as well.',
      )
    })
  json(program.command('restore').description('replace all data by a backup; the service must be stopped'))
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

function json(command: Command): Command {
  return command.option('--json', 'print {"data": …} in the shapes of the API')
}
