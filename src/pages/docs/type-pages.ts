import { fieldsOf } from '../../contract/fields.ts'
import {
  MONITOR_TYPES,
  type MonitorType,
  neededSettings,
  schemesOf,
  typesOfGroup,
} from '../../core/monitors/monitor-types.ts'
import type { OptionName } from '../../core/monitors/options/entries.ts'
import { MonitorOptions, optionOf, optionsOfType } from '../../core/monitors/options/monitor-options.ts'
import {
  GAME_QUERIES,
  type GameQuery,
  gameOf,
  gamesAskedBy,
} from '../../core/monitors/options/protocols/games.ts'
import { TYPE_GROUPS, type TypeGroup } from '../../core/monitors/types/entry.ts'
import { keysOf } from '../../core/shape.ts'

const FIELDS = new Map(fieldsOf(MonitorOptions).map((field) => [field.name, field]))

/** Where texts say more about a type than its entry does. */
const SECTIONS: Partial<Record<MonitorType, string>> = {
  heartbeat: '[heartbeats](heartbeats.md)',
  group: '[groups](monitors.md#groups)',
  manual: '[switched by hand](monitors.md#switched-by-hand)',
  domain: '[domains](monitors.md#domains)',
  dns: '[DNS records](monitors.md#dns-records)',
  websocket: '[WebSockets](monitors.md#websockets)',
  steps: '[several requests](monitors.md#several-requests)',
  browser: '[pages in a browser](monitors.md#pages-in-a-browser)',
}

/** The groups that have types. */
export const DOCUMENTED_GROUPS = keysOf(TYPE_GROUPS).filter((group) => typesOfGroup(group).length > 0)

/** One line about the page of a group. */
export function typesAbout(group: TypeGroup): string {
  const words = typesOfGroup(group).map((type) => MONITOR_TYPES[type].word)
  return `Every option of these types of monitors: ${words.join(', ')}.`
}

/** The page of a group of types, generated from their entries and those of their options. */
export function typesText(group: TypeGroup): string {
  const types = typesOfGroup(group)
  return `# Monitors: ${TYPE_GROUPS[group]}

Generated from the same tables as the form and the API. All types, their statuses and incidents are on the page
[monitors](monitors.md); a value in brackets holds where an option is not set.

${types.map(typeText).join('\n\n')}
`
}

function typeText(type: MonitorType): string {
  const { title, sentence, url, answer, example } = MONITOR_TYPES[type]
  const schemes =
    schemesOf(type)
      ?.map((scheme) => `\`${scheme}://\``)
      .join(' or ') ?? 'any scheme'
  const needed = neededSettings(type).map(code)
  const facts = [
    ...(url
      ? [
          `**URL:** ${schemes}, such as \`${url.example}\`${url.usesHostOnly ? '; only its host is used' : ''}.`,
        ]
      : []),
    ...(needed.length > 0 ? [`**Required:** ${needed.join(', ')}.`] : []),
    ...(answer.length > 0
      ? [`**[Assertions](monitors.md#assertions) read:** ${answer.map(code).join(', ')}.`]
      : []),
    ...(SECTIONS[type] ? [`**More:** ${SECTIONS[type]}.`] : []),
  ]
  const body = JSON.stringify({ ...example, type }, null, 2)
  return `## ${title}

${sentence} Its type is \`${type}\`.

${facts.map((fact) => `- ${fact}`).join('\n')}

\`\`\`json
${body}
\`\`\`

| Option | Meaning |
|---|---|
${optionsOfType(type)
  .map((name) => `| \`${name}\` | ${optionMeaning(name)} |`)
  .join('\n')}`
}

/** The description of an option, with its bounds and what holds without it. */
export function optionMeaning(name: OptionName): string {
  const { description, default: fallback } = optionOf(name)
  const { minimum, maximum } = FIELDS.get(name) ?? {}
  const notes = [
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(fallback === null ? [] : [`default: ${fallback}`]),
  ]
  return notes.length > 0 ? `${description} (${notes.join('; ')})` : description
}

function code(word: string): string {
  return `\`${word}\``
}

/** The ways to ask a game server, as people call them. */
const QUERIES: Record<GameQuery, string> = {
  source: 'Source and GoldSrc (A2S)',
  quake1: 'QuakeWorld',
  quake2: 'Quake II',
  quake3: 'Quake III',
  gamespy1: 'GameSpy 1',
  gamespy2: 'GameSpy 2',
  gamespy3: 'GameSpy 3',
  unreal2: 'Unreal Engine 2',
  minecraft: 'Minecraft, Java edition',
  bedrock: 'Minecraft, Bedrock edition',
}

/** The page of all games, generated from their table. */
export function gamesText(): string {
  const tables = GAME_QUERIES.map((query) => {
    const rows = gamesAskedBy(query).map((id) => `| \`${id}\` | ${gameOf(id)?.queryPort} |`)
    return [
      `## ${QUERIES[query]}`,
      '',
      '| `options.game` | Port without one in the URL |',
      '|---|---|',
      ...rows,
    ].join('\n')
  })
  return `# Games

A [monitor of a game server](monitors.md#game-servers) asks it in the way of its game. The identifiers are those of GameDig, and one that begins
with \`protocol-\` is any other game that is asked so. The port is the one that is asked, which for some games is not that of players.

${tables.join('\n\n')}
`
}
