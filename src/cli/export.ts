import { type Command, Option } from 'commander'
import { MASK } from '../core/access.ts'
import {
  contactAsWritten,
  type Declaration,
  monitorAsWritten,
  parseDeclaration,
  withoutDefaults,
} from '../core/declaration.ts'
import type { Existing } from '../core/reconcile.ts'
import { readExisting } from './apply-changes.ts'
import { addWhere, type Context, type WhereOptions, withClient } from './connect.ts'

export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description("print a team's contacts and monitors as apply takes them, secrets included")
    .addOption(new Option('--format <format>', 'how to write it').choices(['yaml', 'json']).default('yaml'))
  addWhere(command).action((options: { format: string } & WhereOptions) => exportAll(context, options))
}

async function exportAll(context: Context, options: { format: string } & WhereOptions): Promise<void> {
  const { terminal } = context
  const { stringify } = await import('yaml')
  const existing = await withClient(context, options, readExisting)
  const declaration = declarationOf(existing)
  const written = await withEscapes({
    contacts: declaration.contacts.map((contact) => withoutDefaults('contact', contact)),
    monitors: declaration.monitors.map((monitor) => withoutDefaults('monitor', monitor)),
  })
  const text =
    options.format === 'json'
      ? JSON.stringify(written, null, 2)
      : stringify(written, { lineWidth: 0 }).trimEnd()
  terminal.out(text)
  const withPassword = existing.monitors.filter((monitor) => monitor.has_password)
  if (withPassword.length > 0) {
    const names = withPassword.map(({ name }) => name).join(', ')
    terminal.err(`Passwords cannot be read back: add them, or leave them as they are (${names}).`)
  }
}

/** What a team has, as a declaration; throws where its names are not its own, or its secrets cannot be seen. */
function declarationOf({ contacts, monitors }: Existing): Declaration {
  if ([...contacts, ...monitors].some((record) => JSON.stringify(record).includes(MASK))) {
    throw new Error(
      'the secrets of this team are masked for a viewer: export with the token of an admin or owner',
    )
  }
  const parsed = parseDeclaration({
    contacts: contacts.map(contactAsWritten),
    monitors: monitors.map(monitorAsWritten),
  })
  if (parsed.ok) return parsed.value
  const faults = Object.values(parsed.errors).flat().join('\n')
  throw new Error(`this team cannot be declared as it is; rename what shares a name:\n${faults}`)
}

/** A `\${` of a value must not be taken for a variable when it is read again. */
async function withEscapes<T>(value: T): Promise<T> {
  const { escapeVariables } = await import('./declaration-file.ts')
  return JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === 'string' ? escapeVariables(each) : each,
  )
}
