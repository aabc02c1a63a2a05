import type { Command } from 'commander'
import { type Change, placeOf, reconcile } from '../../core/monitors/reconcile.ts'
import type { Team } from '../../core/teams/team.ts'
import { askData, type Client, Refused } from '../client/client.ts'
import { addServiceOptions, type Context, type ServiceOptions, withClient } from '../client/connect.ts'
import { reportProgress, timeNotice } from '../client/pace.ts'
import { Exit, type OutputOptions, print } from '../output.ts'
import { applyChanges, readExisting, Stopped } from './apply-changes.ts'
import type { DeclarationFile } from './declaration-file.ts'
import { changesText } from './diff.ts'

const CHANGES_PENDING = 3

type ApplyOptions = {
  prune?: boolean
  dryRun?: boolean
  yes?: boolean
  passwords?: boolean
  detailedExitcode?: boolean
} & OutputOptions &
  ServiceOptions

export function addApply(program: Command, context: Context): void {
  const command = program
    .command('apply')
    .description('make contacts, monitors and settings of the team as a file declares them')
    .argument('<file>', 'YAML or JSON; - for standard input')
    .option('--prune', 'delete contacts and monitors that are not in the file')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'delete without asking')
    .option('--passwords', 'send the passwords of the file again: they cannot be compared')
    .option('--detailed-exitcode', `with --dry-run: status ${CHANGES_PENDING} when something would change`)
    .option('--json', 'print {"data": …}: the changes, without values')
  addServiceOptions(command).action((file: string, options: ApplyOptions) => apply(context, file, options))
}

async function apply(context: Context, path: string, options: ApplyOptions): Promise<void> {
  const { deployment, terminal } = context
  // Imported here, so that other commands start faster.
  const { readDeclaration } = await import('./declaration-file.ts')
  const shownName = path === '-' ? 'standard input' : path
  const file = readDeclaration(await terminal.readFile(path), shownName, deployment.variable)
  await withClient(context, options, async (client) => {
    const existing = await readExisting(client)
    const found = reconcile(file.declaration, existing, options)
    if (found.faults.length > 0) throw file.faulty(found.faults)
    const { changes } = found
    const say = options.json ? terminal.err : terminal.out
    say(changesText(found, { color: terminal.color && !options.json, isHidden: file.isFromVariable }))
    await refuseOverLimit(client, changes)
    const notice = timeNotice(changes.length, client.pace())
    if (notice !== null) terminal.err(notice)
    const result = { applied: !options.dryRun, ...found, changes: changes.map(brief) }
    if (options.dryRun) {
      if (options.json) print(terminal, options, result, '')
      if (options.detailedExitcode && changes.length > 0) throw new Exit(CHANGES_PENDING)
      return
    }
    await confirmDeletions(context, changes, options)
    const tellProgress = reportProgress(changes.length, client.pace, terminal.err)
    const report = (line: string) => {
      say(file.hide(line))
      tellProgress()
    }
    await applyOrExplain(() => applyChanges(client, changes, existing, report), file)
    if (options.json) print(terminal, options, result, '')
  })
}

/** Refuses before the first change. Deletions come last, so they make no room for new monitors. */
async function refuseOverLimit(client: Client, changes: Change[]): Promise<void> {
  const added = changes.filter(({ action, kind }) => action === 'create' && kind === 'monitor').length
  if (added === 0) return
  const { plan, max_monitors: limit, monitors_count: count } = await askData<Team>(client, 'getTeam')
  if (limit === null || count + added <= limit) return
  throw new Error(
    `the ${plan} plan allows ${limit} monitors: the team has ${count}, and the file adds ${added}. Nothing was changed.`,
  )
}

async function confirmDeletions(
  { terminal }: Context,
  changes: Change[],
  options: ApplyOptions,
): Promise<void> {
  const count = changes.filter(({ action }) => action === 'delete').length
  if (count === 0 || options.yes) return
  const answer = await terminal.ask(`Delete ${count} of the team's records? Type yes to go on: `)
  if (answer === null)
    throw new Error(`${count} would be deleted: confirm it with --yes. Nothing was changed.`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was changed.')
}

/** Reports a refusal as a fault of the file, with its position and without values of variables. */
async function applyOrExplain(work: () => Promise<void>, file: DeclarationFile): Promise<void> {
  try {
    await work()
  } catch (error) {
    const faults = error instanceof Stopped ? faultsOf(error) : []
    const message = error instanceof Error ? error.message : String(error)
    if (faults.length === 0) throw new Error(file.hide(message), { cause: error })
    throw new Error(`${file.faulty(faults).message}\n${(error as Stopped).how}`, { cause: error })
  }
}

function faultsOf({ change, cause }: Stopped) {
  if (change.action === 'delete' || !(cause instanceof Refused)) return []
  const record = placeOf(change)
  return Object.entries(cause.errors ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => ({ path: `${record}.${field}`, message: `${record}.${message}` })),
  )
}

function brief(change: Change) {
  const { action, kind, name } = change
  return {
    action,
    kind,
    name,
    id: 'id' in change ? change.id : null,
    fields: action === 'update' ? change.fields.map(({ field }) => field) : [],
  }
}
