import { said } from '../../core/language/said.ts'
import { type Fields, isFields } from '../fields.ts'
import { WrongFile } from '../outcome.ts'

/**
 * One configuration of several files, as Gatus merges those of a folder: members of objects join, lists follow each
 * other, and a plain value that stands twice is an error. Throws a WrongFile that names its path.
 */
export function mergeConfigs(configs: readonly Fields[]): Fields {
  return configs.reduce((merged, config) => mergeFields(merged, config, ''), {})
}

function mergeFields(one: Fields, other: Fields, path: string): Fields {
  const merged: Fields = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = Object.hasOwn(one, key) ? one[key] : undefined
    merged[key] = known === undefined || known === null ? value : mergeValues(known, value, `${path}${key}`)
  }
  return merged
}

function mergeValues(one: unknown, other: unknown, path: string): unknown {
  if (other === undefined || other === null) return one
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  if (isFields(one) && isFields(other)) return mergeFields(one, other, `${path}.`)
  throw new WrongFile(said('{path} stands in more than one of the files, which Gatus refuses, too', { path }))
}
