import { hideFields } from '../../secret-fields.ts'
import { MASK, type Role, seesSecrets } from '../../teams/access.ts'
import { OPTIONS } from './entries.ts'
import type { Option, OptionSecret } from './option.ts'

/** A secret in the options of a monitor: its path from the name of the option on, and its text. */
export type SecretText = [path: string[], text: string]

type Found = { path: string[]; text: string; secret: OptionSecret }
type Options = object | null | undefined

/** The secrets in options, in the clear or masked. */
function secretsIn(options: Options): Found[] {
  // Most monitors have none, and are many in a list.
  if (!options) return []
  return Object.entries(OPTIONS as Record<string, Option>).flatMap(([name, { secrets = [] }]) =>
    secrets.flatMap((secret) =>
      placesOf((options as Record<string, unknown>)[name], secret.at).flatMap(({ path, text: whole }) => {
        const text = secret.part ? secret.part.read(whole) : whole
        return text === null ? [] : [{ path: [name, ...path], text, secret }]
      }),
    ),
  )
}

/** The part of a text at a path of options that is its secret, where it is not the whole of it. */
function partAt([name = '', ...path]: readonly string[]): OptionSecret['part'] {
  const { secrets = [] } = (OPTIONS as Record<string, Option>)[name] ?? {}
  return secrets.find(
    ({ at }) => at.length === path.length && at.every((key, index) => key === '*' || key === path[index]),
  )?.part
}

/**
 * The path in other options of what stands at a path in these: an element of a list is the one with the same value at `keptBy`
 * there. Null if there is none.
 */
function pathIn(other: unknown, path: readonly string[], options: unknown, keptBy: string): string[] | null {
  const found: string[] = []
  for (const [index, key] of path.entries()) {
    const list = valueAt(other, found)
    if (!Array.isArray(list)) found.push(key)
    else {
      const own = valueAt(options, [...path.slice(0, index + 1), keptBy])
      const at = list.findIndex((element) => valueAt(element, [keptBy]) === own)
      if (at < 0) return null
      found.push(String(at))
    }
  }
  return found
}

/** The path of a secret in other options than those that it was found in. */
function counterpart({ path, secret }: Found, options: unknown, other: unknown): string[] | null {
  return secret.keptBy === undefined ? path : pathIn(other, path, options, secret.keptBy)
}

function secretAt(options: unknown, path: readonly string[] | null): string | null {
  if (path === null) return null
  const text = valueAt(options, path)
  if (typeof text !== 'string') return null
  const part = partAt(path)
  return part ? part.read(text) : text
}

function placesOf(value: unknown, at: readonly string[]): { path: string[]; text: string }[] {
  const [key, ...rest] = at
  if (key === undefined) return typeof value === 'string' ? [{ path: [], text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  const keys = key === '*' ? Object.keys(value) : [key]
  return keys.flatMap((each) =>
    placesOf((value as Record<string, unknown>)[each], rest).map(({ path, text }) => ({
      path: [each, ...path],
      text,
    })),
  )
}

/** A copy with other texts at some paths. */
function replaced<O extends Options>(options: O, texts: readonly SecretText[]): O {
  if (texts.length === 0) return options
  const copy = structuredClone(options)
  for (const [path, text] of texts) {
    const parent = valueAt(copy, path.slice(0, -1))
    const key = path.at(-1)
    if (typeof parent !== 'object' || parent === null || key === undefined) continue
    const record = parent as Record<string, unknown>
    const part = partAt(path)
    record[key] = part ? part.write(String(record[key]), text) : text
  }
  return copy
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  )
}

/** Options as answers show them to a role. */
export function shownOptions<O extends Options>(options: O, role: Role): O {
  const hidden = secretsIn(options).filter(({ secret }) => secret.shownTo === 'nobody' || !seesSecrets(role))
  return masked(options, hidden)
}

/** Options with every secret masked, as diffs and logs show them. */
export function maskedOptions<O extends Options>(options: O): O {
  return masked(options, secretsIn(options))
}

function masked<O extends Options>(options: O, hidden: Found[]): O {
  return replaced(
    options,
    hidden.map(({ path }) => [path, MASK]),
  )
}

/** Takes the secrets out, to be sealed. */
export function takeSecrets<O extends Options>(options: O): { plain: O; secrets: SecretText[] } {
  const found = secretsIn(options)
  return { plain: masked(options, found), secrets: found.map(({ path, text }) => [path, text]) }
}

/** The options with the secrets that were taken out. */
export function putSecrets<O extends Options>(plain: O, secrets: readonly SecretText[]): O {
  return replaced(plain, secrets)
}

/** The paths at which answers show nobody a secret, such as `auth.token`. */
export function unshownSecrets(options: Options): string[][] {
  return secretsIn(options)
    .filter(({ text, secret }) => secret.shownTo === 'nobody' && text === MASK)
    .map(({ path }) => path)
}

/** Whether answers hide something in these options that they show to owners and admins. */
export function isMaskedForViewer(options: Options): boolean {
  return secretsIn(options).some(({ text, secret }) => secret.shownTo === 'admins' && text === MASK)
}

/** Options that were sent, with the stored secrets in place of masks; `lost` are the masks that keep nothing. */
export function withStoredSecrets<O extends Options>(
  sent: O,
  stored: Options,
): { options: O; lost: string[][] } {
  const masks = secretsIn(sent).filter(({ text }) => text === MASK)
  const kept: SecretText[] = []
  const lost: string[][] = []
  for (const found of masks) {
    const { path, secret } = found
    const text = secretAt(stored, counterpart(found, sent, stored))
    const owner = (options: unknown) => secret.part?.owner(String(valueAt(options, path)))
    const beside = path.slice(0, -1)
    const isBound =
      owner(sent) === owner(stored) &&
      (secret.boundTo ?? []).every(
        (key) => valueAt(sent, [...beside, key]) === valueAt(stored, [...beside, key]),
      )
    if (text !== null && isBound) kept.push([path, text])
    else lost.push(path)
  }
  return { options: replaced(sent, kept), lost }
}

/** Declared options with a mask where answers show one: what is stored there cannot be compared. */
export function asShown<O extends Options>(declared: O, shown: Options): O {
  const unseen = secretsIn(declared).filter(
    (found) => secretAt(shown, counterpart(found, declared, shown)) === MASK,
  )
  return masked(declared, unseen)
}

/** The paths of all secrets, from `options` on; `*` stands for every key. */
export const SECRET_PLACES = Object.entries(OPTIONS as Record<string, Option>).flatMap(
  ([name, { secrets = [] }]) => secrets.map(({ at }) => ['options', name, ...at]),
)

// Messages must not repeat a secret that could not be taken.
hideFields(SECRET_PLACES.map((path) => path.map((key) => (key === '*' ? '[^.]*' : key)).join('\\.')))
