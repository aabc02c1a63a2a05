import { type Command, Option } from 'commander'
import {
  contactAsWritten,
  DeclaredContact,
  DeclaredMonitor,
  monitorAsWritten,
  parseDeclaration,
  withoutDefaultValues,
} from '../../core/monitors/declaration.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import { isMaskedForViewer, putSecrets, unshownSecrets } from '../../core/monitors/options/secret-options.ts'
import type { Existing } from '../../core/monitors/reconcile.ts'
import { MASK } from '../../core/teams/access.ts'
import { addServiceOptions, type Context, type ServiceOptions, withClient } from '../client/connect.ts'
import { readExisting } from './apply-changes.ts'

export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .description("print a team's contacts and monitors as apply takes them, secrets included")
    .addOption(new Option('--format <format>', 'how to write it').choices(['yaml', 'json']).default('yaml'))
  addServiceOptions(command).action((options: { format: string } & ServiceOptions) =>
    exportAll(context, options),
  )
}

async function exportAll(context: Context, options: { format: string } & ServiceOptions): Promise<void> {
  const { terminal } = context
  const existing = await withClient(context, options, readExisting)
  refuseMasked(existing)
  const names = new Map(existing.monitors.map(({ id, name }) => [id, name]))
  const read = {
    ...(existing.team && { team: existing.team }),
    contacts: existing.contacts.map(contactAsWritten),
    monitors: existing.monitors.map((monitor) =>
      monitorAsWritten(monitor, existing.tags?.get(monitor.id), names),
    ),
  }
  const written = await withEscapes({
    ...(existing.team && { team: existing.team }),
    contacts: read.contacts.map((contact) => asDeclared('contact', DeclaredContact, contact)),
    monitors: read.monitors.map((monitor) => asDeclared('monitor', DeclaredMonitor, monitor)),
  })
  const references = existing.monitors.flatMap((monitor, index) =>
    referSecrets(written.monitors[index] as Written, monitor),
  )
  terminal.out(options.format === 'json' ? JSON.stringify(written, null, 2) : await asYaml(written, existing))
  const parsed = parseDeclaration(read)
  if (!parsed.ok) {
    const faults = Object.values(parsed.errors).flat().join('\n')
    terminal.err(`apply takes this once each record has a name of its own:\n${faults}`)
  }
  const withPassword = existing.monitors.filter((monitor) => monitor.has_password)
  if (withPassword.length > 0) {
    const names = withPassword.map(({ name }) => name).join(', ')
    terminal.err(`Passwords cannot be read back: add them, or leave them as they are (${names}).`)
  }
  if (references.length > 0) {
    const names = references.join(', ')
    terminal.err(
      `These secrets cannot be read back: set the variables, or leave them as they are (${names}).`,
    )
  }
}

type Written = { options?: object }

/** Puts references in place of secrets that nobody can read back; returns the names of their variables. */
function referSecrets(written: Written, { id, options }: Monitor): string[] {
  const named = unshownSecrets(options).map(
    (path) => [path, `MONITOR_${id}_${path.join('_')}`.replaceAll(/\W/g, '_').toUpperCase()] as const,
  )
  if (named.length === 0 || !written.options) return []
  written.options = putSecrets(
    written.options,
    named.map(([path, name]) => [path, `\${secret.${name}}`]),
  )
  return named.map(([, name]) => name)
}

function refuseMasked({ contacts, monitors }: Existing): void {
  // The cause of an open incident may have a mask of its own.
  const secrets = [...contacts.map(({ config }) => config), ...monitors.map((one) => one.request_headers)]
  const isMasked = monitors.some(({ options }) => isMaskedForViewer(options))
  if (!isMasked && !secrets.some((secret) => JSON.stringify(secret).includes(MASK))) return
  throw new Error(
    'the secrets of this team are masked for a viewer: export with the token of an admin or owner',
  )
}

/** A record without default values; unchanged if a file cannot declare it, as with two contacts of the same name. */
function asDeclared(
  kind: 'contact' | 'monitor',
  schema: typeof DeclaredContact | typeof DeclaredMonitor,
  read: Record<string, unknown>,
): Record<string, unknown> {
  const { success, data } = schema.safeParse(read)
  return success ? withoutDefaultValues(kind, data) : read
}

/** Formats YAML. Records that share a name get a comment with their ID. */
async function asYaml(
  written: Record<'contacts' | 'monitors', object[]> & { team?: object },
  existing: Existing,
): Promise<string> {
  const { Document, isNode } = await import('yaml')
  const document = new Document(written)
  for (const kind of ['contacts', 'monitors'] as const) {
    const records: { id: number; name: string }[] = existing[kind]
    const named = Map.groupBy(records, ({ name }) => name)
    for (const [index, { id, name }] of records.entries()) {
      const node = document.getIn([kind, index], true)
      const isShared = (named.get(name)?.length ?? 0) > 1
      if (isShared && isNode(node)) node.commentBefore = ` ID ${id}: another of the ${kind} has this name`
    }
  }
  return document.toString({ lineWidth: 0 }).trimEnd()
}

/** Escapes `\${` in all values, so that `apply` does not read them as variables. */
async function withEscapes<T>(value: T): Promise<T> {
  const { escapeVariables } = await import('./declaration-file.ts')
  return JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === 'string' ? escapeVariables(each) : each,
  )
}
