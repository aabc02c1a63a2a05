import type { Command } from 'commander'
import type { Services } from '../operations/services.ts'
import { type Context, toId } from './client/connect.ts'
import { type OutputOptions, print, table, withJson } from './output.ts'

type ProbeOptions = { region: string; name: string; expires?: string; team?: number[] }
type Tokens = typeof import('../operations/probing/remote-probe-tokens.ts')

/** Commands for the tokens of remote probes, which only the operator creates. */
export function addProbes(program: Command, { deployment, terminal }: Context): void {
  /** Loaded only by commands that use the database, so that others start faster. */
  async function withTokens<T>(work: (services: Services, tokens: Tokens) => Promise<T>): Promise<T> {
    const tokens = await import('../operations/probing/remote-probe-tokens.ts')
    return await deployment.withServices((services) => work(services, tokens))
  }

  const probe = program
    .command('probe')
    .description('tokens of remote probes, which work without access to the database')
  withJson(probe.command('create').description('create a token for a remote probe; it is shown only once'))
    .requiredOption('--region <region>', 'region that it checks from, such as nyc')
    .requiredOption('--name <name>', 'where it runs, or who owns it')
    .option('--expires <time>', 'when it stops working, such as 2027-01-31')
    .option(
      '--team <id>',
      'check only monitors of this team; may be repeated. Without it, of all teams',
      toIds,
    )
    .action(async ({ team, ...options }: ProbeOptions & OutputOptions) => {
      const input = { ...options, teams: team }
      const created = await withTokens((services, tokens) => tokens.createRemoteProbe(services, input))
      print(terminal, options, created, created.token)
    })
  withJson(probe.command('list').description('list the tokens, and how many probers use each')).action(
    async (options: OutputOptions) => {
      const probes = await withTokens((services, tokens) => tokens.listRemoteProbes(services))
      const lines = probes.map(({ teams, ...rest }) => ({ ...rest, teams: teams?.join(',') ?? null }))
      print(terminal, options, probes, table(lines))
    },
  )
  withJson(probe.command('revoke').description('revoke a token; probers that use it stop within seconds'))
    .argument('<id>', 'ID of the token', toId)
    .action(async (id: number, options: OutputOptions) => {
      const revoked = await withTokens((services, tokens) => tokens.revokeRemoteProbe(services, id))
      print(terminal, options, revoked, `token ${id} is revoked`)
    })
}

/** Parses an option that may be repeated. */
function toIds(value: string, before: number[] = []): number[] {
  return [...before, toId(value)]
}
