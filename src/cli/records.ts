import type { Command } from 'commander'
import { contract, type PublicOperationId } from '../contract/contract.ts'
import { type Field, fieldsOf } from '../contract/fields.ts'
import { type Operation, parametersOf } from '../contract/operation.ts'
import { askAll, askData, type Client, type Question, Refused } from './client/client.ts'
import { addServiceOptions, type Context, type ServiceOptions, toId, withClient } from './client/connect.ts'
import { addFlags, flagFaults, kebab, valuesOf } from './flags.ts'
import { list, type OutputOptions, print, table, WrongUsage } from './output.ts'
import { fieldsRow, ROWS } from './show.ts'

/** A command and the operation it calls; its flags, argument and help follow from the contract. */
type RecordCommand = {
  name: string
  id: PublicOperationId
  /** Sent instead of values from flags. */
  body?: Record<string, unknown>
  summary?: string
  /** Lists show a record so. */
  row?: keyof typeof ROWS
  /** Called instead when --monitor is given. */
  ofMonitor?: PublicOperationId
}

const GROUPS: Record<string, { about: string; commands: RecordCommand[] }> = {
  monitors: {
    about: 'monitors of a team',
    commands: [
      ...commandsFor('Monitor', 'monitors'),
      {
        name: 'pause',
        id: 'updateMonitor',
        body: { is_active: false },
        summary: 'Stop checking, and resolve the open incident',
      },
      { name: 'resume', id: 'updateMonitor', body: { is_active: true }, summary: 'Check again' },
      { name: 'checks', id: 'listMonitorChecks', row: 'checks' },
    ],
  },
  contacts: { about: 'notification contacts of a team', commands: commandsFor('Contact', 'contacts') },
  incidents: {
    about: 'incidents of a team',
    commands: [{ name: 'list', id: 'listIncidents', row: 'incidents', ofMonitor: 'listMonitorIncidents' }],
  },
  team: { about: 'teams', commands: [{ name: 'show', id: 'getTeam' }] },
}

/** Commands for every kind of record that users create: `createMonitor`, `createContact` and so on. */
function commandsFor(record: 'Monitor' | 'Contact', row: keyof typeof ROWS): RecordCommand[] {
  return [
    { name: 'list', id: `list${record}s`, row },
    { name: 'show', id: `get${record}` },
    { name: 'create', id: `create${record}` },
    { name: 'update', id: `update${record}`, summary: 'Change the given fields' },
    { name: 'delete', id: `delete${record}` },
  ]
}

type Options = Record<string, unknown> & OutputOptions & ServiceOptions

export function addRecords(program: Command, context: Context): void {
  for (const [group, { about, commands }] of Object.entries(GROUPS)) {
    const parent =
      program.commands.find((command) => command.name() === group) ??
      program.command(group).description(about)
    for (const entry of commands) addRecordCommand(parent, entry, context)
  }
}

function addRecordCommand(parent: Command, entry: RecordCommand, context: Context): void {
  const operation: Operation = contract[entry.id]
  const [parameter] = parametersOf(operation.path)
  const fields = fieldsOfCommand(entry, operation)
  const summary = entry.summary ?? operation.summary
  const command = parent.command(entry.name).description(summary[0]?.toLowerCase() + summary.slice(1))
  if (parameter) command.argument('<id>', `ID of the ${nounOf(operation)}`, toId)
  addFlags(command, fields, { clearing: operation.method === 'PATCH' })
  if (entry.ofMonitor) command.option('--monitor <id>', 'only those of one monitor', toId)
  command.option('--json', 'print {"data": …} as the API does')
  addServiceOptions(command).action(async (...args: unknown[]) => {
    const [recordId, options] = (parameter ? args : [undefined, args[0]]) as [number | undefined, Options]
    const values = entry.body ?? valuesOf(fields, options)
    await readPassword(values, context)
    if (operation.method === 'PATCH' && Object.keys(values).length === 0) {
      throw new WrongUsage(`nothing to change: give at least one of ${fields.map(flagName).join(', ')}`)
    }
    const question: Question = {
      ...(parameter && recordId !== undefined && { params: { [parameter]: recordId } }),
      ...(operation.query && { query: asQuery(values) }),
      ...(operation.body && { body: values }),
    }
    await withClient(context, options, async (client) => {
      try {
        await askAndPrint(client, entry, question, options, recordId, context)
      } catch (error) {
        throw error instanceof Refused && error.errors ? new Error(flagFaults(error.errors, fields)) : error
      }
    })
  })
}

/** Fields that cannot change have no flag. */
function fieldsOfCommand({ body }: RecordCommand, operation: Operation): Field[] {
  if (body) return []
  if (operation.query) return fieldsOf(operation.query)
  const fields = operation.body ? fieldsOf(operation.body) : []
  return operation.method === 'PATCH' ? fields.filter(({ name }) => name !== 'type') : fields
}

async function askAndPrint(
  client: Client,
  entry: RecordCommand,
  question: Question,
  options: Options,
  recordId: number | undefined,
  { terminal }: Context,
): Promise<void> {
  const operation: Operation = contract[entry.id]
  if (entry.row) {
    const ofMonitor = options.monitor as number | undefined
    const asked = entry.ofMonitor && ofMonitor !== undefined
    const id = asked ? entry.ofMonitor : entry.id
    const where = asked ? { params: { monitor: ofMonitor as number } } : question
    const isOnePage = question.query?.page !== undefined
    const ask = isOnePage ? askData<unknown[]> : askAll<unknown>
    const found = await ask(client, id as PublicOperationId, where)
    const rows = found.map(ROWS[entry.row] as (record: unknown) => Record<string, string | number | null>)
    return print(terminal, options, found, table(rows, terminal.width))
  }
  const found = await askData<{ id: number; name: string }>(client, entry.id, question)
  if (operation.status === 204) {
    return print(terminal, options, { id: recordId }, `${nounOf(operation)} ${recordId} is deleted`)
  }
  // Scripts want the ID of a new record, people the result of a change.
  print(terminal, options, found, operation.status === 201 ? String(found.id) : list(fieldsRow(found)))
}

/** The record that an operation's path identifies, in words. */
function nounOf({ path }: Operation): string {
  return parametersOf(path)[0] === 'monitor' ? 'monitor' : 'contact'
}

/** A password can be read from standard input, because other users of the machine see command lines. */
async function readPassword(values: Record<string, unknown>, { terminal }: Context): Promise<void> {
  if (values.password !== '-') return
  const given = (await terminal.readInput()) ?? (await terminal.askSecret('Password: '))
  if (!given) throw new WrongUsage('--password - reads it from standard input, which is empty')
  values.password = given
}

function asQuery(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function flagName({ name }: Field): string {
  return `--${kebab(name)}`
}
