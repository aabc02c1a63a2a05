type Value = string | number | null | Said

/** A sentence as data: its English, with placeholders, which is its key in the catalogues, and what is filled in. */
export type Said = { readonly text: string; readonly values: Readonly<Record<string, Value>> }

type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never
type Filled<Text extends string> = [NameIn<Text>] extends [never]
  ? []
  : [Readonly<Record<NameIn<Text>, Value>>]

/** A sentence that says why something is refused. It is written where it is known, and translated where it is read. */
export function said<const Text extends string>(text: Text, ...filled: Filled<Text>): Said {
  return { text, values: filled[0] ?? {} }
}

/** The sentence as the API prints it. */
export function english({ text, values }: Said): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? null
    return value !== null && typeof value === 'object' ? english(value) : String(value)
  })
}

/** A sentence as an issue of a schema, which `parseFields` reads back. Later checks of the schema do not see the value. */
export function issueOf(sentence: Said) {
  return { code: 'custom' as const, message: english(sentence), params: { said: sentence }, continue: false }
}

/** An issue of a part of the value: later checks see the others. */
export function issueAt(path: (string | number)[], sentence: Said) {
  return { ...issueOf(sentence), path, continue: true }
}

/** A sentence whose text stands elsewhere, marked by `phrase`. */
export function saidOf(text: string, values: Said['values'] = {}): Said {
  return { text, values }
}

/** A sentence without the value at its end that it refuses, which may be a secret. */
export function withoutGot({ text, values }: Said): Said {
  const inner = Object.entries(values).map(([name, value]) => [
    name,
    value !== null && typeof value === 'object' ? withoutGot(value) : value,
  ])
  return { text: text.replace(/, got .*$/s, ''), values: Object.fromEntries(inner) }
}

/** A rule about a field that is not in sight. */
export function about(subject: string, fault: Said): Said {
  return { text: '{subject} {fault}', values: { subject, fault } }
}

/** A rule as a sentence of its own. */
export function stopped(sentence: Said): Said {
  return { text: '{sentence}.', values: { sentence } }
}

export const WHOLE = 'whole'

/**
 * Words that are shown as they are, and name their field themselves: those that only programs and operators get, or that are
 * in the language of their reader.
 */
export function inWords(words: string): Said {
  return { text: '{whole}', values: { [WHOLE]: words } }
}
