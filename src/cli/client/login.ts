import type { Command } from 'commander'
import type { Team } from '../../core/teams/team.ts'
import { type OutputOptions, print, WrongUsage } from '../output.ts'
import { askData } from './client.ts'
import { addServiceOptions, type Context, type ServiceOptions, withClient } from './connect.ts'
import { BadAddress, httpClient, readAddress } from './http-client.ts'
import { DEFAULT_PROFILE, findConnection, keepProfile, profilesFile, readProfiles } from './profile.ts'

type LoginOptions = { url: string; token?: string; profile: string; insecure?: boolean } & OutputOptions

export function addLogin(program: Command, context: Context): void {
  program
    .command('login')
    .description('save the address and token of a service for commands about its records')
    .requiredOption('--url <address>', 'address of the service, such as https://status.example.com')
    .option('--token <token>', 'API token; if omitted, read from standard input or prompted for')
    .option('--profile <name>', 'name of the saved profile', DEFAULT_PROFILE)
    .option('--insecure', 'allow the token over plain http')
    .option('--json', 'print {"data": …}')
    .action((options: LoginOptions) => login(context, options))
  program
    .command('logout')
    .description('forget a service; its token stays valid until it is revoked there')
    .option('--profile <name>', 'name of the saved profile', DEFAULT_PROFILE)
    .action((options: { profile: string }) => logout(context, options.profile))
  addServiceOptions(program.command('whoami').description('show the service and team that commands use'))
    .option('--json', 'print {"data": …}')
    .action((options: ServiceOptions & OutputOptions) => whoami(context, options))
}

async function login({ deployment, terminal }: Context, options: LoginOptions): Promise<void> {
  const insecure = options.insecure === true
  const url = addressOrWrongUsage(options.url, insecure)
  if (!/^[\w.-]{1,50}$/.test(options.profile)) {
    throw new WrongUsage('--profile takes 1 to 50 letters, digits, dots and dashes')
  }
  const token = (
    options.token ??
    (await terminal.readInput()) ??
    (await terminal.askSecret('API token: '))
  )?.trim()
  if (!token || /\s/.test(token) || token.length > 1_000) {
    throw new WrongUsage('a token is needed: give it with --token or on standard input')
  }
  const connection = { url, token, insecure }
  const team = await askData<Team>(httpClient(connection, terminal.err), 'getTeam')
  const environment = deployment.remote()
  await keepProfile(environment, options.profile, connection)
  const said = { profile: options.profile, url, file: profilesFile(environment), team }
  print(terminal, options, said, `logged in to ${url} for team ${team.id} (${team.name})`)
}

async function logout({ deployment, terminal }: Context, profile: string): Promise<void> {
  const environment = deployment.remote()
  const former = (await readProfiles(environment))[profile]
  if (!former) throw new Error(`there is no login of the name ${profile}`)
  await keepProfile(environment, profile, null)
  terminal.out(`logged out of ${former.url}; the token stays valid until it is revoked there`)
}

async function whoami(context: Context, options: ServiceOptions & OutputOptions): Promise<void> {
  const isLocal = options.team !== undefined
  const found = isLocal ? null : await findConnection(context.deployment.remote(), options)
  await withClient(context, options, async (client) => {
    const team = await askData<Team>(client, 'getTeam')
    const source = found?.source ?? `member ${options.email}`
    const said = { url: found?.url ?? null, source, token_ending: found?.token.slice(-4) ?? null, team }
    const plain = `${client.place} (${source}), team ${team.id} (${team.name}) on the ${team.plan} plan`
    print(context.terminal, options, said, plain)
  })
}

function addressOrWrongUsage(text: string, insecure: boolean): string {
  try {
    return readAddress(text, insecure)
  } catch (error) {
    throw error instanceof BadAddress ? new WrongUsage(error.message) : error
  }
}
