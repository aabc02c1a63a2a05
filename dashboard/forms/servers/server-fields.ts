import type * as z from 'zod'
import { inWords, type Said, said } from '../../../src/core/language/said.ts'
import {
  DEFAULT_THRESHOLDS,
  isNamed,
  type ThresholdChanges,
  Thresholds,
} from '../../../src/core/servers/condition.ts'
import { CONDITION_WORDS } from '../../../src/core/servers/condition-words.ts'
import { ServerSettings } from '../../../src/core/servers/server.ts'
import { serverFaults } from '../../../src/core/servers/server-faults.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { broken, type Faults, INTEGER, type Parsed, parseFields } from '../../../src/core/validation.ts'
import { say } from '../../language/faults.ts'
import { t } from '../../language/language.ts'
import { type Controls, controlsOf } from '../controls.ts'
import { changedNames, type Draft, draftOf, readDraft } from '../draft.ts'

/** A server as it is sent. */
export type ServerBody = z.input<typeof ServerSettings>

export const KINDS = keysOf(Thresholds.shape)
export type Kind = (typeof KINDS)[number]

const { thresholds: _thresholds, ...settings } = controlsOf(ServerSettings)

/** The fields of one line of the table have paths such as `thresholds.cpu.enter`. */
const LINE_CONTROLS: Controls = Object.assign(
  {},
  ...KINDS.map((kind) => controlsOf(Thresholds.shape[kind], pathOf(kind, ''))),
  // Names are typed as tags are, with commas between them.
  ...KINDS.filter(isNamed).map((kind) => ({
    [pathOf(kind, 'names')]: { kind: 'tags', nullable: false, initial: [] },
  })),
)
export const SERVER_CONTROLS: Controls = { ...settings, ...LINE_CONTROLS }
export const SERVER_NAMES = Object.keys(SERVER_CONTROLS)
const LINE_NAMES = Object.keys(LINE_CONTROLS)

/** The words for the values of a line, in the order of the table. */
export const LEVEL_WORDS = {
  is_on: t('On'),
  names: t('Names'),
  enter: t('From'),
  leave: t('Until'),
  minutes: t('Minutes'),
  seconds: t('Seconds'),
  warns_only: t('Warn only'),
} as const
export type LevelName = keyof typeof LEVEL_WORDS

const LEVELS_INSIDE = {
  is_on: t('on'),
  names: t('names'),
  enter: t('from'),
  leave: t('until'),
  minutes: t('minutes'),
  seconds: t('seconds'),
  warns_only: t('warn only'),
} as const satisfies Record<LevelName, string>

/** The name of one value of a line: `Disk space: from`. */
export function sayLevel(kind: Kind, level: LevelName): string {
  return t('{condition}: {level}', { condition: t(CONDITION_WORDS[kind]), level: LEVELS_INSIDE[level] })
}

export function pathOf(kind: Kind, level: LevelName | ''): string {
  return `thresholds.${kind}.${level}`
}

/** The given settings, with the thresholds that apply. */
export function serverDraft(given: Partial<ServerSettings>): Draft {
  const { thresholds: changes, ...rest } = given
  const contacts = rest.contact_ids && { contact_ids: [...rest.contact_ids].sort((a, b) => a - b) }
  return {
    ...draftOf(settings, { ...rest, ...contacts }),
    ...lineDraft({ ...DEFAULT_THRESHOLDS, ...changes }),
  }
}

/** The values of the table for thresholds. */
function lineDraft(thresholds: ThresholdChanges): Draft {
  const values = Object.fromEntries(
    Object.entries(thresholds).flatMap(([kind, levels]) =>
      Object.entries(levels ?? {}).map(([level, value]) => [`thresholds.${kind}.${level}`, value]),
    ),
  )
  const names = LINE_NAMES.filter((name) => name in values)
  return draftOf(
    Object.fromEntries(names.flatMap((name) => (LINE_CONTROLS[name] ? [[name, LINE_CONTROLS[name]]] : []))),
    values,
  )
}

const DEFAULT_LINES = lineDraft(DEFAULT_THRESHOLDS)

/** Whether a line of the table differs from the default. */
export function isChanged(kind: Kind, draft: Draft): boolean {
  return changedNames(LINE_CONTROLS, DEFAULT_LINES, draft).some((name) => name.startsWith(pathOf(kind, '')))
}

/** The defaults of a line, or of all of them. */
export function defaultLines(kind?: Kind): Draft {
  return Object.fromEntries(
    Object.entries(DEFAULT_LINES).filter(([name]) => kind === undefined || name.startsWith(pathOf(kind, ''))),
  )
}

/** Whole conditions, as they are sent: those that differ from the defaults. */
function changesOf(draft: Draft): Record<string, unknown> {
  const values = readDraft(LINE_CONTROLS, draft, LINE_NAMES)
  return Object.fromEntries(
    KINDS.filter((kind) => isChanged(kind, draft)).map((kind) => [
      kind,
      Object.fromEntries(
        keysOf(Thresholds.shape[kind].shape).map((level) => [level, values[pathOf(kind, level)]]),
      ),
    ]),
  )
}

export function judgeServer(draft: Draft): Parsed<ServerBody> {
  const body = { ...readDraft(settings, draft, Object.keys(settings)), thresholds: changesOf(draft) }
  const parsed = parseFields(ServerSettings, body, serverFaults)
  return parsed.ok ? { ok: true, value: body as ServerBody } : broken(inTable(parsed.faults))
}

/** Only what was changed; of the thresholds all that differ from the defaults, if any of them was changed. */
export function judgePatch(before: Draft, draft: Draft): Parsed<Partial<ServerBody>> {
  const judged = judgeServer(draft)
  if (!judged.ok) return judged
  const changed = new Set(changedNames(SERVER_CONTROLS, before, draft).map((name) => name.split('.')[0]))
  const kept = Object.entries(judged.value).filter(([name]) => changed.has(name))
  return { ok: true, value: Object.fromEntries(kept) }
}

/** `thresholds.cpu.enter must be …` with the words of the table. */
function inTable(faults: Faults): Faults {
  const found: Faults = {}
  for (const [path, said] of Object.entries(faults)) {
    // A name has no field of its own.
    const field = path.replace(/(\.names)\.\d+$/, '$1')
    found[field] = [...(found[field] ?? []), ...said.map((fault) => inTableWords(fault, field))]
  }
  return found
}

function inTableWords(fault: Said, field: string): Said {
  const control = LINE_CONTROLS[field]
  if (!control) return fault
  const [, kind, level] = field.split('.')
  const isFraction = control.kind === 'number' && !control.isWhole
  const rule = say(
    isFraction && fault.text === INTEGER
      ? said('must be a number, got {got}', { got: fault.values.got ?? '' })
      : fault,
  )
  const words = t('{condition}, “{level}”: {fault}', {
    condition: t(CONDITION_WORDS[kind as Kind]),
    level: LEVEL_WORDS[level as LevelName],
    fault: rule,
  })
  return inWords(words)
}
