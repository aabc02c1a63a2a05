import { MAX_WATCHED_NAME_LENGTH } from '../condition.ts'
import {
  type Container,
  MAX_CONTAINERS,
  MAX_UNITS,
  type SystemdUnit,
  type ToldHosted,
  type ToldList,
} from '../hosted.ts'
import { readable } from '../series.ts'
import { readNumber, type Sections } from './sections.ts'

const MAX_WORD_LENGTH = 40
const MAX_IMAGE_LENGTH = 255
const MAX_TROUBLE_LENGTH = 255
const MAX_COUNT = 2 ** 31 - 1
/** `running healthy 3 0 /web nginx:1.27`: state, health or `-`, restarts, exit code, name, image. */
const CONTAINER = /^([a-z]+) ([a-z-]*) (-?\d{1,10}) (-?\d{1,10}) \/?(\S+)(?: (.*))?$/
/** `active running nginx.service`, in the words of `systemctl list-units`. */
const UNIT = /^([a-z-]+) (\S+) (\S+)$/
/** `! permission denied`: why a list is not the whole one. */
const TROUBLE = /^! ?(.*)$/

/** Reads what an agent tells of containers and units. */
export function readHosted(sections: Sections): ToldHosted {
  return {
    containers: readList(sections, 'containers', MAX_CONTAINERS, readContainer),
    units: readList(sections, 'units', MAX_UNITS, readUnit),
  }
}

/** Lines that cannot be read, and those over the bound, make it a part of the list. One that is told twice counts once. */
function readList<Each extends { name: string }>(
  sections: Sections,
  section: string,
  max: number,
  read: (line: string) => Each | null,
): ToldList<Each> | null {
  if (!sections.has(section)) return null
  const found = new Map<string, Each>()
  let trouble: string | null = null
  for (const line of sections.of(section)) {
    const words = TROUBLE.exec(line)?.[1]
    const one = words === undefined ? read(line) : null
    if (one === null) trouble ??= readable(words ?? `not understood: ${line}`, MAX_TROUBLE_LENGTH) ?? '?'
    else if (found.size < max) found.set(one.name, found.get(one.name) ?? one)
    else if (!found.has(one.name)) trouble ??= `more than ${max}`
  }
  return { list: [...found.values()], trouble }
}

function readContainer(line: string): Container | null {
  const [, state = '', health = '', restarts, exitCode, rawName = '', image = ''] = CONTAINER.exec(line) ?? []
  const name = readable(rawName, MAX_WATCHED_NAME_LENGTH)
  const word = readable(state, MAX_WORD_LENGTH)
  if (name === null || word === null) return null
  const isUnset = health === '' || health === '-' || health === 'none'
  return {
    name,
    image: readable(image, MAX_IMAGE_LENGTH),
    state: word,
    health: isUnset ? null : readable(health, MAX_WORD_LENGTH),
    restarts: countOf(restarts),
    exit_code: countOf(exitCode),
  }
}

function readUnit(line: string): SystemdUnit | null {
  const [, active = '', rawSub = '', rawName = ''] = UNIT.exec(line.trimEnd()) ?? []
  const name = readable(rawName, MAX_WATCHED_NAME_LENGTH)
  const sub = readable(rawSub, MAX_WORD_LENGTH)
  if (name === null || sub === null) return null
  return { name, active: active.slice(0, MAX_WORD_LENGTH), sub }
}

function countOf(text: string | undefined): number | null {
  const count = readNumber(text)
  return count !== undefined && count >= 0 && count <= MAX_COUNT ? count : null
}
