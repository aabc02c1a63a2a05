import MiniSearch, { type Query, type SearchOptions } from 'minisearch'
import { stemmer } from 'stemmer'
import type { Section } from './markdown.ts'
import { STOP_WORDS, SYNONYMS } from './synonyms.ts'
import type { DocsText } from './texts.ts'

const MAX_WORDS = 12
export const MAX_RESULTS = 20
/** Shorter words begin too many others. */
const MIN_PREFIX_LENGTH = 3
/** The share of a word's letters that may be wrong, once nothing has all words as typed. */
const TYPOS = 0.2
/** A word, or a name such as `SMTP_URL`. */
export const WORD = /[\p{L}\p{N}_]+/gu

const FIELDS = { heading: 5, title: 4, about: 2, content: 1, page: 0.1 }
const SYNONYM_WORTH = 0.7
const SYNONYM: SearchOptions = {
  boost: Object.fromEntries(Object.entries(FIELDS).map(([field, worth]) => [field, worth * SYNONYM_WORTH])),
  prefix: false,
}

/** A guide answers a question better than a page that lists everything does. */
const REFERENCES = new Set([
  '/api',
  '/command-line',
  '/failures',
  '/openapi',
  '/problems',
  '/problems/monitor-limit-reached',
  '/problems/validation-failed',
])
const REFERENCE_WORTH = 0.5
/** Pages that name every field, and those that tell of the past or of measurements. */
const LONG_LISTS = new Set(['/reference', '/changelog', '/benchmarks', '/hostile', '/capacity', '/fuzzing'])
const LIST_WORTH = 0.25
/** A section whose heading is what was typed is what is meant. */
const HEADING_WORTH = 5

export type SearchResult = { text: DocsText; section: Section; isMatch: (word: string) => boolean }

export type SearchAnswer = {
  results: SearchResult[]
  /** False where nothing has all the words, and the results have some, or similar ones. */
  hasAll: boolean
}

type Part = { id: number; text: DocsText; section: Section }

/** Finds pages by the stems of words and by synonyms, best match first, each with its section that matches best. */
export function createSearch(texts: DocsText[]): (query: string) => SearchAnswer {
  const parts = texts
    .flatMap((text) => text.rendered.sections.map((section) => ({ text, section })))
    .map((part, id): Part => ({ ...part, id }))
  const index = new MiniSearch<Part>({
    fields: Object.keys(FIELDS),
    extractField: (part, field) => (field === 'id' ? part.id : fieldOf(part, field as keyof typeof FIELDS)),
    tokenize: wordsOf,
    processTerm: stemmer,
  })
  index.addAll(parts)

  return (query) => {
    const concepts = conceptsOf(query)
    const typed = sayWords(query)
    const isHeading = ({ section }: Part) => typed !== '' && sayWords(section.text) === typed
    const options: SearchOptions = {
      boost: FIELDS,
      tokenize: (stem) => [stem],
      processTerm: (stem) => stem,
      prefix: (term) => term.length >= MIN_PREFIX_LENGTH,
      boostDocument: (id) => {
        const part = parts[id] as Part
        return isHeading(part) ? worthOf(part) * HEADING_WORTH : worthOf(part)
      },
    }
    const ask = (asked: Query, of: SearchOptions = {}): SearchResult[] => {
      const found = index.search(asked, { ...options, ...of })
      const pages = Map.groupBy(found, ({ id }) => parts[id]?.text)
      return [...pages.values()].slice(0, MAX_RESULTS).flatMap(([best]) => {
        const part = best && parts[best.id]
        return part ? [{ ...part, isMatch: matcherOf(best.terms) }] : []
      })
    }
    const all = ask({ combineWith: 'AND', queries: concepts })
    if (all.length > 0 || concepts.length === 0) return { results: all, hasAll: true }
    return { results: ask({ combineWith: 'OR', queries: concepts }, { fuzzy: TYPOS }), hasAll: false }
  }
}

function fieldOf({ text, section }: Part, field: keyof typeof FIELDS): string {
  const isFirst = section.depth === 1
  if (field === 'heading') return isFirst ? '' : section.text
  if (field === 'content') return section.content
  if (field === 'title') return text.title
  if (field === 'about') return isFirst ? text.entry.about : ''
  // Words that stand in different sections of a page lead to its beginning.
  return isFirst ? text.rendered.sections.map(({ text, content }) => `${text} ${content}`).join(' ') : ''
}

function worthOf({ text: { entry } }: Part): number {
  if (LONG_LISTS.has(entry.path)) return LIST_WORTH
  return REFERENCES.has(entry.path) ? REFERENCE_WORTH : 1
}

/** A name such as `SMTP_URL` counts as one word and as its parts. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? []
  return words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_').filter(Boolean)] : [word]))
}

/** A text as its words alone, to compare it with another one. */
const sayWords = (text: string) => (text.toLowerCase().match(WORD) ?? []).join(' ')

const stemsOf = (text: string) => wordsOf(text).map(stemmer)

const PHRASES = SYNONYMS.map((line) => line.map(stemsOf))

/** Every word of the query that says something, each with its synonyms. */
function conceptsOf(query: string): Query[] {
  const words = (query.toLowerCase().match(WORD) ?? []).slice(0, MAX_WORDS)
  const hasSubject = words.some((word) => !STOP_WORDS.has(word))
  const stems = words.map(stemmer)
  const concepts: Query[] = []
  for (let at = 0; at < words.length; ) {
    const typed = phraseAt(stems, at)
    if (typed) concepts.push(conceptOf(typed))
    else if (!hasSubject || !STOP_WORDS.has(words[at] as string)) concepts.push(asked([stems[at] as string]))
    at += typed?.length ?? 1
  }
  return concepts
}

/** The longest phrase of the synonyms that begins at this word. */
function phraseAt(stems: string[], at: number): string[] | undefined {
  return PHRASES.flat()
    .filter((phrase) => phrase.every((stem, index) => stems[at + index] === stem))
    .toSorted((a, b) => b.length - a.length)[0]
}

function conceptOf(typed: string[]): Query {
  const isTyped = (phrase: string[]) => phrase.join(' ') === typed.join(' ')
  const others = PHRASES.filter((line) => line.some(isTyped))
    .flat()
    .filter((phrase) => !isTyped(phrase))
  return { combineWith: 'OR', queries: [asked(typed), ...others.map((phrase) => asked(phrase, SYNONYM))] }
}

function asked(stems: string[], options: SearchOptions = {}): Query {
  return { ...options, combineWith: 'AND', queries: stems }
}

/** Finds the words of a text by the stems that matched in it. */
function matcherOf(stems: string[]): (word: string) => boolean {
  const matched = new Set(stems)
  return (word) => stemsOf(word).some((stem) => matched.has(stem))
}
