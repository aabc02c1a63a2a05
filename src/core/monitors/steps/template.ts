/*
 * References in the texts of a step: `{{token}}` to what an earlier step captured, `{{secret.NAME}}` to a secret of the monitor,
 * `{{uuid}}` and `{{now}}`. In three braces the value is inserted as it is.
 */

/** Everything of the form of a reference is one, so that a typo is refused instead of sent. */
const REFERENCE = /\{\{\{\s*([\w.-]+)\s*\}\}\}|\{\{\s*([\w.-]+)\s*\}\}/g
/** Stands for every value where a template is judged before there is one: a digit fits any place. */
const STAND_IN = '0'
const SECRET = 'secret.'

/** The names that always have a value: one UUID for the whole check, and the time at which the request is made. */
export const MADE_NAMES = ['uuid', 'now'] as const

/** The place of a template: what a value must be written as there. */
export type TemplatePlace = 'header' | 'url' | 'json' | 'form' | 'text'

/** The names in a template, each once, in their order. */
export function referencesIn(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(REFERENCE), ([, raw, name]) => raw ?? name ?? ''))]
}

/** The name of the secret that a reference names; null for one to something else. */
export function secretNamed(reference: string): string | null {
  return reference.startsWith(SECRET) ? reference.slice(SECRET.length) : null
}

/**
 * The template with its values, each written as its place wants it; `missing` where one of them has no value, `too long` where it
 * has more than `maxLength` UTF-16 units then.
 */
export function filledTemplate(
  template: string,
  place: TemplatePlace,
  valueFor: (name: string) => string | null,
  maxLength: number,
): { text: string } | 'missing' | 'too long' {
  let isWhole = true
  let left = maxLength
  const filled = template.replace(REFERENCE, (_, raw: string | undefined, name: string | undefined) => {
    const value = valueFor(raw ?? name ?? '')
    if (value === null) isWhole = false
    const written = raw === undefined ? escaped(value ?? '', place) : (value ?? '')
    left -= written.length
    return left < 0 ? '' : written
  })
  if (!isWhole) return 'missing'
  return left < 0 || filled.length > maxLength ? 'too long' : { text: filled }
}

/** The template with a stand-in for each value, to be judged by its shape. */
export function standingIn(template: string, standIn = STAND_IN): string {
  return template.replace(REFERENCE, standIn)
}

/** The place that a body is, by its content type; without one, by whether it is JSON. */
export function placeOfBody(body: string, contentType: string | undefined): TemplatePlace {
  if (contentType !== undefined) {
    if (/[/+]json\b/i.test(contentType)) return 'json'
    return /x-www-form-urlencoded/i.test(contentType) ? 'form' : 'text'
  }
  return isJson(standingIn(body)) ? 'json' : 'text'
}

function escaped(value: string, place: TemplatePlace): string {
  switch (place) {
    case 'url':
      return encodeURIComponent(value.toWellFormed())
    case 'form':
      return new URLSearchParams([['', value]]).toString().slice(1)
    case 'json':
      return JSON.stringify(value).slice(1, -1)
    case 'header':
    case 'text':
      return value
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
