import type { Command } from 'commander'
import type { OperationId } from '../contract/contract.ts'
import { fieldsOf } from '../contract/fields.ts'
import { TeamConfirmation } from '../core/monitors/confirmation.ts'
import { OnCallSettings } from '../core/on-call/policy.ts'
import { keysOf, pick } from '../core/shape.ts'
import { TeamLanguage } from '../core/teams/team-language.ts'
import { SETTINGS_NEED_MACHINE, type TeamSettings, TeamSettingsPatch } from '../core/teams/team-settings.ts'
import { parseFields } from '../core/validation.ts'
import { askData, type Client } from './client/client.ts'
import { addServiceOptions, type Context, type ServiceOptions, withClient } from './client/connect.ts'
import { addFlags, flagFaults, valuesOf } from './flags.ts'
import { list, type OutputOptions, print } from './output.ts'
import { fieldsRow } from './show.ts'

/** Each part of the settings, and the operations that show and change it. */
const PARTS = [
  { shape: TeamConfirmation.shape, shows: 'showTeamConfirmation', changes: 'updateTeamConfirmation' },
  { shape: OnCallSettings.shape, shows: 'getOnCallSettings', changes: 'updateOnCallSettings' },
  { shape: TeamLanguage.shape, shows: 'showTeamLanguage', changes: 'updateTeamLanguage' },
] as const satisfies { shape: object; shows: OperationId; changes: OperationId }[]

/** All settings; null over HTTP, where there are none. */
export async function readTeamSettings({ internal }: Client): Promise<TeamSettings | null> {
  if (!internal) return null
  const parts = await Promise.all(PARTS.map(({ shows }) => askData<object, OperationId>(internal, shows)))
  return Object.assign({}, ...parts)
}

/** Changes those that are given. */
export async function changeTeamSettings({ internal }: Client, patch: TeamSettingsPatch): Promise<void> {
  if (!internal) return
  for (const { shape, changes } of PARTS) {
    const body = pick(
      patch as Record<string, unknown>,
      keysOf(shape).filter((key) => key in patch),
    )
    if (Object.keys(body).length > 0) await askData<unknown, OperationId>(internal, changes, { body })
  }
}

export function addTeamSettings(program: Command, context: Context): void {
  const fields = fieldsOf(TeamSettingsPatch)
  const team = program.commands.find((command) => command.name() === 'team') ?? program.command('team')
  const command = team
    .command('settings')
    .description('show when and how a team is alerted, or change the given settings')
  addFlags(command, fields, { clearing: true })
  command.option('--json', 'print {"data": …}')
  addServiceOptions(command).action(
    async (options: Record<string, unknown> & OutputOptions & ServiceOptions) => {
      const parsed = parseFields(TeamSettingsPatch, valuesOf(fields, options))
      if (!parsed.ok) throw new Error(flagFaults(parsed.errors, fields))
      await withClient(context, options, async (client) => {
        if (!client.internal) throw new Error(SETTINGS_NEED_MACHINE)
        await changeTeamSettings(client, parsed.value)
        const settings = (await readTeamSettings(client)) as TeamSettings
        print(context.terminal, options, settings, list(fieldsRow(settings)))
      })
    },
  )
}
