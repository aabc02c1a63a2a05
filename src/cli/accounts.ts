import { type Command, Option } from 'commander'
import type { Account } from '../core/accounts/account-list.ts'
import { Role } from '../core/teams/access.ts'
import { PlanName } from '../core/teams/plan.ts'
import type { Services } from '../operations/services.ts'
import { type Context, toId } from './client/connect.ts'
import type { Deployment } from './deployment.ts'
import { type OutputOptions, print, type Row, table, withJson } from './output.ts'

/** Commands for the operator's work on accounts, teams, members and tokens, on the service's machine. */

type Accounts = typeof import('../operations/accounts/operator-accounts.ts')

export function addUsers(program: Command, { deployment, terminal }: Context): void {
  const user = program.command('user').description('accounts')
  withJson(user.command('create').description('create an account'))
    .requiredOption('--email <email>', 'address to sign in with')
    .requiredOption('--name <name>', 'name shown to others')
    .option(
      '--password <password>',
      'if omitted, read from standard input; without input, a link to set it is printed',
    )
    .action(async (options: { email: string; name: string; password?: string } & OutputOptions) => {
      const password = options.password ?? (await terminal.readInput())
      const created = await withAccounts(deployment, (services, accounts) =>
        accounts.createUser(services, { email: options.email, name: options.name, password }),
      )
      print(terminal, options, created, created.set_password_url ?? String(created.id))
    })
  withJson(
    user
      .command('reset-second-factor')
      .description('remove the authenticator app, recovery codes and passkeys of an account'),
  )
    .requiredOption('--email <email>', 'account, which then needs only its password to sign in')
    .action(async (options: { email: string } & OutputOptions) => {
      const reset = await deployment.withServices(async (services) => {
        const { resetSecondFactor } = await import('../operations/sign-in/reset-second-factor.ts')
        return await resetSecondFactor(services, options)
      })
      const passkeys = `${reset.removed_passkeys} ${reset.removed_passkeys === 1 ? 'passkey' : 'passkeys'}`
      const removed = `${reset.removed_totp ? 'an' : 'no'} authenticator app and ${passkeys}`
      const plain = `removed ${removed} of ${reset.email}; all its sessions are ended`
      print(terminal, options, reset, plain)
    })
  withJson(user.command('list').description('list accounts')).action(async (options: OutputOptions) => {
    const users = await deployment.withServices(async (services) => {
      const { listAllAccounts } = await import('../operations/accounts/account-administration.ts')
      return await listAllAccounts(services)
    })
    print(terminal, options, users, table(users.map(userRow)))
  })
  withJson(
    user
      .command('disable')
      .description('disable an account: ends its sessions, tokens and connected programs'),
  )
    .argument('<email>', 'account')
    .action(async (email: string, options: OutputOptions) => {
      const disabled = await withAccounts(deployment, (services, accounts) =>
        accounts.setDisabled(services, { email, isDisabled: true }),
      )
      const ended = 'its sessions, tokens and sign-ins of programs have ended'
      print(terminal, options, disabled, `${disabled.email} is disabled: ${ended}`)
    })
  withJson(
    user.command('enable').description('enable a disabled account; its ended sessions and tokens stay ended'),
  )
    .argument('<email>', 'account')
    .action(async (email: string, options: OutputOptions) => {
      const enabled = await withAccounts(deployment, (services, accounts) =>
        accounts.setDisabled(services, { email, isDisabled: false }),
      )
      print(terminal, options, enabled, `${enabled.email} can sign in again`)
    })
  withJson(user.command('delete').description('delete an account and its personal data'))
    .argument('<email>', 'account')
    .action(async (email: string, options: OutputOptions) => {
      const deleted = await withAccounts(deployment, (services, accounts) =>
        accounts.deleteUser(services, { email }),
      )
      print(terminal, options, deleted, `account ${deleted.id} is deleted; the audit log keeps that number`)
    })
  withJson(
    user
      .command('operator')
      .description('make an account an operator, who can create teams and manage accounts'),
  )
    .argument('<email>', 'account')
    .option('--off', 'remove the operator role instead')
    .action(async (email: string, { off = false, ...options }: { off?: boolean } & OutputOptions) => {
      const named = await withAccounts(deployment, (services, accounts) =>
        accounts.setOperator(services, { email, isOperator: !off }),
      )
      const words = off ? 'is no operator of this service any more' : 'is an operator of this service'
      print(terminal, options, named, `${named.email} ${words}`)
    })
}

export function addTeams(program: Command, { deployment, terminal }: Context): void {
  const team = program.command('team').description('teams')
  withJson(team.command('create').description('create a team'))
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--owner <email>', 'account of its owner')
    .option('--plan <plan>', 'plan of the team', 'business')
    .action(async (options: { name: string; owner: string; plan: string } & OutputOptions) => {
      const created = await withAccounts(deployment, (services, accounts) =>
        accounts.createTeam(services, options),
      )
      print(terminal, options, created, String(created.id))
    })
  withJson(team.command('set-plan').description(`change the plan: ${PlanName.options.join(', ')}`))
    .argument('<team>', 'ID of the team', toId)
    .argument('<plan>', 'plan')
    .action(async (teamId: number, plan: string, options: OutputOptions) => {
      const changed = await withAccounts(deployment, (services, accounts) =>
        accounts.setPlan(services, teamId, plan),
      )
      print(terminal, options, changed, `team ${teamId} is on the ${plan} plan`)
    })
  withJson(team.command('signing-secret').description('show the secret that signs webhooks'))
    .argument('<team>', 'ID of the team', toId)
    .option('--rotate', 'replace it first')
    .action(async (teamId: number, options: { rotate?: boolean } & OutputOptions) => {
      const secret = await withAccounts(deployment, (services, accounts) =>
        accounts.signingSecret(services, teamId, options.rotate ?? false),
      )
      print(terminal, options, secret, secret.signing_secret)
    })
}

export function addMembers(program: Command, { deployment, terminal }: Context): void {
  const member = program.command('member').description('members of a team')
  withJson(member.command('add').description('add a member, or change a role'))
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
  withJson(member.command('remove').description('remove a member; their tokens stop working'))
    .requiredOption('--team <id>', 'ID of the team', toId)
    .requiredOption('--email <email>', 'account of the member')
    .action(async (options: { team: number; email: string } & OutputOptions) => {
      const removed = await withAccounts(deployment, (services, accounts) =>
        accounts.removeMember(services, options),
      )
      print(terminal, options, removed, `${removed.email} is no longer a member of team ${removed.team_id}`)
    })
}

export function addTokens(program: Command, { deployment, terminal }: Context): void {
  const token = program.command('token').description('API tokens')
  withJson(token.command('create').description('create a token; it is shown only once'))
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
  withJson(token.command('list').description('list tokens')).action(async (options: OutputOptions) => {
    const tokens = await withAccounts(deployment, (services, accounts) => accounts.listTokens(services))
    print(terminal, options, tokens, table(tokens))
  })
  withJson(token.command('revoke').description('revoke a token'))
    .argument('<id>', 'ID of the token', toId)
    .action(async (id: number, options: OutputOptions) => {
      const revoked = await withAccounts(deployment, (services, accounts) =>
        accounts.revokeToken(services, id),
      )
      print(terminal, options, revoked, `token ${id} is revoked`)
    })
}

/** Loaded only by commands that use the database, so that commands over HTTP start faster. */
async function withAccounts<T>(
  { withServices }: Deployment,
  work: (services: Services, accounts: Accounts) => Promise<T>,
): Promise<T> {
  const accounts = await import('../operations/accounts/operator-accounts.ts')
  return await withServices((services) => work(services, accounts))
}

/** A line of the list. */
function userRow({
  id,
  email,
  name,
  is_operator,
  disabled_at,
  created_at,
  last_seen_at,
  teams,
}: Account): Row {
  return {
    id,
    email,
    name,
    operator: is_operator ? 'yes' : 'no',
    disabled_at,
    created_at,
    last_seen_at,
    teams: teams.map((team) => `${team.id} ${team.name} (${team.role})`).join(', ') || null,
  }
}
