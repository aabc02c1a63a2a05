import { type Command, InvalidArgumentError, Option } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import { MAX_RECORD_ID } from '../../core/record-id.ts'
import type { Deployment } from '../deployment.ts'
import { type Terminal, WrongUsage } from '../output.ts'
import type { Client } from './client.ts'
import { httpClient } from './http-client.ts'
import { findConnection } from './profile.ts'

/** Options that choose the service; every command about a team's records has them. */
export type ServiceOptions = { profile?: string; insecure?: boolean; team?: number; email?: string }

export type Context = { deployment: Deployment; terminal: Terminal }

export function addServiceOptions(command: Command): Command {
  const group = (flags: string, help: string) => new Option(flags, help).helpGroup('Which service:')
  return command
    .addOption(group('--profile <name>', 'a service that you logged in to with this profile name'))
    .addOption(group('--insecure', 'allow a token over plain http'))
    .addOption(group('--team <id>', 'a team of the service on this machine, without a token').argParser(toId))
    .addOption(group('--email <email>', 'with --team: the member to act as'))
}

/** Runs `work` with a client for the service named by options, environment or login. */
export async function withClient<T>(
  { deployment, terminal }: Context,
  options: ServiceOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { team, email } = options
  if (team === undefined && email === undefined) {
    const connection = await findConnection(deployment.remote(), options)
    return await work(httpClient(connection, terminal.err))
  }
  if (team === undefined || email === undefined) {
    throw new WrongUsage('--team and --email go together: a team, and the member to act as')
  }
  if (options.profile !== undefined) throw new WrongUsage('--profile and --team exclude each other')
  return await deployment.withServices(async (services) => {
    // Loaded here, so that commands for another machine do not load the database.
    const { localClient } = await import('./local-client.ts')
    const { actorOfMember } = await import('../../operations/teams/member-actor.ts')
    return await work(localClient(services, await actorOfMember(services, { team, email })))
  })
}

/** A number above any ID is not wrong usage: as in the API, no such record exists. */
export function toId(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It takes an ID, a whole number.')
  if (Number(value) <= MAX_RECORD_ID) return Number(value)
  throw new Refusal('notFound', { detail: inWords(`there is no ID ${value}: IDs go up to ${MAX_RECORD_ID}`) })
}
